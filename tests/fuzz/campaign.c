// SPDX-License-Identifier: Apache-2.0
// fuzz MINUTES [--seed N] [--kind cu|loops|csmith|ptx] [--programs N] [--jobs N] [--configs N] [--settings LIST] [--first BATCH] [--keep FOLDER] [--reduce SECONDS] [--nvcc PROGRAM] [--emulator PROGRAM] [--emit N]: see campaign.h.
//
// Workers are processes; each takes every JOBS-th batch of the sequence that the seed gives, so that a campaign of a
// number of programs is the same whatever the number of workers. The parent shows one line of progress. Status 1:
// something failed; its reduced program, the configuration and the message are in the folder.
#include "campaign.h"
#include "base/xmalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct kind *const kinds[] = {&kind_cu, &kind_loops, &kind_ptx, &kind_csmith};
enum { KINDS = sizeof kinds / sizeof *kinds, BATCH_MAX = 64, REDUCE_MAX = 6 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---------------------------------------------------------------------------------------------------------- processes

// Limits are of processor time, so that a loaded machine makes nothing hang; threads that all wait are seen much later.
enum { WALL = 10 };
static int wait_for(pid_t child, int fd, unsigned seconds, struct str *text)
{
    double end = now() + seconds * WALL;
    char buffer[4096];
    for (bool open = true; open;) {
        double left = end - now();
        struct pollfd p = {fd, POLLIN, 0};
        int r = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (r < 0 && errno == EINTR)
            continue;
        if (r <= 0) {
            kill(-child, SIGKILL);
            waitpid(child, NULL, 0);
            close(fd);
            return TIMED_OUT;
        }
        ssize_t n = read(fd, buffer, sizeof buffer);
        open = n > 0;
        if (open && text && text->len < 1 << 20)
            str_append_n(text, buffer, (size_t)n);
    }
    close(fd);
    int status = 0;
    waitpid(child, &status, 0);
    kill(-child, SIGKILL); // what it may have left behind
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return TIMED_OUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static pid_t start(int *fd, const struct config *c, unsigned seconds)
{
    int ends[2];
    if (pipe(ends))
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        setpgid(0, 0);
        struct rlimit limit = {seconds, seconds + 1};
        setrlimit(RLIMIT_CPU, &limit);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        for (unsigned i = 0; c && i < c->n; i++) {
            char *value = strchr(c->set[i], '=');
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)(value - c->set[i]), c->set[i]);
            setenv(name, value + 1, 1);
        }
        return 0;
    }
    setpgid(child, child);
    close(ends[1]);
    *fd = ends[0];
    return child;
}

int run_program(const char *const *argv, const struct config *c, unsigned seconds, struct str *text)
{
    int fd;
    pid_t child = start(&fd, c, seconds);
    if (!child) {
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    return child < 0 ? 126 : wait_for(child, fd, seconds, text);
}

static bool write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    return f && (fputs(text, f), fclose(f) == 0);
}

bool compile_made(const struct campaign *c, const char *name, const char *source, struct str *text)
{
    char path[256], program[256], nvcc[512], include[512];
    snprintf(path, sizeof path, "%s/%s.cu", c->work, name);
    snprintf(program, sizeof program, "%s/%s", c->work, name);
    snprintf(nvcc, sizeof nvcc, c->nvcc ? "%s" : "%s/bin/nvcc", c->nvcc ? c->nvcc : c->sdk);
    snprintf(include, sizeof include, "-I%s", c->runtime);
    const char *argv[] = {c->emulator, nvcc,    "-arch=sm_90", "-fmad=false", "-w",    "-Xcompiler",
                          "-O0",       include, path,          "-o",          program, NULL};
    return write_file(path, source) && run_program(argv + !c->emulator, NULL, 300, text) == 0;
}

