// SPDX-License-Identifier: Apache-2.0
// From quick code to optimised code: beside the program's threads while it runs, and after its end (todo.h).
#ifndef HEDDLE_JIT_CACHE_UPGRADE_H
#define HEDDLE_JIT_CACHE_UPGRADE_H

struct jit_module;
// There is quick code: what it has run for is looked at when the process ends.
void upgrade_watch(void);
// The module goes, and its code: what should be optimised is left to be done later. Nothing that is under way touches them.
void upgrade_forget(struct jit_module *jm);
// `heddle cache finish`: does what programs have left. Returns how many pieces, or -1: another process does it.
int upgrade_finish(void);
#endif
