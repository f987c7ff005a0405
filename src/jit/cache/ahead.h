// SPDX-License-Identifier: Apache-2.0
// Kernels that are compiled before anybody asks for them. A program whose first kernel must be compiled has, most often, others that
// must be too, and is launched with blocks of one shape: while the thread that launches compiles the one, an idle core compiles the next.
//
//  1. A core that the program needs is not used: a piece is begun only while a launch waits for the compiler, when nothing of its stream can
//     run, and only if the system says that a core is idle.
//  2. Few are compiled in vain: AHEAD_FIRST of a module at first, and AHEAD_MORE for each that was asked for then.
//  3. Nothing is compiled twice: what is being made is in a list, and who asks for it waits for that one.
//  4. No result changes: what is made is what the launch itself would make, from the same text with the same options, by the same call.
#ifndef HEDDLE_JIT_CACHE_AHEAD_H
#define HEDDLE_JIT_CACHE_AHEAD_H
#include "jit/jit.h"

enum { AHEAD_FIRST = 2, AHEAD_MORE = 2 };

// A launch waits while this kernel is compiled: others of its module may be, until the end.
void ahead_begin(struct jit_module *jm, const struct ptx_func *kernel, const struct jit_options *o);
void ahead_end(void);

// What a thread is making.
struct making {
    const struct jit_module *module; // only to be compared
    uint32_t kernel;                 // index
    struct jit_options options;
    struct making *next;
};
bool making_begin(struct making *m); // false: another thread is making it
void making_wait(const struct making *m);
void making_end(struct making *m);
#endif