int run_made(const struct campaign *c, const char *name, unsigned first, unsigned n, const struct config *config,
             unsigned seconds, struct str *text)
{
    char program[256], from[16], to[16];
    snprintf(program, sizeof program, "%s/%s", c->work, name);
    snprintf(from, sizeof from, "%u", first);
    snprintf(to, sizeof to, "%u", n - 1);
    const char *argv[] = {c->emulator, program, from, to, NULL};
    return run_program(argv + !c->emulator, config, c->emulator ? seconds * EMULATED : seconds, text);
}

int run_function(int (*f)(void *), void *argument, const struct config *c, unsigned seconds, struct str *text)
{
    int fd;
    pid_t child = start(&fd, c, seconds);
    if (!child) {
        int r = f(argument);
        fflush(NULL);
        _exit(r);
    }
    return child < 0 ? 126 : wait_for(child, fd, seconds, text);
}

// ------------------------------------------------------------------------------------------------------ configurations

static bool cpu_has(const char *word)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[8192];
    bool has = false;
    while (f && !has && fgets(line, sizeof line, f))
        has = strstr(line, word) != NULL;
    if (f)
        fclose(f);
    return has;
}

// The settings, each with what it may be, how often, and what the processor must have for it. Older processors are drawn less
// often, since code without masks takes several times as long to compile.
static const struct setting {
    const char *name;
    struct {
        const char *value; // NULL: not set
        unsigned weight;
        const char *needs;
    } choice[CHOICES];
} settings[SETTINGS] = {
    {"HEDDLE_WIDTH", {{NULL, 2, ""}, {"1", 1, ""}, {"8", 1, ""}, {"16", 1, ""}, {"32", 1, ""}}},
#ifdef __aarch64__
    {"HEDDLE_CPU", {{NULL, 2, ""}, {"generic", 1, ""}, {"neoverse-n1", 1, ""}, {"neoverse-v1", 1, " sve"}}},
#else
    {"HEDDLE_CPU", {{NULL, 4, ""}, {"x86-64", 1, ""}, {"haswell", 2, " avx2"}, {"skylake-avx512", 3, " avx512bw"}}},
#endif
    {"HEDDLE_QUICK", {{"always", 1, ""}, {"never", 1, ""}}},
    {"HEDDLE_COMPAT", {{NULL, 14, ""}, {"0", 3, ""}, {"everywhere", 3, ""}}},
    {"HEDDLE_STRUCTURE", {{NULL, 6, ""}, {"dispatch", 1, ""}}},
    {"HEDDLE_THREADS", {{NULL, 1, ""}, {"1", 1, ""}}},
    {"HEDDLE_DUMP", {{NULL, 3, ""}, {"verify", 1, ""}}}, // after each pass of LLVM
    {"HEDDLE_CACHE", {{"0", 9, ""}, {"1", 1, ""}}},
};

static void set(struct config *c, const char *name, const char *value)
{
    if (snprintf(c->set[c->n++], sizeof c->set[0], "%s=%s", name, value) >= (int)sizeof c->set[0])
        abort();
}

// The optional passes, of which some are left out.
static const char *const optional_passes[] = {
#define PASS(name, function, when, optional, needs, about) (optional) ? #name : NULL,
#define LLVM_PASS(name, pipeline, when, about)
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS
};

static void draw_passes(struct gen *g, struct config *c)
{
    char list[sizeof c->set[0] - sizeof "HEDDLE_PASSES="] = "";
    for (unsigned i = 0; i < sizeof optional_passes / sizeof *optional_passes; i++) {
        size_t n = strlen(list);
        if (optional_passes[i] && gen_chance(g, 15) && n + strlen(optional_passes[i]) + 3 < sizeof list)
            sprintf(list + n, "%s-%s", n ? "," : "", optional_passes[i]);
    }
    if (*list)
        set(c, "HEDDLE_PASSES", list);
}

