// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a PTX text give a module or errors with line and column, nothing else.
#include "fuzz_ptx.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    fuzz_ptx((const char *)data, size);
    return 0;
}
