// SPDX-License-Identifier: Apache-2.0
// Memory of threads, for panels and tiles. It is kept until the thread ends.
#include "base/log.h"
#include "base/os.h"
#include "cublas/compute/product.h"
#include <stdlib.h>

struct memories {
    void *at[MEMORIES];
    size_t bytes[MEMORIES];
};

static void memories_free(void *p)
{
    struct memories *m = p;
    for (int i = 0; i < MEMORIES; i++)
        free(m->at[i]);
    free(m);
}

static struct os_thread_end thread_end = {.end = memories_free};
static _Thread_local struct memories *own;

// The fault that ends a kernel.
static void no_memory(void)
{
    static int *volatile nowhere;
    log_write(LOG_ERROR, "cuBLAS: there is no memory for a product");
    *nowhere = 0;
}

void *product_memory(enum product_memory slot, size_t bytes)
{
    enum { ALIGN = 64, PAGE = 4096 };
    if (!own) {
        struct memories *m = calloc(1, sizeof *m);
        if (!m || !os_at_thread_end(&thread_end, m))
            no_memory();
        own = m;
    }
    if (own->bytes[slot] < bytes) {
        free(own->at[slot]);
        own->bytes[slot] = (bytes + PAGE - 1) / PAGE * PAGE;
        own->at[slot] = aligned_alloc(ALIGN, own->bytes[slot]);
        if (!own->at[slot]) {
            own->bytes[slot] = 0;
            no_memory();
        }
    }
    return own->at[slot];
}