// What a report says, given back by --settings: "NAME=value NAME=value".
static void given_config(const char *text, struct config *c)
{
    while (*(text += strspn(text, " "))) {
        int length = (int)strcspn(text, " ");
        if (c->n == sizeof c->set / sizeof *c->set || length >= (int)sizeof c->set[0] ||
            !memchr(text, '=', (size_t)length)) {
            fprintf(stderr, "fuzz: --settings: NAME=value, no more than %zu\n", sizeof c->set / sizeof *c->set);
            exit(2);
        }
        memcpy(c->set[c->n++], text, (size_t)length);
        text += length;
    }
}

static void draw_config(struct gen *g, const struct campaign *campaign, struct config *c)
{
    *c = (struct config){0};
    if (campaign->settings) {
        given_config(campaign->settings, c);
        return;
    }
    set(c, "HEDDLE_DEVICE", "cpu");
    for (unsigned i = 0; i < SETTINGS; i++) {
        const struct setting *s = &settings[i];
        unsigned all = 0, k = 0;
        for (unsigned j = 0; j < CHOICES; j++)
            all += s->choice[j].weight;
        for (unsigned at = gen_below(g, all); at >= s->choice[k].weight; k++)
            at -= s->choice[k].weight;
        if (*s->choice[k].needs && !cpu_has(s->choice[k].needs))
            k = 0;
        c->choice[i] = (unsigned char)k;
        if (s->choice[k].value)
            set(c, s->name, s->choice[k].value);
    }
    if (gen_chance(g, 25))
        draw_passes(g, c);
    c->warm = c->choice[SETTINGS - 1] != 0;
    if (c->warm) {
        char folder[80];
        snprintf(folder, sizeof folder, "%.64s/cache", campaign->work);
        set(c, "HEDDLE_CACHE_DIR", folder);
    }
}

static void config_text(const struct config *c, struct str *s)
{
    for (unsigned i = 0; i < c->n; i++)
        str_printf(s, "%s%s", i ? " " : "", c->set[i]);
}

// ------------------------------------------------------------------------------------------------------------ failures

// What went wrong with one program: a line of its own, or how the process ended.
enum outcome { FINE, DIFFERS, ERROR, CRASHED, HUNG, UNMADE, INVALID, LEFT_OUT };
static const char *const outcome_name[] = {"fine", "differs",        "error",   "crashed",
                                           "hung", "cannot be made", "invalid", "left out"};

struct failure {
    enum outcome outcome;
    unsigned program;
    char message[512];
};

// Reads one run's output. Returns where to go on: the program after the one at which the run ended, or `n`.
static unsigned read_output(const char *text, int status, unsigned first, unsigned n, struct failure *list,
                            unsigned *count)
{
    unsigned at = first;
    bool done = false;
    const char *line = text;
    char last[256] = "";
    while (*line) {
        const char *end = strchrnul(line, '\n');
        int length = (int)(end - line);
        if (*line == '#') {
            at = (unsigned)atoi(line + 1);
        } else if (!strncmp(line, "done", 4)) {
            done = true;
        } else if (length) {
            snprintf(last, sizeof last, "%.*s", length > 250 ? 250 : length, line);
            bool differs = memmem(line, (size_t)length, ": differs", 9),
                 error = memmem(line, (size_t)length, ": error", 7),
                 invalid = memmem(line, (size_t)length, ": invalid", 9),
                 left_out = memmem(line, (size_t)length, ": left out", 10);
            if ((differs || error || invalid || left_out) && *count < BATCH_MAX) {
                struct failure *f = &list[(*count)++];
                f->outcome = differs ? DIFFERS : error ? ERROR : invalid ? INVALID : LEFT_OUT;
                f->program = at;
                snprintf(f->message, sizeof f->message, "%s", last);
                if (error)
                    return at + 1;
            }
        }
        line = *end ? end + 1 : end;
    }
    if (done || (status == 0 && n == first))
        return n;
    if (*count < BATCH_MAX) {
        struct failure *f = &list[(*count)++];
        f->outcome = status == TIMED_OUT ? HUNG : CRASHED;
        f->program = at;
        snprintf(f->message, sizeof f->message, "status %d: %s", status, last);
    }
    return at + 1;
}

