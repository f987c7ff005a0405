// SPDX-License-Identifier: Apache-2.0
// Copies of boxes between tensors in global memory and shared memory: cp.async.bulk.tensor and its reductions, done at once.
//
// In shared memory the box lies densely, the first dimension fastest. With a swizzle the chunks of 16 bytes of each 128 (or 64,
// or 32) trade places by the number of the row of 128 bytes, as counted from the start of the shared window. Elements outside
// of the tensor are 0 or NaN when they are read, and left alone when they are written (an H200 writes the rest of the 16
// bytes at the end of a row). As on an H200 it is an illegal instruction when the place is not on a multiple of 16 bytes in
// the first dimension, or when something is written at negative coordinates.
#include "device/check/check.h"
#include "device/count/count.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/memory/halves.h"
#include "jit/abi/tensor.h"
#include <stdbool.h>
#include <string.h>

struct copy {
    const struct tensor_map *m;
    const int32_t *at;
    char *shared;
    uint64_t offset; // of `shared` in its block's shared memory
    uint32_t op;
    bool load;
    struct jit_block *block; // for checks
    uint32_t thread;
    const void *pc;
};

static const struct tensor_map *map_check(const void *map, uint32_t thread, const void *pc)
{
    const struct tensor_map *m = map;
    if ((uintptr_t)map % _Alignof(struct tensor_map) || m->magic != TENSOR_MAGIC) // parameters lie on multiples of 16
        fault_raise(FAULT_ILLEGAL_INSTRUCTION, thread, pc);
    return m;
}

static uint32_t taken(const struct tensor_map *m, unsigned d)
{
    return (m->box[d] + m->steps[d] - 1u) / m->steps[d];
}

static char *place(const struct copy *c, uint64_t byte)
{
    uint64_t at = c->offset + byte, rows = at >> 7;
    return c->shared + byte + ((at ^ (rows & ((1u << c->m->swizzle) - 1)) << 4) - at);
}

static uint64_t nan_of(const struct tensor_map *m)
{
    switch (m->type) {
    case TENSOR_F16:
    case TENSOR_BF16:
        return 0x7fff;
    case TENSOR_F32:
        return 0x7fffffff;
    default:
        return 0x7fffffffffffffff;
    }
}

#define MIX(type, put)                                                                                                 \
    do {                                                                                                               \
        type old, x;                                                                                                   \
        memcpy(&x, from, sizeof x);                                                                                    \
        __atomic_load((type *)to, &old, __ATOMIC_RELAXED);                                                             \
        for (type next;;) {                                                                                            \
            next = put;                                                                                                \
            if (__atomic_compare_exchange((type *)to, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))          \
                break;                                                                                                 \
        }                                                                                                              \
    } while (0)
#define INTEGER(type, bits)                                                                                            \
    switch (op) {                                                                                                      \
    case TENSOR_ADD:                                                                                                   \
        MIX(type, (type)((bits)old + (bits)x));                                                                        \
        break;                                                                                                         \
    case TENSOR_MIN:                                                                                                   \
        MIX(type, x < old ? x : old);                                                                                  \
        break;                                                                                                         \
    case TENSOR_MAX:                                                                                                   \
        MIX(type, x > old ? x : old);                                                                                  \
        break;                                                                                                         \
    case TENSOR_INC:                                                                                                   \
        MIX(type, old >= x ? 0 : old + 1);                                                                             \
        break;                                                                                                         \
    case TENSOR_DEC:                                                                                                   \
        MIX(type, !old || old > x ? x : old - 1);                                                                      \
        break;                                                                                                         \
    case TENSOR_AND:                                                                                                   \
        MIX(type, old & x);                                                                                            \
        break;                                                                                                         \
    case TENSOR_OR:                                                                                                    \
        MIX(type, old | x);                                                                                            \
        break;                                                                                                         \
    default:                                                                                                           \
        MIX(type, old ^ x);                                                                                            \
        break;                                                                                                         \
    }                                                                                                                  \
    return true

// The order of halves as integers, -0 below +0.
static int32_t rank_of(uint16_t h)
{
    return h & 0x8000 ? -1 - (h & 0x7fff) : h;
}

// The lesser or greater of two halves, by their bits; a NaN only of two.
static uint16_t chosen(uint16_t a, uint16_t b, uint16_t infinity, bool greater)
{
    bool no_a = (a & 0x7fff) > infinity, no_b = (b & 0x7fff) > infinity;
    if (no_a || no_b)
        return no_a && no_b ? 0x7fff : no_a ? b : a;
    return (rank_of(a) > rank_of(b)) == greater ? a : b;
}

#define HALVES(sum, infinity)                                                                                          \
    if (op == TENSOR_ADD)                                                                                              \
        MIX(uint16_t, sum(old, x));                                                                                    \
    else if (op == TENSOR_MIN || op == TENSOR_MAX)                                                                     \
        MIX(uint16_t, chosen(old, x, infinity, op == TENSOR_MAX));                                                     \
    else                                                                                                               \
        return false;                                                                                                  \
    return true

static bool mix(enum tensor_type type, uint32_t op, void *to, const void *from)
{
    switch (type) {
    case TENSOR_U32:
        INTEGER(uint32_t, uint32_t);
    case TENSOR_S32:
        INTEGER(int32_t, uint32_t);
    case TENSOR_U64:
        INTEGER(uint64_t, uint64_t);
    case TENSOR_S64:
        INTEGER(int64_t, uint64_t);
    case TENSOR_F32:
        if (op == TENSOR_ADD)
            MIX(float, old + x);
        return op == TENSOR_ADD;
    case TENSOR_F64:
        if (op == TENSOR_ADD)
            MIX(double, old + x);
        return op == TENSOR_ADD;
    case TENSOR_F16:
        HALVES(half_sum_f16, 0x7c00);
    case TENSOR_BF16:
        HALVES(half_sum_bf16, 0x7f80);
    default:
        return false;
    }
}

