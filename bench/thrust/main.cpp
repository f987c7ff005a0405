// SPDX-License-Identifier: Apache-2.0
// The command line and the table: Thrust's and CUB's primitives against the standard library's with as many threads. A row's results are
// compared first, then both forms run by turns, and the least time of each is kept.
#include "../clock.h"
#include "thrust.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

namespace
{
const char usage[] =
    "thrust [option ...] [part of a row's name ...]\n"
    "  --threads N   N threads for both forms; times are then of the processor when N is 1, if not --wall\n"
    "  --rounds N    at most N rounds a row (30)\n"
    "  --seconds X   about so long a row (2)\n"
    "  --calls N     ours alone: the times of the first N calls of each row, with what is compiled in them\n";

const struct row {
    const char *name;
    row_id id;
    size_t n;
} rows[] = {
    {"sort 1M", ROW_SORT, 1000000},
    {"sort 10M", ROW_SORT, 10000000},
    {"sort_by_key 1M", ROW_SORT_PAIRS, 1000000},
    {"sort_by_key 10M", ROW_SORT_PAIRS, 10000000},
    {"reduce 10M", ROW_REDUCE, 10000000},
    {"inclusive_scan 10M", ROW_SCAN, 10000000},
    {"unique 10M", ROW_UNIQUE, 10000000},
    {"copy_if 10M", ROW_COPY_IF, 10000000},
    {"histogram 10M", ROW_HISTOGRAM, 10000000},
};

struct data {
    std::vector<int> keys, values;
    std::vector<unsigned char> bytes;
};

void fill(size_t n, int threads)
{
    static data d;
    if (d.keys.size() == n)
        return;
    d.keys.resize(n);
    d.values.resize(n);
    d.bytes.resize(n);
    unsigned long long state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        d.keys[i] = static_cast<int>(state >> 32);
        d.values[i] = static_cast<int>((state >> 40) % 3);
        d.bytes[i] = static_cast<unsigned char>(state >> 50);
    }
    const input in = {n, d.keys.data(), d.values.data(), d.bytes.data()};
    device_fill(&in);
    host_fill(&in, threads);
}

double measure(const form &f)
{
    f.prepare();
    double t = bench_now();
    f.run();
    return bench_now() - t;
}

bool wanted(const char *name, char **names)
{
    for (char **p = names; *p; p++)
        if (strstr(name, *p))
            return true;
    return !*names;
}

int compare_row(const row &r, int rounds, double seconds)
{
    const form &ours = device_forms[r.id], &theirs = host_forms[r.id];
    double best[2] = {measure(ours), measure(theirs)}, spent = 0;
    if (ours.checksum() != theirs.checksum()) {
        fprintf(stderr, "%s: results differ\n", r.name);
        return 1;
    }
    for (int i = 0; i < rounds && (i < 5 || spent < seconds); i++) {
        double t[2];
        t[1] = measure(theirs);
        bench_quiet();
        t[0] = measure(ours);
        for (int f = 0; f < 2; f++) {
            best[f] = i ? std::min(best[f], t[f]) : t[f];
            spent += t[f];
        }
    }
    printf("%-20s %10.2f %10.2f %8.2f\n", r.name, best[0] * 1e3, best[1] * 1e3, best[1] / best[0]);
    fflush(stdout);
    return 0;
}

void first_calls(const row &r, int calls)
{
    printf("%-20s", r.name);
    for (int i = 0; i < calls; i++)
        printf(" %8.1f", measure(device_forms[r.id]) * 1e3);
    printf("\n");
    fflush(stdout);
}
} // namespace

int main(int argc, char **argv)
{
    const char *threads = nullptr;
    int rounds = 30, calls = 0, failed = 0, i = 1;
    bool wall = false;
    double seconds = 2;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--wall"))
            wall = true;
        else if (!strcmp(argv[i], "--threads"))
            threads = value, i++;
        else if (!strcmp(argv[i], "--rounds"))
            rounds = atoi(value), i++;
        else if (!strcmp(argv[i], "--seconds"))
            seconds = atof(value), i++;
        else if (!strcmp(argv[i], "--calls"))
            calls = atoi(value), i++;
        else {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (threads)
        setenv("HEDDLE_THREADS", threads, 1);
    const char *set = getenv("HEDDLE_THREADS");
    const int count = std::max(1, set ? atoi(set) : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
    if (count == 1 && !wall)
        bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    if (calls)
        printf("%-20s first calls, ms\n", "row");
    else
        printf("%-20s %10s %10s %8s\n", "row", "Heddle, ms", "std, ms", "std/Heddle");
    for (const row &r : rows) {
        if (!wanted(r.name, argv + std::min(i, argc)))
            continue;
        fill(r.n, count);
        if (calls)
            first_calls(r, calls);
        else
            failed |= compare_row(r, rounds, seconds);
    }
    return failed;
}
