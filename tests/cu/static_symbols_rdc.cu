// SPDX-License-Identifier: Apache-2.0
// The same in code that is linked, where such variables get names of their unit.
// nvcc: -rdc=true
#include "static_symbols.cu"
