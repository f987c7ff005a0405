// SPDX-License-Identifier: Apache-2.0
// What counted code (docs/ncu.md) tells the engine, in one word: which basic block of the PTX a thread has come to, and what it does there
// that is not known from that. Numbers are those of the kernel's plan (jit/translate/reach/count.h), which both sides make of the PTX.
#ifndef HEDDLE_JIT_ABI_COUNT_H
#define HEDDLE_JIT_ABI_COUNT_H
#include <stdint.h>

enum count_kind {
    COUNT_BLOCK,  // a basic block begins
    COUNT_EXIT,   // the thread ends
    COUNT_GUARD,  // the predicate of this instruction holds
    COUNT_ACCESS, // this instruction's access, and its address
    COUNT_TARGET, // the second one of cp.async: where it writes; of wmma.load and wmma.store the stride, in elements
    COUNT_LOCAL,  // where a local variable lies
    COUNT_BULK,  // a thread's bulk copy begins: its address in global memory; 0: the copy itself tells (count_bulk_row)
    COUNT_BYTES, // and ends: its bytes
    COUNT_WAY    // this branch is next: 1, it is taken, or 0; the block that the thread goes to tells later
};
enum { COUNT_KIND_BITS = 4, COUNT_MOST = 1 << 28 };
static inline uint32_t count_word(enum count_kind kind, uint32_t index)
{
    return (uint32_t)kind | index << COUNT_KIND_BITS;
}
static inline enum count_kind count_kind(uint32_t what)
{
    return (enum count_kind)(what & ((1u << COUNT_KIND_BITS) - 1));
}
static inline uint32_t count_index(uint32_t what)
{
    return what >> COUNT_KIND_BITS;
}

enum count_field {
#define COUNT_FIELD(NAME) COUNT_##NAME,
#include "jit/abi/count.def"
    COUNT_FIELDS
};
#endif
