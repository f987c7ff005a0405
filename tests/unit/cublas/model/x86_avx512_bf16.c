// SPDX-License-Identifier: Apache-2.0
#include "model.h"
#include "cublas/compute/grouped/x86_avx512_bf16.c"
