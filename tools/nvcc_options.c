// SPDX-License-Identifier: Apache-2.0
// Writes docs/generated/nvcc-options.md from the table of the compiler driver's options.
#include "nvcc/option.h"
#include <stdio.h>

int main(void)
{
    options_print_page();
    return fflush(stdout) || ferror(stdout);
}
