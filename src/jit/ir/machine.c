// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/machine.h"
#include "base/os.h"
#include "base/cpu/processor.h"
#include "base/str.h"
#include <string.h>

static const struct kind {
    enum architecture architecture;
    const char *names, *needs, *about;
} kinds[] = {
#define MACHINE(architecture, id, names, needs, about) {ARCHITECTURE_##architecture, names, needs, about},
#define FIGURE(name, unit, x86, arm, about, source)
#include "jit/ir/machine.def"
};

enum kind_id {
#define MACHINE(architecture, id, names, needs, about) KIND_##id,
#define FIGURE(name, unit, x86, arm, about, source)
#include "jit/ir/machine.def"
    KINDS
};

#define LIST(...) __VA_ARGS__
static const unsigned short figures[FIGURE_COUNT][KINDS] = {
#define MACHINE(architecture, id, names, needs, about)
#define FIGURE(name, unit, x86, arm, about, source) {LIST x86, LIST arm},
#include "jit/ir/machine.def"
};

#ifdef __aarch64__
static enum kind_id chosen = KIND_NEON;
#else
static enum kind_id chosen = KIND_SSE;
#endif
static unsigned told[FIGURE_COUNT]; // by the system, or measured; 0: not

// Whether one of the words of a text fits.
static bool any_word(const char *text, bool (*fits)(const char *word, size_t n, const char *in), const char *in)
{
    for (size_t n; *text; text += n) {
        text += strspn(text, " ");
        n = strcspn(text, " ");
        if (n && fits(text, n, in))
            return true;
    }
    return false;
}

static bool begins(const char *word, size_t n, const char *cpu)
{
    return !strncmp(cpu, word, n);
}

static bool is_missing(const char *word, size_t n, const char *features)
{
    char name[32];
    if (n >= sizeof name)
        return true;
    memcpy(name, word, n);
    name[n] = 0;
    return !str_list_has(features, name);
}

void machine_choose(enum architecture architecture, const char *cpu, const char *features, bool here)
{
    memset(told, 0, sizeof told);
    for (unsigned i = KINDS; i--;) // the last one seen is the first that fits
        if (kinds[i].architecture == architecture && (!*kinds[i].names || any_word(kinds[i].names, begins, cpu)) &&
            !any_word(kinds[i].needs, is_missing, features))
            chosen = i;
    if (!here)
        return;
    struct os_cache first = os_cache(1), second = os_cache(2);
    told[FIGURE_L1] = (unsigned)(first.bytes >> 10);
    told[FIGURE_WAYS] = first.ways;
    told[FIGURE_L2] = (unsigned)(second.bytes >> 10);
    told[FIGURE_GATHER] = figures[FIGURE_LANE_LOAD][chosen] * processor_gather_cost() / 100;
}

unsigned machine_figure(enum figure f)
{
    return told[f] ? told[f] : figures[f][chosen];
}

const char *machine_about(void)
{
    return kinds[chosen].about;
}
