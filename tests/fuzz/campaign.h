// SPDX-License-Identifier: Apache-2.0
// A fuzzing campaign: batches of random programs, each run in configurations that are drawn at random, and what fails
// reduced to a small program. A kind of program says how a batch is made and run.
#ifndef HEDDLE_FUZZ_CAMPAIGN_H
#define HEDDLE_FUZZ_CAMPAIGN_H
#include "gen.h"

enum { SETTINGS = 8, CHOICES = 5 };

// Environment variables of one run, "NAME=value".
struct config {
    char set[SETTINGS + 3][96];
    unsigned n;
    unsigned char choice[SETTINGS]; // which of each setting's values
    bool warm;                      // a cache folder that the first of two runs fills
};

struct campaign {
    const char *sdk, *runtime, *out,
        *work;        // folders: the toolkit, cu_runtime.h's, of what failed, of this worker's files
    const char *nvcc; // another compiler for kinds cu and loops, NVIDIA's: the programs run where its runtime runs them
    const char *emulator;    // starts nvcc and what it compiled, where the kernel does not; NULL: the kernel
    unsigned first, configs; // the batch to begin with; configurations of each
    const char *settings;    // of every run, "NAME=value NAME=value"; NULL: drawn
    double reduce;           // seconds at most to make one program smaller
    uint64_t only;           // one program's own seed; 0: those of the campaign
};

// Runs a program with these settings for at most so many seconds of processor time; its output goes to `text`. Returns its exit status, 128 + signal, or TIMED_OUT.
enum { TIMED_OUT = 1000, EMULATED = 10 }; // EMULATED: times as long in an emulator
int run_program(const char *const *argv, const struct config *c, unsigned seconds, struct str *text);
// Compiles this text as `name`.cu in folder `work`.
bool compile_made(const struct campaign *c, const char *name, const char *source, struct str *text);
// Runs programs first ... n - 1 of `name` in folder `work`, which that made. An emulator gets more time.
int run_made(const struct campaign *c, const char *name, unsigned first, unsigned n, const struct config *config,
             unsigned seconds, struct str *text);
// run_program for a function in a child process.
int run_function(int (*f)(void *), void *argument, const struct config *c, unsigned seconds, struct str *text);

struct kind {
    const char *name;
    unsigned batch; // programs a batch
    // Makes the programs of these seeds, with the units of g->drop left out, in folder `work`; g->s is their text.
    // False: it cannot be made; `text` says why.
    bool (*make)(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text);
    // Runs programs first ... n - 1 of what was made. It prints "#i" before each, and "NAME: ..." where one is not right.
    int (*run)(const struct campaign *c, unsigned first, unsigned n, const struct config *config, struct str *text);
    const char *extension;
    bool (*here)(const struct campaign *c); // NULL: always; else whether what it needs is installed
};
extern const struct kind kind_cu, kind_loops, kind_ptx, kind_csmith;
#endif
