// SPDX-License-Identifier: Apache-2.0
// The plan by which a kernel is counted (docs/ncu.md): numbers for its instructions and basic blocks, where paths that part meet again, and
// what is known of each instruction from the PTX. Made of the PTX alone, so that code and engine have the same. Free of LLVM.
#ifndef HEDDLE_JIT_TRANSLATE_REACH_COUNT_H
#define HEDDLE_JIT_TRANSLATE_REACH_COUNT_H
#include "jit/translate/reach/reach.h"

#define COUNT_NONE UINT32_MAX

// Classes of instructions, by the names of smsp__sass_thread_inst_executed_op_*.
enum count_class {
#define COUNT_CLASS(NAME, name) COUNT_CLASS_##NAME,
#include "jit/translate/reach/count.def"
    COUNT_CLASSES
};
// Operations that are counted by themselves.
enum count_op {
#define COUNT_OP(NAME, name) COUNT_OP_##NAME,
#include "jit/translate/reach/count.def"
    COUNT_OPS
};

// Pipelines of a GPU, by the names of smsp__inst_executed_pipe_*.
enum count_pipe {
#define COUNT_PIPE(NAME, name) COUNT_PIPE_##NAME,
#include "jit/translate/reach/count.def"
    COUNT_PIPES
};

// A matrix that wmma.load or wmma.store moves: pieces that follow each other at a stride that the instruction names.
struct count_matrix {
    uint8_t pieces;  // 0: it is none
    uint8_t element; // bytes
    uint16_t bytes;  // of a piece
};

struct count_insn {
    const struct ptx_func *f;
    const struct ptx_insn *in;
    uint32_t block;
    uint32_t lanes;     // of a warp, whose addresses its access has
    uint8_t class, op;  // enum count_class, enum count_op
    uint8_t pipe;       // enum count_pipe
    uint8_t per_thread; // operations of that kind that a thread makes: 2 of packed ones
    uint8_t bytes;      // of its access, by one thread; 0: it has none
    bool merges;        // an atomic that adds a constant, which a GPU does for all threads with one address at once
    uint32_t products;  // a matrix product: its operations for a warp, a multiply-add is two
    struct count_matrix matrix;
};

struct count_block {
    uint32_t first, end; // its instructions
    uint32_t join;       // the nearest block that all paths from here pass; COUNT_NONE: the end of the function
    uint32_t after;      // it ends with a call: the block behind that; COUNT_NONE: it does not
    uint32_t next;       // the block behind it in the text; COUNT_NONE: the function ends
    uint32_t
        target; // it ends with a branch that a predicate decides between this block and the next; COUNT_NONE: it does not
};

struct count_func {
    const struct ptx_func *f;
    uint32_t first_insn, first_block, nblocks, first_local, nlocals;
};

struct count_local {
    const struct ptx_var *var;
    uint32_t offset; // in the thread's local memory
};

struct count_plan {
    struct VEC(struct count_func) funcs; // as reach.funcs
    struct VEC(struct count_insn) insns;
    struct VEC(struct count_block) blocks;
    struct VEC(struct count_local) locals;
    uint32_t local_bytes;
};

void count_plan_make(struct count_plan *p, const struct reach *r);
void count_plan_free(struct count_plan *p);
const struct count_func *count_plan_func(const struct count_plan *p, const struct ptx_func *f);

bool count_is_branch(const struct ptx_insn *in); // it ends a basic block
// Its access is told: one to global, shared or local memory, thread by thread, or of a matrix by a warp.
bool count_accesses(const struct ptx_insn *in);
bool count_copies_bulk(const struct ptx_insn *in); // a bulk copy or reduction, of a thread
void count_classify(struct count_insn *c);         // count_class.c
const char *count_class_name(enum count_class c);
const char *count_op_name(enum count_op o);
const char *count_pipe_name(enum count_pipe p);
#endif
