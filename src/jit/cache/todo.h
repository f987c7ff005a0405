// SPDX-License-Identifier: Apache-2.0
// What programs have left to be compiled when they ended: a file for each piece in the folder `todo` of the disk cache, which one process
// at a time works off (todo_run: `heddle cache finish`). Programs start one when they end (todo_start).
//
//  1. Nobody waits: a program that ends writes what it leaves, starts the process and is gone, within a millisecond.
//  2. No result changes: the piece is named by the key under which the code will stand in the cache, which holds the text, the kernel, the
//     options, the processor and the compiler. The process computes that key for what it read, and compiles nothing if it is another.
//     The next program finds the code as if an earlier one had compiled it.
//  3. There is one process for each cache: it keeps a lock while it works, and a second one ends at once. It takes what is added
//     meanwhile. It is limited in memory and time, has the lowest priority and no open file of the program's (base/process/detach.h).
//  4. A piece is taken away before it is begun: one that brings the process down is not begun again by the next.
//  5. No more than the user's own is read, as of all in the cache (docs/security.md); set-user-ID programs start nothing.
#ifndef HEDDLE_JIT_CACHE_TODO_H
#define HEDDLE_JIT_CACHE_TODO_H
#include "base/hash.h"
#include "jit/jit.h"

struct todo {
    struct hash128 key;      // of the code that is to be made
    struct hash128 text_key; // of the module's text, as the key has it
    const char *kernel, *text;
    size_t text_size;
    struct jit_options options;
};

// Whether programs may leave work: there is a cache, nobody has forbidden it, and no tool watches this process.
bool todo_allowed(void);
bool todo_add(const struct todo *t); // false: it cannot be written, or too much is left already
// Whether a process is at work on it, or will be.
bool todo_expected(const struct hash128 *key);
bool todo_start(void); // false: there is no program to be started
// Calls make() for each piece until there are none. Returns how many, or -1: another process does it.
int todo_run(void (*make)(const struct todo *t));
unsigned todo_count(bool clear); // pieces that are left; and removes them
#endif
