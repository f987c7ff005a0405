// SPDX-License-Identifier: Apache-2.0
// ncu: the parts of the program. docs/ncu.md tells what it counts and what is different from NVIDIA's.
#ifndef HEDDLE_NCU_NCU_H
#define HEDDLE_NCU_NCU_H
#include "base/str.h"
#include "base/vec.h"
#include "jit/abi/count.h"
#include <stdint.h>
#include <stdio.h>

// ---- option.c
enum option {
#define OPT(id, ...) OPTION_##id,
#define HEADING(text)
#include "ncu/option.def"
    OPTION_COUNT
};
extern const char *option_value[OPTION_COUNT];
bool option_given(enum option o);
bool option_is(enum option o, const char *value);
// Index of the program among the arguments, argc without one; below 0: an error was told.
int option_parse(int argc, char **argv);
void option_help(void);
void option_settings(struct str *out, bool wanted, const char *folder); // for a process

// ---- launch.c: one launch, as its process has written it
struct insn {
    const char *function, *class, *op, *pipe, *text;
    uint32_t ptx_line, file, line, per_thread, products, bytes; // products: operations of a matrix product, by a warp
    bool guarded;
    uint64_t warps, threads; // of its basic block
    uint64_t field[COUNT_FIELDS];
};
struct launch {
    char *data; // what the texts lie in
    size_t size;
    unsigned id;
    const char *kernel;
    char *name; // as the source has it
    long process;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t stream, context, device; // a stream of 0: it was launched by a kernel
    uint32_t shared_static, shared_dynamic, shared_reserved, registers, local_bytes;
    int limit[4]; // of blocks on a multiprocessor: blocks, warps, registers, shared memory
    uint32_t sms, sm_warps, capability;
    bool native;                                       // a library's own kernel, of which nothing is counted
    uint64_t l1_sectors, l1_hits, l2_sectors, l2_hits; // of the model of caches
    struct VEC(struct insn) insns;
    struct VEC(const char *) files; // by number; NULL: none
    char *copy;                     // data before it was taken apart, for files of reports
};
struct launch *launch_read(const char *data, size_t size, unsigned id); // NULL: it is none
void launch_free(struct launch *l);
static inline double launch_blocks(const struct launch *l)
{
    return (double)l->grid[0] * l->grid[1] * l->grid[2];
}
static inline uint32_t launch_threads(const struct launch *l) // of a block
{
    return l->block[0] * l->block[1] * l->block[2];
}
static inline uint64_t insn_on(const struct insn *i) // threads for which it did something
{
    return i->guarded ? i->field[COUNT_GUARD_THREADS] : i->threads;
}
static inline uint64_t insn_warps_on(const struct insn *i) // warps for which it did something
{
    return i->guarded ? i->field[COUNT_GUARD_WARPS] : i->warps;
}

// ---- metric.c
enum metric_form { FORM_COUNT, FORM_REAL, FORM_TEXT };
struct metric {
    const char *name, *unit, *about;
    enum metric_form form;
    double (*value)(const struct launch *l);
};
extern const struct metric metrics[];
extern const size_t metric_count;
const struct metric *metric_find(const char *name);
extern const char native_note[]; // what is said of a native kernel
// "n/a" of a native kernel, but for what is known of it.
bool metric_known(const struct metric *m, const struct launch *l);
void metric_text(const struct metric *m, const struct launch *l, char *out, size_t size);
void number_text(double x, bool whole, char *out, size_t size); // with commas
// Several that others stand on.
double metric_value(const struct launch *l, const char *name);

// ---- section.c
struct row {
    const char *section, *label;
    const struct metric *metric;
    const char *unit;
};
struct rows VEC(struct row);
// The metrics that the command line asks for; false with a message.
bool rows_choose(struct rows *out);
void sections_list(void);

// ---- print.c, source.c, html.c
struct launches VEC(struct launch *);
void print_launches(const struct launches *all, const struct rows *rows);
void print_sources(const struct launches *all);
bool html_write(const char *path, const struct launches *all, const struct rows *rows);

// One line of the source, or of the PTX, with what was counted there.
struct source_line {
    const char *file; // NULL: PTX
    uint32_t line;
    const char *text; // or NULL
    double warps, threads, on, divergent, requests, sectors, ideal, wavefronts, wavefronts_ideal, local;
};
struct source_lines VEC(struct source_line);
void source_lines_of(const struct launch *l, bool ptx, struct source_lines *out);
char *source_text(const char *file, uint32_t line); // from malloc; NULL: it cannot be read

// ---- report.c: files of --export
bool report_write(const char *path, const struct launches *all);
bool report_read(const char *path, struct launches *all);
#endif
