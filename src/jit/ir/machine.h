// SPDX-License-Identifier: Apache-2.0
// The machine that code is made for, by figures (machine.def). Features say what may be done; figures say what it costs. Whoever makes
// a target machine (host/target.c) chooses it before anything asks; until then it is the least of its architecture.
#ifndef HEDDLE_JIT_MACHINE_H
#define HEDDLE_JIT_MACHINE_H
#include <stdbool.h>

enum figure {
#define MACHINE(architecture, id, names, needs, about)
#define FIGURE(name, unit, x86, arm, about, source) FIGURE_##name,
#include "jit/ir/machine.def"
    FIGURE_COUNT
};

enum architecture { ARCHITECTURE_X86, ARCHITECTURE_ARM };

// By LLVM's name for a processor and its features, with a '+' each and commas between. here: it is the one at hand, whose caches the system
// tells and whose gathers are measured. What one that HEDDLE_CPU names is like does not depend on where the code is made.
void machine_choose(enum architecture architecture, const char *cpu, const char *features, bool here);
unsigned machine_figure(enum figure f);
// So many hundredths of a cache, in bytes.
static inline unsigned machine_part(enum figure cache, unsigned hundredths)
{
    return machine_figure(cache) * 1024 * hundredths / 100;
}
const char *machine_about(void);
#endif
