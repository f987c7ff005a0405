// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a fat binary give entries or an error, nothing else.
#include "fatbin/fatbin_read.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct diag d;
    struct fatbin f;
    diag_init(&d, "fatbin");
    if (size && fatbin_read(data, size, &f, &d)) {
        for (size_t i = 0; i < f.entries.len; i++) {
            size_t n;
            // What claims to unpack to much is left packed here, so that the fuzzer's memory limit means something.
            if (f.entries.data[i].full_size < 1 << 24)
                free(fatbin_entry_read(&f.entries.data[i], &n, &d));
        }
        fatbin_ptx_choose(&f, 0, 90, &d);
        fatbin_fini(&f);
    }
    diag_fini(&d);
    return 0;
}
