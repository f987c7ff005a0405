// Work that nobody waits for, done one piece after the other by a thread of its own, which sleeps when there is none.
#ifndef HEDDLE_JIT_LATER_H
#define HEDDLE_JIT_LATER_H
#include <stdbool.h>

// work(data) will be called, unless the owner is forgotten or the process ends before; false: there is no thread to do it.
bool later_add(void *owner, void (*work)(void *data), void *data);
// What the owner has asked for is not begun any more. Returns when what is under way has ended.
void later_forget(void *owner);
// The work has opened a library: the end of the process waits for what is under way before it destroys what the library holds.
void later_guard(void);
// Called by every thread of the program when it first comes here: the end of the main thread, too, waits for what is under way,
// and a forked child ends without it.
void later_watch(void);
// Between the two, this thread holds locks of a library: a fork waits for the second.
void later_hold(void);
void later_release(void);
#endif
