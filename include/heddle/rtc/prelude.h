// What run-time compilation has declared before a source begins.
#include "cuda_runtime.h"
#include "nv/target"
