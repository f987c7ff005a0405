// SPDX-License-Identifier: Apache-2.0
// One thread of the process waits for file descriptors. A watch is armed, fires once, and is then to be armed again.
#ifndef HEDDLE_NCCL_WATCH_H
#define HEDDLE_NCCL_WATCH_H
#include <stdbool.h>

struct watch;
// ready(data, events of poll) is called on that thread, or not at all once watch_remove has returned. NULL: it cannot be.
struct watch *watch_add(int fd, void (*ready)(void *data, unsigned events), void *data);
void watch_arm(struct watch *w, unsigned events);
void watch_remove(struct watch *w);
#endif