static unsigned run_batch(const struct campaign *c, const struct kind *k, unsigned n, const struct config *config,
                          struct failure *list)
{
    unsigned count = 0;
    if (config->warm) {
        char command[512];
        snprintf(command, sizeof command, "rm -rf '%.200s/cache'", c->work);
        if (system(command))
            return 0;
    }
    for (int turn = 0; turn <= config->warm; turn++) {
        for (unsigned at = 0; at < n && count < BATCH_MAX;) {
            struct str text = {0};
            int status = k->run(c, at, n, config, &text);
            at = read_output(str_text(&text), status, at, n, list, &count);
            str_free(&text);
        }
    }
    return count;
}

// -------------------------------------------------------------------------------------------------------------- reducer

struct reduction {
    const struct campaign *c;
    const struct kind *k;
    uint64_t seed;
    const struct config *config;
    enum outcome outcome;
    struct gen *g;
    unsigned attempts;
    char message[512];
};

static bool still_fails(struct reduction *r, const bool *drop, unsigned n)
{
    r->attempts++;
    r->g->drop = drop;
    r->g->drop_n = n;
    struct str text = {0};
    bool made = r->k->make(r->c, r->g, &r->seed, 1, &text);
    if (!made && r->outcome == UNMADE)
        snprintf(r->message, sizeof r->message, "%s", str_text(&text));
    str_free(&text);
    if (!made || r->outcome == UNMADE)
        return !made && r->outcome == UNMADE;
    struct failure list[BATCH_MAX];
    unsigned count = run_batch(r->c, r->k, 1, r->config, list);
    bool same = count && list[0].outcome == r->outcome;
    if (same)
        snprintf(r->message, sizeof r->message, "%s", list[0].message);
    return same;
}

static int by_size(const void *a, const void *b)
{
    const struct gen_span *x = a, *y = b;
    unsigned nx = x->end - x->first, ny = y->end - y->first;
    return nx != ny ? (nx < ny) - (nx > ny) : (x->first > y->first) - (x->first < y->first);
}

// Drops units, the largest first, as long as the program fails in the same way; twice, since what goes late may let
// something else go.
static void reduce(struct reduction *r)
{
    unsigned n = r->g->units, spans_n = r->g->spans_n;
    bool *drop = xcalloc(n, sizeof *drop), *tried = xcalloc(n, sizeof *tried);
    struct gen_span *spans = xmalloc(spans_n * sizeof *spans);
    memcpy(spans, r->g->spans, spans_n * sizeof *spans);
    qsort(spans, spans_n, sizeof *spans, by_size);
    double end = now() + r->c->reduce;
    for (int turn = 0; turn < 2; turn++) {
        bool any = false;
        for (unsigned i = 0; i < spans_n && now() < end; i++) {
            bool gone = false;
            for (unsigned j = 0; j < spans_n && !gone; j++)
                gone = drop[spans[j].first] && spans[j].first <= spans[i].first && spans[i].end <= spans[j].end;
            if (gone)
                continue;
            drop[spans[i].first] = true;
            if (still_fails(r, drop, n))
                any = true;
            else
                drop[spans[i].first] = false;
        }
        if (!any)
            break;
    }
    still_fails(r, drop, n); // leaves the text and the message of the smallest
    r->g->drop = NULL;
    free(drop);
    free(tried);
    free(spans);
}

