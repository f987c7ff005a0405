// SPDX-License-Identifier: Apache-2.0
// initcheck: a byte for each byte of a block's shared memory, whether it was written.
#include "device/check/report.h"
#include "device/sched/runner.h"
#include <stdlib.h>
#include <string.h>

struct init_block {
    const struct jit_launch *launch;
    uint64_t linear;
    uint32_t bytes, missing; // so many are not written
    unsigned char *written;
};

void init_resident(struct resident *r)
{
    if (r->init)
        r->init->launch = NULL;
}

void init_resident_end(struct resident *r)
{
    if (r->init)
        free(r->init->written);
    free(r->init);
}

// What is kept of the block that runs, all new where it is another one than before. NULL: there is no memory for it.
static struct init_block *block_of(const struct jit_block *b)
{
    struct resident *r = b->engine;
    struct init_block *k = r->init;
    if (k && k->launch == b->launch && k->linear == b->linear)
        return k->written ? k : NULL;
    if (!k && !(k = r->init = calloc(1, sizeof *k)))
        return NULL;
    free(k->written);
    *k = (struct init_block){b->launch, b->linear, b->shared_bytes, b->shared_bytes, calloc(1, b->shared_bytes)};
    return k->written ? k : NULL;
}

// The code of the block that runs need not call any more.
static void tell_written(const struct init_block *k, const struct jit_block *b)
{
    struct resident *r = b->engine;
    if (!k->missing)
        r->block.written = b->linear + 1;
}

uint32_t init_shared_unknown(const struct jit_block *b, uint32_t what, uint32_t lanes, const uint64_t *addresses)
{
    enum { ALL = 0x01010101 };
    struct init_block *k = block_of(b);
    uint32_t size = check_size(what), kind = check_kind(what), left = 0;
    if (!k || !k->missing)
        return 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), word;
        uint64_t at = addresses[lane] - (uint64_t)(uintptr_t)b->shared;
        if (kind == CHECK_ATOMIC || size != sizeof word || at + size > k->bytes) {
            left |= 1u << lane;
            continue;
        }
        memcpy(&word, k->written + at, sizeof word);
        if (kind == CHECK_READ)
            left |= (uint32_t)(word != ALL) << lane;
        else if (word != ALL) {
            k->missing -= sizeof word - (uint32_t)__builtin_popcount(word);
            memcpy(k->written + at, &(uint32_t){ALL}, sizeof word);
        }
    }
    tell_written(k, b);
    return left;
}

bool init_shared_read(const struct jit_block *b, uint32_t at, uint32_t size)
{
    const struct init_block *k = block_of(b);
    return !k || !k->missing || at + size > k->bytes || !memchr(k->written + at, 0, size);
}

void init_shared_write(const struct jit_block *b, uint32_t at, uint32_t size)
{
    struct init_block *k = block_of(b);
    for (uint32_t i = 0; k && k->missing && i < size && at + i < k->bytes; i++) {
        k->missing -= !k->written[at + i];
        k->written[at + i] = 1;
    }
    if (k)
        tell_written(k, b);
}