// Before bytes are copied that lie here in shared memory and, if they do, there in global memory.
static void check(const struct copy *c, const char *shared, const char *global, uint32_t bytes)
{
    if (__builtin_expect(!check_wanted, 1))
        return;
    check_engine_access(c->block, c->thread, (uint64_t)(uintptr_t)shared, bytes, c->load ? CHECK_WRITE : CHECK_READ,
                        c->pc);
    uint32_t kind = c->load ? CHECK_READ : c->op == TENSOR_PUT ? CHECK_WRITE : CHECK_ATOMIC;
    if (global)
        check_engine_access(c->block, c->thread, (uint64_t)(uintptr_t)global, bytes, kind, c->pc);
}

// One element; `global` NULL: it lies outside.
static bool copy_element(const struct copy *c, char *global, uint64_t byte)
{
    char *s = place(c, byte);
    uint64_t nan = c->m->nan ? nan_of(c->m) : 0;
    if (c->load || global)
        check(c, s, global, c->m->bytes);
    if (c->load)
        memcpy(s, global ? global : (const char *)&nan, c->m->bytes);
    else if (global && c->op == TENSOR_PUT)
        memcpy(global, s, c->m->bytes);
    else if (global)
        return mix(c->m->type, c->op, global, s);
    return true;
}

// One row of the first dimension: in runs of 16 bytes where that goes.
static bool copy_row(const struct copy *c, char *row, uint64_t byte)
{
    const struct tensor_map *m = c->m;
    uint32_t n = m->box[0], run = 16u / m->bytes;
    for (uint32_t i = 0; i < n;) {
        int64_t x = (int64_t)c->at[0] + i;
        bool whole = row && c->op == TENSOR_PUT && x >= 0 && i + run <= n && x + run - 1 <= (int64_t)m->last[0] &&
                     !((byte | c->offset) & 15);
        if (whole) {
            char *s = place(c, byte), *g = row + x * m->bytes;
            check(c, s, g, 16);
            memcpy(c->load ? s : g, c->load ? g : s, 16);
            i += run;
            byte += 16;
            continue;
        }
        bool in = row && x >= 0 && x <= (int64_t)m->last[0];
        if (!copy_element(c, in ? row + x * m->bytes : NULL, byte))
            return false;
        i++;
        byte += m->bytes;
    }
    return true;
}

// For ncu: the part of a row that lies in the tensor.
static void count_row(const struct copy *c, const char *row)
{
    int64_t first = c->at[0] < 0 ? 0 : c->at[0], end = (int64_t)c->at[0] + c->m->box[0];
    end = end > (int64_t)c->m->last[0] + 1 ? (int64_t)c->m->last[0] + 1 : end;
    if (row && first < end)
        count_bulk_row(c->block, c->thread, (uint64_t)(uintptr_t)row + (uint64_t)first * c->m->bytes,
                       (uint64_t)(end - first) * c->m->bytes);
}

static void place_check(const struct copy *c, uint32_t thread, const void *pc)
{
    bool good = !((uint32_t)c->at[0] * c->m->bytes % 16);
    for (unsigned d = 0; d < c->m->rank && !c->load; d++)
        good &= c->at[d] >= 0;
    if (!good)
        fault_raise(FAULT_ILLEGAL_INSTRUCTION, thread, pc);
}

static uint32_t copy_box(const struct copy *c, uint32_t thread, const void *pc)
{
    const struct tensor_map *m = c->m;
    place_check(c, thread, pc);
    uint32_t index[TENSOR_RANK_MAX] = {0};
    uint64_t row_bytes = (uint64_t)m->box[0] * m->bytes, byte = 0;
    for (bool more = true; more; byte += row_bytes) {
        char *row = m->address;
        for (unsigned d = 1; d < m->rank && row; d++) {
            int64_t x = (int64_t)c->at[d] + (int64_t)index[d] * m->steps[d];
            row = x >= 0 && x <= (int64_t)m->last[d] ? row + (uint64_t)x * m->strides[d] : NULL;
        }
        if (!copy_row(c, row, byte))
            fault_raise(FAULT_NOT_SUPPORTED, thread, pc);
        if (__builtin_expect(count_wanted, 0))
            count_row(c, row);
        more = false;
        for (unsigned d = 1; d < m->rank && !more; d++) {
            more = ++index[d] < taken(m, d);
            if (!more)
                index[d] = 0;
        }
    }
    if (__builtin_expect(count_wanted, 0))
        count_bulk_end(c->block, thread);
    return (uint32_t)byte;
}

static uint64_t offset_in_window(const struct jit_block *b, const char *shared)
{
    return (uint64_t)(shared - b->window) & ((1u << JIT_WINDOW_SHIFT) - 1);
}

uint32_t hook_tensor_load(struct jit_block *b, uint32_t thread, void *shared, const void *map, const void *at)
{
    const void *pc = __builtin_return_address(0);
    struct copy c = {.m = map_check(map, thread, pc),
                     .at = at,
                     .shared = shared,
                     .load = true,
                     .block = b,
                     .thread = thread,
                     .pc = pc};
    c.offset = offset_in_window(b, shared);
    return copy_box(&c, thread, pc);
}

void hook_tensor_store(struct jit_block *b, uint32_t thread, void *shared, const void *map, const void *at, uint32_t op)
{
    const void *pc = __builtin_return_address(0);
    struct copy c = {
        .m = map_check(map, thread, pc), .at = at, .shared = shared, .op = op, .block = b, .thread = thread, .pc = pc};
    c.offset = offset_in_window(b, shared);
    copy_box(&c, thread, pc);
}
