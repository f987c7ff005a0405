// SPDX-License-Identifier: Apache-2.0
// The other process: it opens, runs and times the forms that are not ours, one request after the other.
#include "libraries.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

enum what { OPEN, MEASURE, SAMPLE, CLOSE };
struct request {
    enum what what;
    int form, times;
    struct row row;
};
struct answer {
    double numbers[SAMPLES]; // the first one of a measurement
    bool good;
};
static int to_peer[2], from_peer[2];

static void transfer(ssize_t (*f)(int, void *, size_t), int fd, void *p, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t n = f(fd, (char *)p + done, bytes - done);
        if (n <= 0)
            _exit(1); // the other end is gone
        done += (size_t)n;
    }
}

static ssize_t put(int fd, void *p, size_t bytes)
{
    return write(fd, p, bytes);
}

static void serve(void)
{
    void *states[FORMS] = {0};
    const struct topic *topic = NULL;
    for (;;) {
        struct request q;
        struct answer a = {.good = true};
        transfer(read, to_peer[0], &q, sizeof q);
        topic = q.what == OPEN ? q.row.topic : topic;
        const struct form *f = &topic->forms[q.form];
        if (q.what == OPEN) {
            a.good = (states[q.form] = f->open(&q.row)) != NULL;
        } else if (q.what == MEASURE) {
            a.numbers[0] = form_measure(f, states[q.form], q.times);
        } else if (q.what == SAMPLE) {
            f->sample(states[q.form], a.numbers);
        } else {
            for (int i = 0; i < FORMS; i++) {
                if (states[i])
                    topic->forms[i].close(states[i]);
                states[i] = NULL;
            }
        }
        transfer(put, from_peer[1], &a, sizeof a);
    }
}

void peer_start(void)
{
    if (pipe(to_peer) || pipe(from_peer)) {
        perror("pipe");
        exit(1);
    }
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(1);
    }
    if (!child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve();
    }
}

static struct answer ask(struct request q)
{
    struct answer a;
    transfer(put, to_peer[1], &q, sizeof q);
    transfer(read, from_peer[0], &a, sizeof a);
    return a;
}

bool peer_open(const struct row *r, int form)
{
    return ask((struct request){.what = OPEN, .form = form, .row = *r}).good;
}

double peer_measure(int form, int times)
{
    return ask((struct request){.what = MEASURE, .form = form, .times = times}).numbers[0];
}

void peer_sample(int form, double *out)
{
    struct answer a = ask((struct request){.what = SAMPLE, .form = form});
    for (int i = 0; i < SAMPLES; i++)
        out[i] = a.numbers[i];
}

void peer_close(void)
{
    ask((struct request){.what = CLOSE});
}

// ---- OpenBLAS
static void *openblas(void)
{
    static void *library;
    static bool tried;
    if (!tried) {
        static const char *const names[] = {"/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
                                            "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0",
                                            "libopenblas.so.0"};
        tried = true;
        for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
            library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        void (*threads)(int) = library ? (void (*)(int))dlsym(library, "openblas_set_num_threads") : NULL;
        if (threads)
            threads(bench_threads());
    }
    return library;
}

void *openblas_function(const char *name)
{
    return openblas() ? dlsym(openblas(), name) : NULL;
}

void openblas_quiet(void *state)
{
    (void)state;
    void (*end)(void) = (void (*)(void))openblas_function("blas_thread_shutdown_");
    if (end && bench_threads() > 1)
        end(); // they start again with the next call
}
