// SPDX-License-Identifier: Apache-2.0
// The same with code that is linked, and a variable that is declared before it is defined.
// nvcc: -rdc=true
#define LINKED
#include "managed_variables.cu"