static void keep(const struct campaign *c, const struct kind *k, uint64_t seed, unsigned batch,
                 const struct config *config, const struct failure *f, unsigned *reduced)
{
    struct gen g = {0};
    struct reduction r = {c, k, seed, config, f->outcome, &g, 0, ""};
    struct config patient = *config;
    r.config = &patient;
    char path[512];
    struct str report = {0};
    bool again = still_fails(&r, NULL, 0);
    if (again && c->reduce > 0 && f->outcome != INVALID && (*reduced)++ < REDUCE_MAX)
        reduce(&r);
    snprintf(path, sizeof path, "%.300s/%s-%llx.%s", c->out, k->name, (unsigned long long)seed, k->extension);
    write_file(path, str_text(&g.s));
    str_printf(&report, "%s %s: ", k->name, outcome_name[f->outcome]);
    str_printf(&report, "%s\n", again ? r.message : f->message);
    config_text(config, &report);
    str_printf(&report, "\nseed %llx, program %u of batch %u, %u attempts to reduce%s\n", (unsigned long long)seed,
               f->program, batch, r.attempts, again ? "" : "; alone it does not fail");
    snprintf(path, sizeof path, "%.300s/%s-%llx.txt", c->out, k->name, (unsigned long long)seed);
    write_file(path, str_text(&report));
    str_free(&report);
    gen_free(&g);
}

// ------------------------------------------------------------------------------------------------------------- workers

// What one configuration of a batch came to; `programs` in the first one alone. What is left out is no run.
struct tally {
    unsigned programs, runs, left_out, failures;
    unsigned char choice[SETTINGS];
    char what[96];
};

static void tell(int to, const struct tally *t)
{
    if (write(to, t, sizeof *t) != sizeof *t)
        _exit(1);
}

static uint64_t seed_of(uint64_t seed, const struct kind *k, uint64_t program)
{
    struct gen g = {.rng = seed * 1000003u + (unsigned char)k->name[0] * 257u + (unsigned char)k->name[1]};
    g.rng = gen_next(&g) ^ program * 0x9e3779b97f4a7c15u;
    return gen_next(&g) >> 16; // 48 bits: short in names
}

static bool seen_before(struct failure *seen, unsigned *n, const struct failure *f)
{
    for (unsigned i = 0; i < *n; i++)
        if (seen[i].program == f->program)
            return true;
    if (*n < BATCH_MAX)
        seen[(*n)++] = *f;
    return false;
}

static void try_batch(const struct campaign *c, const struct kind *k, uint64_t seed, unsigned batch, unsigned n, int to)
{
    static unsigned reduced;
    uint64_t seeds[BATCH_MAX] = {0};
    struct gen g = {0}, draws = {0};
    struct str text = {0};
    struct tally t = {.programs = n};
    struct failure list[BATCH_MAX], seen[BATCH_MAX];
    unsigned seen_n = 0;
    for (unsigned i = 0; i < n; i++)
        seeds[i] = c->only ? c->only : seed_of(seed, k, (uint64_t)batch * k->batch + i);
    draws.rng = seeds[0] ^ 0x5eed;
    if (!k->make(c, &g, seeds, n, &text)) {
        // One of them; which?
        for (unsigned i = 0; i < n; i++) {
            struct failure f = {UNMADE, i, ""};
            if (n == 1 || !k->make(c, &g, &seeds[i], 1, &text)) {
                struct config none = {0};
                keep(c, k, seeds[i], batch, &none, &f, &reduced);
                t.failures++;
            }
        }
        snprintf(t.what, sizeof t.what, "cannot be made");
        tell(to, &t);
    } else {
        for (unsigned i = 0; i < c->configs; i++) {
            struct config config;
            draw_config(&draws, c, &config);
            unsigned count = run_batch(c, k, n, &config, list);
            memcpy(t.choice, config.choice, sizeof t.choice);
            uint64_t left_out = 0;
            for (unsigned j = 0; j < count; j++) {
                if (list[j].outcome == LEFT_OUT) {
                    t.left_out += !(left_out >> list[j].program & 1); // a warm cache has two runs of each
                    left_out |= UINT64_C(1) << list[j].program;
                    continue;
                }
                t.failures++;
                snprintf(t.what, sizeof t.what, "%.90s", list[j].message);
                if (!seen_before(seen, &seen_n, &list[j]))
                    keep(c, k, seeds[list[j].program], batch, &config, &list[j], &reduced);
            }
            t.runs = n - t.left_out;
            bool reduced_here = t.failures != 0;
            tell(to, &t);
            t = (struct tally){0};
            if (reduced_here && i + 1 < c->configs &&
                !k->make(c, &g, seeds, n, &text)) // reducing made others in its place
                break;
        }
    }
    str_free(&text);
    gen_free(&g);
}

