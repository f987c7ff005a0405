// SPDX-License-Identifier: Apache-2.0
// Work that nobody waits for, done one piece after the other by a thread of its own, which sleeps when there is none. There is one for each
// lane.
#ifndef HEDDLE_JIT_BACKGROUND_H
#define HEDDLE_JIT_BACKGROUND_H
#include <stdbool.h>
#include <stdint.h>

enum background_lane { LANE_UPGRADE, LANE_AHEAD, LANES };

// work(data) will be called, unless the owner is forgotten or the process ends before; then over(data, wanted), once in any case,
// where nobody can forget the owner meanwhile. It must touch nothing of the owner's unless it is wanted. `expected_ns`: how long the work
// may take. False: there is no thread to do it, and nothing is called.
bool background_add(enum background_lane lane, void *owner, void (*work)(void *data),
                    void (*over)(void *data, bool wanted), void *data, uint64_t expected_ns);
// What the owner has asked for is not begun any more, and what is under way is not wanted any more. Does not wait for it.
void background_forget(void *owner);
// The process ends: nothing is begun any more. Waits for the upgrade that is under way if it is expected to be over within this time.
void background_end(unsigned ms);
#endif
