// SPDX-License-Identifier: Apache-2.0
// HEDDLE_REMARKS=name: what a pass says of its work, one line each on stderr. Where it fired, or why it did not, as far as whoever wrote
// the kernel could do something about it. Nothing is formatted unless it was asked for.
#ifndef HEDDLE_JIT_IR_REMARK_H
#define HEDDLE_JIT_IR_REMARK_H
#include <llvm-c/Core.h>
#include <stdbool.h>

extern _Thread_local bool remark_asked; // of the pass that runs

// `where`: an instruction, a basic block as a value, or a function; NULL: the kernel as a whole. The line names the kernel, the function
// where it is another one, the block, and the line of the source where it is known.
#define remark(where, ...) (remark_asked ? remark_write(where, __VA_ARGS__) : (void)0)
// The same for a function that returns this.
#define remark_return(value, where, ...) (remark(where, __VA_ARGS__), value)
void remark_write(LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The runner, around each pass. by_all: 'all' asks for it too.
void remark_begin(const char *pass, const char *kernel, bool by_all);
void remark_end(void);

// Where lines go in place of stderr; NULL: there. For tests.
extern void (*remark_sink)(const char *line);
#endif
