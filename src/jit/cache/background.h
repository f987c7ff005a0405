// SPDX-License-Identifier: Apache-2.0
// Work that nobody waits for, done one piece after the other by a thread of its own, which sleeps when there is none.
#ifndef HEDDLE_JIT_BACKGROUND_H
#define HEDDLE_JIT_BACKGROUND_H
#include <stdbool.h>

// work(data) will be called, unless the owner is forgotten or the process ends before; false: there is no thread to do it.
bool background_add(void *owner, void (*work)(void *data), void *data);
// What the owner has asked for is not begun any more. Returns when what is under way has ended.
void background_forget(void *owner);
#endif
