// SPDX-License-Identifier: Apache-2.0
// A loop that is run by slices of its lanes (slice_loops.c, which has the conditions): what it is made of, and whether that pays.
#ifndef HEDDLE_JIT_HOST_SLICE_H
#define HEDDLE_JIT_HOST_SLICE_H
#include "base/arena.h"
#include "base/map.h"
#include "jit/ir/pass.h"

enum { ANY = -1, OPERANDS = 4, LANES_MAX = 64, MOVED_MAX = 64 };

// The lanes that a vector's elements belong to: `n` from `first` on. ANY: the same scalar in every lane.
struct run {
    int first;
    unsigned n;
};

struct moved { // a store behind the loop, or a load before it
    LLVMValueRef access;
    int64_t at;
};

struct slicer {
    LLVMContextRef context;
    LLVMBuilderRef b, before; // before: where a slice's loop is entered
    LLVMBasicBlockRef from, loop, exit;
    unsigned width;        // of the gang
    unsigned first, lanes; // of the slice
    struct arena arena;
    struct map runs, made;
    unsigned groups, group; // of the values that the loop carries, and the one at hand
    struct map grouped;     // what carried values go into -> its group + 1
    struct moved load[MOVED_MAX], store[MOVED_MAX];
    unsigned nloads, nstores;
};

static inline bool is_vector(LLVMValueRef x)
{
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
}
static inline unsigned lanes_of(LLVMValueRef x)
{
    return LLVMGetVectorSize(LLVMTypeOf(x));
}
static inline bool inside(const struct slicer *s, LLVMValueRef x)
{
    return LLVMIsAInstruction(x) && LLVMGetInstructionParent(x) == s->loop;
}
static inline const struct run *run_of(const struct slicer *s, LLVMValueRef x) // NULL: of none
{
    return map_get_ptr(&s->runs, x);
}

// Whether a value of the loop is made in a group: those that no carried value goes into are in all of them.
static inline bool is_in_group(const struct slicer *s, LLVMValueRef x, unsigned group)
{
    uintptr_t of = s->groups > 1 ? (uintptr_t)map_get_ptr(&s->grouped, x) : 0;
    return !of || of == group + 1;
}
// The group whose loop is asked for a value behind it.
static inline bool is_left_by(const struct slicer *s, LLVMValueRef x, unsigned group)
{
    uintptr_t of = s->groups > 1 ? (uintptr_t)map_get_ptr(&s->grouped, x) : 0;
    return of ? of == group + 1 : !group;
}

// slice_find.c
unsigned slice_element_bits(LLVMValueRef x); // 0: of a type that is not known here
bool slice_is_elementwise(LLVMValueRef x);
bool slice_is_prefetch(LLVMValueRef x);
bool slice_is_splat(LLVMValueRef x); // of a scalar
// Whether all of the loop can be made by slices; finds the runs of its vectors.
bool slice_find(struct slicer *s);

// slice_group.c: whether what the loop carries falls into so many groups, which are noted.
bool slice_group(struct slicer *s, unsigned groups);
// slice_cost.c: how many slices, and in s->groups how many groups; 1: the loop stays
unsigned slice_choose(struct slicer *s);
#endif
