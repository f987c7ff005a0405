// SPDX-License-Identifier: Apache-2.0
// The operations heddle.* of the dialect (docs/dialect.md): which one a call is, what is known of it, and calls of them.
// dialect.def has a row for each; nothing else compares their names.
#ifndef HEDDLE_JIT_DIALECT_H
#define HEDDLE_JIT_DIALECT_H
#include "jit/abi/state.h"
#include "jit/ir/ir.h"
#include <llvm-c/Core.h>
#include <stdbool.h>

// Variants of collectives that shapes and emitters both know.
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote_mode { VOTE_BALLOT, VOTE_ANY, VOTE_ALL, VOTE_UNI };
enum redux_op { REDUX_ADD, REDUX_SMIN, REDUX_SMAX, REDUX_UMIN, REDUX_UMAX, REDUX_AND, REDUX_OR, REDUX_XOR };

#define OP_PREFIX "heddle." // of all their names
enum heddle_op {
    OP_NONE, // anything else
#define OP(op, name, kinds, shape, emitter, variant, type, about) OP_##op,
#include "jit/ir/dialect.def"
    OP_COUNT
};

// What an operation is: attributes of its declaration first (all are nounwind), then sets that passes ask for.
enum op_kinds {
    IS_PURE = 1 << 0,         // memory(none) willreturn speculatable
    IS_RETURNS = 1 << 1,      // willreturn
    IS_CONVERGENT = 1 << 2,   // convergent
    IS_INACCESSIBLE = 1 << 3, // touches no memory that the program sees
    IS_SREG = 1 << 4,   // a special register: known from the thread's position, the launch and constant operands alone
    IS_THREAD = 1 << 5, // of these, may differ between the threads of a block
    IS_TID = 1 << 6,
    IS_NTID = 1 << 7,
    IS_CTAID = 1 << 8,
    IS_NCTAID = 1 << 9,
    IS_LANE = 1 << 10,       // laneid and masks of it
    IS_FRAME_LANE = 1 << 11, // of the gang's local memory
    IS_FIXED = 1 << 12,      // the same address in every thread of the grid
    IS_MATH = 1 << 13,       // arithmetic
    IS_MINMAX = 1 << 14,     // PTX's minimum or maximum (gang/value/minmax.c)
    IS_HALVES = 1 << 15,
    IS_BLOCK_WAIT = 1 << 16,  // a thread waits there for its block or cluster, or is counted as one that has come
    IS_BARRIER = 1 << 17,     // of the block
    IS_BARRIER_RED = 1 << 18, // with a result that the threads share
    IS_WARP_WAIT = 1 << 19,   // a collective: a thread waits for the members of a mask, the first operand
    IS_EXCHANGE = 1 << 20,    // a collective that exchanges values of more than one lane
    IS_AGREED = 1 << 21,      // all members get the same result
    IS_MATCH_ANY = 1 << 22,
    IS_INTERLEAVE = 1 << 23, // marks of loops that gangs run interleaved
    IS_HOOK = 1 << 24,       // a call of the engine
    IS_WHOLE_WARP = 1 << 25, // for gangs of a whole warp alone, where it reaches the vectoriser
};

struct op_row {
    const char *name; // "heddle.tid.x"; of a family, up to its suffix
    unsigned length;
    unsigned kinds;
    enum resume_kind wait; // RESUME_RUN: it does not wait
    enum resume_op resume;
    unsigned variant;
    // Result and operands: v void, b i1, h i16, w i32, l i64, f float, d double, p ptr, and pointers to
    // g global, s shared, a constant, x local memory
    const char *type;
};
extern const struct op_row op_rows[OP_COUNT];

// The operation that this value is a call of, a function is, a name is of.
enum heddle_op op_of(LLVMValueRef v);
enum heddle_op op_of_function(LLVMValueRef f);
enum heddle_op op_of_name(const char *name);
enum heddle_op op_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2))); // a name without "heddle."
// Whether it is a call of an operation of one of these kinds.
static inline bool op_is(LLVMValueRef v, unsigned kinds)
{
    return (op_rows[op_of(v)].kinds & kinds) != 0;
}
// Calls at which a thread may have to wait; barriers of its block; collectives of its warp.
static inline bool op_waits(LLVMValueRef v)
{
    return op_rows[op_of(v)].wait != RESUME_RUN;
}
static inline bool op_is_barrier(LLVMValueRef v)
{
    return op_is(v, IS_BARRIER);
}
// The barrier of the whole block, __syncthreads().
bool op_is_syncthreads(LLVMValueRef v);
static inline bool op_is_collective(LLVMValueRef v)
{
    return op_is(v, IS_WARP_WAIT);
}
// For ir_made_of: calls whose result is the same in every block. What came through a frame slot is not told from others there.
static inline bool op_is_fixed(LLVMValueRef call)
{
    return op_is(call, IS_FIXED);
}
// Calls that compute and no more: arithmetic of the dialect and of LLVM (one-thread code has no intrinsic of LLVM's that accesses
// memory), and the check of an address.
bool op_is_harmless(LLVMValueRef call);
const char *op_hook(LLVMValueRef call); // the row of hooks.def that a call of the engine names

// The operation's function, declared on demand; NULL: it is not there. suffix: "" but for families.
LLVMValueRef op_declare(LLVMModuleRef m, enum heddle_op op, const char *suffix, LLVMTypeRef type);
LLVMValueRef op_find(LLVMModuleRef m, enum heddle_op op);
LLVMTypeRef op_result(LLVMContextRef c, enum heddle_op op);
// A call where the builder stands: with the result that the table has, or with one of this type.
LLVMValueRef op_build(LLVMBuilderRef b, enum heddle_op op, LLVMValueRef *args, unsigned n);
LLVMValueRef op_build_thread(LLVMBuilderRef b);         // the thread's number in its block
void op_insert(enum heddle_op op, LLVMValueRef before); // without operands
LLVMValueRef op_build_typed(LLVMBuilderRef b, enum heddle_op op, const char *suffix, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned n);

// heddle.prefetch(address, how): asks for memory.
enum {
    PREFETCH_FAR = 2,   // in the second cache
    PREFETCH_NEAR = 3,  // in the first
    PREFETCH_WRITE = 4, // to be written, whole: also the last lane's line where lanes lie side by side
};
void prefetch_emit(LLVMBuilderRef b, LLVMValueRef address, unsigned how);
#endif
