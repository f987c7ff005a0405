// SPDX-License-Identifier: Apache-2.0
// The functions heddle.* of the dialect (docs/dialect.md): what kind of function each is, and calls of them.
#ifndef HEDDLE_JIT_DIALECT_H
#define HEDDLE_JIT_DIALECT_H
#include <llvm-c/Core.h>
#include <stdbool.h>

// Variants of collectives that shapes and emitters both know.
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote_mode { VOTE_BALLOT, VOTE_ANY, VOTE_ALL, VOTE_UNI };
enum redux_op { REDUX_ADD, REDUX_SMIN, REDUX_SMAX, REDUX_UMIN, REDUX_UMAX, REDUX_AND, REDUX_OR, REDUX_XOR };

// The heddle.* function of this name and type, declared on demand.
LLVMValueRef dialect_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type);
// Pure functions of a thread's place: rows "Where am I" of docs/dialect.md, heddle.args, heddle.shared, heddle.global.
bool dialect_is_index(LLVMValueRef v);
// Calls at which a thread waits for its block or cluster, and those at which it waits for its warp.
bool dialect_is_block_wait(LLVMValueRef v);
bool dialect_is_collective(LLVMValueRef v);
// For ir_made_of: calls whose result is the same in every block. What came through a frame slot is not told from others there.
bool dialect_is_fixed(LLVMValueRef call);

// heddle.prefetch(address, how): asks for memory.
enum {
    PREFETCH_FAR = 2,   // in the second cache
    PREFETCH_NEAR = 3,  // in the first
    PREFETCH_WRITE = 4, // to be written, whole: also the last lane's line where lanes lie side by side
};
void prefetch_emit(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef address, unsigned how);
#endif
