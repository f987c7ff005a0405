// SPDX-License-Identifier: Apache-2.0
// Accesses like one that the instruction has had before: the same lanes, at the same distances from the first one's address, with the same phase,
// which is that address below a power of two. What an access takes (memory.c) is a function of these alone, so that it is looked up:
//
// 1. Sectors, segments and lines are parts of memory of 32 to 128 bytes, and 1.0's aligned segments of up to 256 where a thread moves 16. With the phase
//    below 256 an access is another one moved by a multiple of 256 bytes, which maps such parts to such parts, one to one, and names as many.
//    The sectors themselves are those of the other one, moved as far.
// 2. Banks are words modulo 32, or 16. With the phase below 4 an access is another one moved by c words, which takes the words of each bank to
//    the bank c further on, one to one: as many words in the fullest bank. Which lanes have one address does not change.
#include "base/xmalloc.h"
#include "device/count/count.h"
#include <stdlib.h>

enum { ENTRIES = 8 };
struct count_likes {
    struct count_like entry[ENTRIES];
};

// Addresses of other lanes are not there.
static bool same_steps(const struct count_like *e, const uint64_t *address, uint32_t lanes)
{
    uint64_t base = address[__builtin_ctz(lanes)], differs = 0;
    if (lanes == UINT32_MAX) {
        for (unsigned l = 0; l < 32; l++)
            differs |= (address[l] - base) ^ e->step[l];
        return !differs;
    }
    FOR_LANES(lanes, l)
    differs |= (address[l] - base) ^ e->step[l];
    return !differs;
}

static unsigned entry_of(uint32_t lanes, uint32_t phase)
{
    return ((lanes ^ phase * 0x8001u) * 0x9e3779b9u) >> 29;
}

struct count_like *count_like_of(struct count_blocks *s, const struct count_access *a, uint32_t lanes, uint32_t phase,
                                 bool *known)
{
    if (!s->like) {
        s->nlike = s->plan->insns.len;
        s->like = xcalloc(s->nlike + 1, sizeof *s->like);
    }
    struct count_likes **all = &s->like[a->insn];
    if (!*all)
        *all = xcalloc(1, sizeof **all);
    struct count_like *e = &(*all)->entry[entry_of(lanes, phase)];
    *known = e->lanes == lanes && e->phase == phase && same_steps(e, a->address, lanes);
    if (*known)
        return e;
    uint64_t base = a->address[__builtin_ctz(lanes)];
    *e = (struct count_like){.lanes = lanes, .phase = phase};
    FOR_LANES(lanes, l)
    e->step[l] = a->address[l] - base;
    return e;
}

void count_likes_drop(struct count_blocks *s)
{
    for (size_t i = 0; s->like && i < s->nlike; i++)
        free(s->like[i]);
    free(s->like);
    s->like = NULL;
}
