// SPDX-License-Identifier: Apache-2.0
// Random programs as text, in parts that can be left out.
//
// A generator draws from one sequence and appends to a text. Each part that a smaller program could do without (a
// statement, an expression) is a unit: its number, and which units it holds, follow from the seed alone. A unit that is
// dropped is generated all the same, so that the sequence stays in step, and then taken back from the text; a
// replacement may stand for it. So a reducer needs no tree: it looks for a large set of units to drop.
#ifndef HEDDLE_FUZZ_GEN_H
#define HEDDLE_FUZZ_GEN_H
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct gen_span {
    unsigned first, end; // the units first ... end - 1: a unit and those within it
};

struct gen {
    uint64_t rng;
    struct str s;
    unsigned units;
    const bool *drop; // which units are left out, by number; NULL: none
    unsigned drop_n;
    struct gen_span *spans; // of every unit that was closed
    unsigned spans_n, spans_cap;
};

struct gen_unit {
    unsigned id;
    size_t at;
};

uint64_t gen_next(struct gen *g);
unsigned gen_below(struct gen *g, unsigned n); // 0 ... n - 1
bool gen_chance(struct gen *g, unsigned percent);
struct gen_unit gen_open(struct gen *g);
// Closes a unit. Returns whether it stays; a dropped one's text is replaced.
bool gen_close(struct gen *g, struct gen_unit u, const char *replacement);
void gen_reset(struct gen *g, uint64_t seed);
void gen_free(struct gen *g);

// A CUDA source with one kernel for each seed; compiles with cu_runtime.h beside it. Units are numbered through all
// kernels, so a reducer gives one seed only.
void gen_cu(struct gen *g, const uint64_t *seeds, unsigned n);
// The same with loops_runtime.h: kernels that walk through memory.
void gen_loops(struct gen *g, const uint64_t *seeds, unsigned n);
#endif
