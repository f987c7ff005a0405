// SPDX-License-Identifier: Apache-2.0
// The addresses of all exported functions, from the table; without cuda.h, since only addresses are wanted.
#include "driver/entry/proc.h"

#define PLAIN(name, suffix)            extern int name##suffix(void);
#define PAIR(name, suffix, variant)    PLAIN(name, suffix) PLAIN(name, suffix##variant)
#define API(name, suffix, ...)         PLAIN(name, suffix)
#define API_PTSZ(name, suffix, ...)    PAIR(name, suffix, _ptsz)
#define API_PTDS(name, suffix, ...)    PAIR(name, suffix, _ptds)
#define API_PTSZ_EX(name, suffix, ...) PAIR(name, suffix, _ptsz)
#define REFUSED                        API
#define REFUSED_PTSZ                   API_PTSZ
#define REFUSED_PTDS                   API_PTDS
#define MISSING(name, suffix)
#include "driver/api.def"
#undef PLAIN
#undef PAIR
#undef API
#undef API_PTSZ
#undef API_PTDS
#undef API_PTSZ_EX

#define PAIR(name, suffix, variant, since)    {#name, since, (void *)name##suffix, (void *)name##suffix##variant},
#define API(name, suffix, since, ...)         PAIR(name, suffix, , since)
#define API_PTSZ(name, suffix, since, ...)    PAIR(name, suffix, _ptsz, since)
#define API_PTDS(name, suffix, since, ...)    PAIR(name, suffix, _ptds, since)
#define API_PTSZ_EX(name, suffix, since, ...) PAIR(name, suffix, _ptsz, since)
const struct proc_row proc_rows[] = {
#include "driver/api.def"
};
const unsigned proc_count = sizeof proc_rows / sizeof *proc_rows;