static void worker(struct campaign c, const struct kind *k, uint64_t seed, unsigned self, unsigned jobs,
                   unsigned programs, double end, int to)
{
    char work[] = "/tmp/heddle-fuzz.XXXXXX";
    if (!mkdtemp(work) || chdir(work)) // csmith leaves a file where it runs
        _exit(1);
    c.work = work;
    for (unsigned b = self; now() < end && (!programs || b * k->batch < programs); b += jobs) {
        unsigned n = programs && programs - b * k->batch < k->batch ? programs - b * k->batch : k->batch;
        try_batch(&c, k, seed, c.first + b, n, to);
    }
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", work);
    _exit(system(command) != 0);
}

static unsigned campaign(const struct campaign *c, const struct kind *k, uint64_t seed, unsigned jobs,
                         unsigned programs, double minutes)
{
    int ends[2];
    double begin = now(), end = begin + minutes * 60;
    if (pipe(ends))
        return 1;
    for (unsigned i = 0; i < jobs; i++) {
        fflush(NULL);
        if (!fork()) {
            close(ends[0]);
            worker(*c, k, seed, i, jobs, programs, end, ends[1]);
        }
    }
    close(ends[1]);
    struct tally all = {0}, t;
    unsigned counts[SETTINGS][CHOICES] = {0};
    bool terminal = isatty(1);
    double shown = 0;
    while (read(ends[0], &t, sizeof t) == sizeof t) {
        all.programs += t.programs;
        all.runs += t.runs;
        all.left_out += t.left_out;
        all.failures += t.failures;
        for (unsigned i = 0; i < SETTINGS; i++)
            counts[i][t.choice[i]] += t.runs;
        if (t.failures)
            printf("%s%s: %s\n", terminal ? "\r\033[K" : "", k->name, t.what);
        if (terminal || now() - shown > 20) {
            shown = now();
            printf("%s%s: %u programs, %u runs, %u failures, %.1f programs a second%s", terminal ? "\r\033[K" : "",
                   k->name, all.programs, all.runs, all.failures, all.programs / (now() - begin), terminal ? "" : "\n");
        }
        fflush(stdout);
    }
    while (wait(NULL) > 0)
        ;
    printf("%s%s: %u programs, %u runs, %u left out, %u failures, %.0f s, seed %llu\n", terminal ? "\r\033[K" : "",
           k->name, all.programs, all.runs, all.left_out, all.failures, now() - begin, (unsigned long long)seed);
    for (unsigned i = 0; i < SETTINGS; i++) {
        printf("  %s:", settings[i].name);
        for (unsigned j = 0; j < CHOICES && settings[i].choice[j].weight; j++)
            printf(" %s %u", settings[i].choice[j].value ? settings[i].choice[j].value : "-", counts[i][j]);
        printf("\n");
    }
    fflush(stdout);
    return all.failures;
}

static const char *option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], name))
            return argv[i + 1];
    return otherwise;
}

static void emit(const struct campaign *c, const struct kind *k, const uint64_t *seeds, unsigned n)
{
    struct gen g = {0};
    struct str text = {0};
    if (!k->make(c, &g, seeds, n, &text))
        fprintf(stderr, "%s\n", str_text(&text));
    fputs(str_text(&g.s), stdout);
    gen_free(&g);
    str_free(&text);
}

