// SPDX-License-Identifier: Apache-2.0
// See account.h. Rows are found by kind and name, under one lock: who wants the account pays a tenth of a microsecond for each entry.
#include "base/process/account.h"
#include "base/env.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/timeline/timeline.h"
#include "base/xmalloc.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROWS = 1024, SHOWN = 24, LOCK_MS = 500 };

struct row {
    char *name; // NULL: free
    enum account_kind kind;
    uint64_t count, wall_ns, busy_ns, amount;
};

// The heading of each kind, and those of the columns for time of all threads and for the amount; NULL: it has none.
static const struct {
    const char *title, *busy, *amount;
} kinds[ACCOUNT_KINDS] = {
    [ACCOUNT_CALL] = {"calls of the driver", NULL, NULL},
    [ACCOUNT_WAIT] = {"launches that waited for code", NULL, NULL},
    [ACCOUNT_QUICK] = {"compiled quickly", NULL, "bytes"},
    [ACCOUNT_COMPILE] = {"compiled and optimised", NULL, "bytes"},
    [ACCOUNT_LOAD] = {"code from the cache", NULL, "bytes"},
    [ACCOUNT_KERNEL] = {"kernels", "all threads", "blocks"},
    [ACCOUNT_COPY] = {"copies", NULL, "bytes"},
    [ACCOUNT_WAKE] = {"threads woken", NULL, NULL},
};

bool account_wanted;
static uint64_t began;
static pid_t process;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row rows[ROWS]; // a table with open addressing
static unsigned used;

__attribute__((constructor)) static void init(void)
{
    account_wanted = !strcmp(env_get("HEDDLE_PROFILE"), "1");
    if (account_wanted)
        atomic_fetch_or(&timeline_wanted, TIMELINE_COUNTED);
    began = os_time_ns();
    process = getpid();
}

static int by_time(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->wall_ns != y->wall_ns ? (x->wall_ns > y->wall_ns ? -1 : 1) : strcmp(x->name, y->name);
}

static void row_write(struct str *out, const struct row *r)
{
    str_printf(out, "heddle: profile:   %-40.40s %9llu %11.3f", r->name, (unsigned long long)r->count,
               (double)r->wall_ns * 1e-6);
    if (kinds[r->kind].busy)
        str_printf(out, " %11.3f", (double)r->busy_ns * 1e-6);
    if (kinds[r->kind].amount)
        str_printf(out, " %12llu", (unsigned long long)r->amount);
    str_append(out, "\n");
}

static void head_write(struct str *out, enum account_kind kind, const struct row *sum)
{
    str_printf(out, "heddle: profile: %-42s %9s %11s", kinds[kind].title, "count", "ms");
    if (kinds[kind].busy)
        str_printf(out, " %11s", kinds[kind].busy);
    if (kinds[kind].amount)
        str_printf(out, " %12s", kinds[kind].amount);
    str_append(out, "\n");
    row_write(out, sum);
}

static void kind_write(struct str *out, const struct row *first, unsigned n)
{
    struct row sum = {.name = "(all)", .kind = first->kind};
    for (unsigned i = 0; i < n; i++) {
        sum.count += first[i].count;
        sum.wall_ns += first[i].wall_ns;
        sum.busy_ns += first[i].busy_ns;
        sum.amount += first[i].amount;
    }
    head_write(out, first->kind, &sum);
    for (unsigned i = 0; i < n && i < SHOWN; i++)
        row_write(out, &first[i]);
    if (n > SHOWN)
        str_printf(out, "heddle: profile:   and %u others\n", n - SHOWN);
}

static void report(void)
{
    struct str out = {0};
    struct rusage u;
    if (getpid() != process || !os_lock_within(&lock, LOCK_MS))
        return;
    uint64_t wall = os_time_ns() - began;
    getrusage(RUSAGE_SELF, &u);
    double user = (double)u.ru_utime.tv_sec * 1e3 + (double)u.ru_utime.tv_usec * 1e-3;
    double kernel = (double)u.ru_stime.tv_sec * 1e3 + (double)u.ru_stime.tv_usec * 1e-3, ms = (double)wall * 1e-6;
    unsigned cores = os_cpu_count();
    double idle = 100 - 100 * (user + kernel) / (ms * cores);
    str_printf(
        &out,
        "heddle: profile: %.3f ms since the driver was loaded; on %u cores %.3f ms of the process, %.3f ms of the "
        "system for it, %ld page faults, %.0f %% idle\n",
        ms, cores, user, kernel, u.ru_minflt, idle < 0 ? 0 : idle);
    for (unsigned i = 0, n = 0; i < ROWS; i++) // nothing is looked up any more
        if (rows[i].name)
            rows[n++] = rows[i];
    qsort(rows, used, sizeof *rows, by_time);
    for (unsigned i = 0, n; i < used; i += n) {
        for (n = 1; i + n < used && rows[i + n].kind == rows[i].kind; n++)
            ;
        kind_write(&out, &rows[i], n);
    }
    account_wanted = false;
    os_write_all(2, str_text(&out), out.len);
    pthread_mutex_unlock(&lock);
    str_free(&out);
}

static struct row *row_of(enum account_kind kind, const char *name)
{
    for (uint64_t i = hash_text(name) + kind;; i++) {
        struct row *r = &rows[i % ROWS];
        if (r->name && r->kind == kind && !strcmp(r->name, name))
            return r;
        if (r->name)
            continue;
        if (!used)
            atexit(report);
        if (used == ROWS - ROWS / 8) // the others are one row
            return strcmp(name, "(others)") ? row_of(kind, "(others)") : NULL;
        used++;
        r->name = strdup(name);
        r->kind = kind;
        return r->name ? r : NULL;
    }
}

void account_add(enum account_kind kind, const char *name, uint64_t since_ns, uint64_t now_ns, uint64_t busy_ns,
                 uint64_t amount)
{
    if (!since_ns)
        return;
    pthread_mutex_lock(&lock);
    struct row *r = account_wanted ? row_of(kind, name) : NULL;
    if (r) {
        r->count++;
        r->wall_ns += now_ns - since_ns;
        r->busy_ns += busy_ns;
        r->amount += amount;
    }
    pthread_mutex_unlock(&lock);
}
