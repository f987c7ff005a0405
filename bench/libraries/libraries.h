// SPDX-License-Identifier: Apache-2.0
// The bench of the libraries: calls of cuBLAS, cuFFT, cuSPARSE and cuSOLVER on Heddle against what does the same on a CPU. Ours run in this
// process, the others in one of their own (peer.c), since OpenBLAS in our process would be the one that our library calls. All run by
// turns on the same cores.
#ifndef HEDDLE_BENCH_LIBRARIES_H
#define HEDDLE_BENCH_LIBRARIES_H
#include <stdbool.h>
#include <stddef.h>

enum { FORMS = 3, SAMPLES = 512 }; // forms[0] is ours

struct row {
    char name[40];
    const struct topic *topic;
    char type;    // S or D
    int n, count; // what they mean is the topic's
    int kind;
};

// One way to compute a row. open makes the data and whatever is made once: NULL where there is no such library.
struct form {
    const char *name;
    double most; // goal: the time of ours over its own
    void *(*open)(const struct row *r);
    void (*run)(void *state);
    void (*wait)(void *state);                // NULL: run waits itself
    void (*sample)(void *state, double *out); // SAMPLES numbers of the result, which all forms agree on
    void (*quiet)(void *state); // ends threads that would spin on cores where others are timed; may be NULL
    void (*close)(void *state);
};

struct topic {
    const char *name;
    double tolerance; // of samples, times that of the type
    struct form forms[FORMS];
    int count; // of rows
    void (*row)(int index, struct row *out);
};
extern const struct topic topic_gemm, topic_batched, topic_fft, topic_sparse, topic_solver;

int bench_threads(void);
// Seconds a call, of so many; one call before them does not count.
double form_measure(const struct form *f, void *state, int times);

// ---- peer.c: forms of the other process
void peer_start(void); // before anything else, since it forks
bool peer_open(const struct row *r, int form);
double peer_measure(int form, int times);
void peer_sample(int form, double *out);
void peer_close(void);

// ---- data.c
struct data { // memory of n numbers, the device's or the process's
    void *at;
    size_t n;
    char type;
    bool device;
};
bool data_make(struct data *d, bool device, char type, size_t n, unsigned seed); // between -1 and 1; seed 0: zeros
void data_fill(const struct data *d, const double *from);
void data_sample(const struct data *d, double *out);
void data_free(struct data *d);

// ---- OpenBLAS, in the peer's process: told to use the threads of the run; NULL: it is not there, or has no such function
void *openblas_function(const char *name);
void openblas_quiet(void *state);

// ---- handover.cu
double handover_seconds(int pairs); // of one kernel and one call of cuBLAS behind it, in a chain of them
extern double fft_plan_most;        // seconds: the longest time that cufftPlan took
#endif
