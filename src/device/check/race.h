// SPDX-License-Identifier: Apache-2.0
// Hazards that racecheck has found, by the two places of each (hazard.c).
#ifndef HEDDLE_DEVICE_CHECK_RACE_H
#define HEDDLE_DEVICE_CHECK_RACE_H
#include "device/check/report.h"

enum race_kind { RACE_RAW, RACE_WAR, RACE_WAW };
struct race_hazard {
    enum race_kind kind;
    uint32_t address;          // in the block's shared memory
    uint32_t pc[2], thread[2]; // of the earlier access, and of the later
    uint16_t site[2];          // the instruction, of which there may be several copies
    bool in_warp;              // both threads are of one warp
};
void race_note(struct check_launch *c, const struct jit_block *b, const struct race_hazard *h);
// The launch is over: its hazards are told.
void race_tell(struct check_launch *c);
#endif
