// SPDX-License-Identifier: Apache-2.0
// Ranks as processes: forked before anything of CUDA, with memory that all of them see.
#ifndef HEDDLE_TEST_NCCL_PROCESSES_H
#define HEDDLE_TEST_NCCL_PROCESSES_H
#include "ranks.h"
#include <atomic>
#include <dirent.h>
#include <functional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct Shared {
    std::atomic<int> has_id, arrived, passed, failed;
    ncclUniqueId id;
};

static Shared *shared;

// Waits for all n processes to come here the round-th time.
static void meet(int n, int round)
{
    shared->arrived++;
    while (shared->arrived < n * round)
        usleep(500);
}

static ncclUniqueId shared_id(bool make)
{
    if (make) {
        NCCL(ncclGetUniqueId(&shared->id));
        shared->has_id = 1;
    }
    while (!shared->has_id)
        usleep(500);
    return shared->id;
}

// The communicator's rank of this process, on its first device.
static Ranks process_ranks(int n, int rank)
{
    Ranks r;
    r.n = n;
    r.rank = {rank};
    r.device = {0};
    r.comm.resize(1);
    NCCL(ncclCommInitRank(&r.comm[0], n, shared_id(rank == 0), rank));
    return r;
}

static int open_files()
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    closedir(d);
    return n;
}

// Runs body(rank) in n processes with these variables; those in `killed` may end by a signal. Counts what they checked.
static void processes(int n, std::vector<std::pair<const char *, const char *>> variables,
                      std::function<void(int)> body, int killed = -1)
{
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    std::vector<pid_t> children;
    fflush(stdout);
    for (int rank = 0; rank < n; rank++) {
        pid_t child = fork();
        if (child) {
            children.push_back(child);
            continue;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (auto &v : variables)
            setenv(v.first, v.second, 1);
        passed = failed = 0;
        body(rank);
        shared->passed += passed;
        shared->failed += failed;
        fflush(stdout);
        _exit(0);
    }
    for (int rank = 0; rank < n; rank++) {
        int status = 0;
        waitpid(children[(size_t)rank], &status, 0);
        bool right = rank == killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : !status;
        if (!right)
            printf("rank %d of %d ended with status %#x\n", rank, n, (unsigned)status);
        CHECK(right);
    }
    passed += shared->passed;
    failed += shared->failed;
    munmap(shared, sizeof *shared);
}
#endif