// What the C library frees is filled, and nothing is kept aside unfilled, so that code which looks at freed memory fails each
// time. It reads these variables when a process starts.
static void fill_freed(char **argv)
{
    if (getenv("MALLOC_PERTURB_"))
        return;
    setenv("MALLOC_PERTURB_", "165", 1);
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    fill_freed(argv);
    char here[256];
    snprintf(here, sizeof here, "/tmp/heddle-fuzz-emit.%u", (unsigned)getuid());
    struct campaign c = {.sdk = option(argc, argv, "--sdk", FUZZ_SDK),
                         .runtime = option(argc, argv, "--runtime", FUZZ_RUNTIME),
                         .out = option(argc, argv, "--keep", "fuzz-failures"),
                         .work = here,
                         .configs = (unsigned)atoi(option(argc, argv, "--configs", "4")),
                         .first = (unsigned)atoi(option(argc, argv, "--first", "0")),
                         .settings = option(argc, argv, "--settings", NULL),
                         .reduce = atof(option(argc, argv, "--reduce", "120")),
                         .nvcc = option(argc, argv, "--nvcc", NULL),
                         .emulator = option(argc, argv, "--emulator", NULL),
                         .only = strtoull(option(argc, argv, "--only", "0"), NULL, 16)};
    uint64_t seed = strtoull(option(argc, argv, "--seed", "0"), NULL, 0);
    unsigned programs = c.only ? 1 : (unsigned)atoi(option(argc, argv, "--programs", "0")),
             jobs = (unsigned)atoi(option(argc, argv, "--jobs", "0")), failures = 0, chosen = 0;
    bool absent = false;
    const char *kind = option(argc, argv, "--kind", ""), *one = option(argc, argv, "--emit", NULL);
    double minutes = argc > 1 ? atof(argv[1]) : 0;
    if (!minutes && !one) {
        fprintf(stderr,
                "usage: fuzz MINUTES [--seed N] [--kind cu|loops|csmith|ptx] [--programs N] [--jobs N] [--configs N] "
                "[--settings LIST] [--first BATCH] [--keep FOLDER] [--reduce SECONDS] [--nvcc PROGRAM] "
                "[--emulator PROGRAM]\n"
                "       fuzz MINUTES --kind KIND --only SEED    (one program, by the seed in its name)\n"
                "       fuzz 0 --kind KIND --emit SEED  (in hexadecimal; or -BATCH: that batch of the campaign "
                "of --seed)\n");
        return 2;
    }
    if (!seed && !one)
        seed = (uint64_t)time(NULL);
    if (!jobs)
        jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    mkdir(one ? here : c.out, 0755);
    char out[PATH_MAX];
    c.out = realpath(c.out, out); // workers have folders of their own
    for (unsigned i = 0; i < KINDS; i++)
        chosen += !*kind || !strcmp(kind, kinds[i]->name);
    for (unsigned i = 0; i < KINDS; i++) {
        const struct kind *k = kinds[i];
        if (*kind && strcmp(kind, k->name))
            continue;
        if (k->here && !k->here(&c)) {
            printf("%s: left out, since what it needs is not installed\n", k->name);
            absent = true;
            continue;
        }
        if (one) {
            uint64_t seeds[BATCH_MAX] = {strtoull(one, NULL, 16)};
            for (unsigned j = 0; *one == '-' && j < k->batch; j++)
                seeds[j] = seed_of(seed, k, strtoull(one + 1, NULL, 0) * k->batch + j);
            emit(&c, k, seeds, *one == '-' ? k->batch : 1);
        } else {
            failures += campaign(&c, k, seed, jobs, programs, minutes / chosen);
        }
    }
    if (failures)
        printf("reduced programs are in %s\n", c.out);
    return failures ? 1 : absent && chosen == 1 ? 77 : 0;
}
