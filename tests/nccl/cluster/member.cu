// SPDX-License-Identifier: Apache-2.0
// One rank of a long run: member RANK RANKS COLLECTIVES. All ranks draw the same calls, and each checks what it gets. Then the last rank
// kills itself in the middle of collectives, and the others must learn of it. NCCL_COMM_ID says where they meet.
#include "../processes.h"
#include <csignal>
#include <ctime>
#include <random>

static std::mt19937 draw(17);
static int pick(int n)
{
    return (int)(draw() % (unsigned)n);
}

// An int that rank r has at place i of call number k.
static int value(int k, int r, size_t i)
{
    return (int)((unsigned)k * 31u + (unsigned)r * 17u + (unsigned)i * 7u) % 1000;
}

struct Member {
    int rank, n;
    ncclComm_t comm;
    cudaStream_t stream;
    int *in, *out;
    enum { MOST = 20000 };
};

static bool one(Member &m, int k)
{
    int kind = pick(6), root = pick(m.n);
    size_t count = 1 + (size_t)pick(pick(4) ? 600 : Member::MOST), n = (size_t)m.n, me = (size_t)m.rank,
           r = (size_t)root;
    size_t sent = kind == 3 || kind == 4 ? n * count : count, got = kind == 2 || kind == 4 ? n * count : count;
    for (size_t i = 0; i < sent; i++)
        m.in[i] = value(k, m.rank, i);
    bool ok = true;
    switch (kind) {
    case 0:
        NCCL(ncclAllReduce(m.in, m.out, count, ncclInt, ncclSum, m.comm, m.stream));
        break;
    case 1:
        NCCL(ncclBroadcast(m.in, m.out, count, ncclInt, root, m.comm, m.stream));
        break;
    case 2:
        NCCL(ncclAllGather(m.in, m.out, count, ncclInt, m.comm, m.stream));
        break;
    case 3:
        NCCL(ncclReduceScatter(m.in, m.out, count, ncclInt, ncclMax, m.comm, m.stream));
        break;
    case 4:
        NCCL(ncclAlltoAll(m.in, m.out, count, ncclInt, m.comm, m.stream));
        break;
    default:
        NCCL(ncclGroupStart());
        NCCL(ncclSend(m.in, count, ncclInt, (m.rank + 1) % m.n, m.comm, m.stream));
        NCCL(ncclRecv(m.out, count, ncclInt, (m.rank + m.n - 1) % m.n, m.comm, m.stream));
        NCCL(ncclGroupEnd());
    }
    CUDA(cudaStreamSynchronize(m.stream));
    for (size_t i = 0; i < got; i++) {
        size_t from = i / count, at = i % count;
        int want = 0;
        for (int x = 0; x < m.n && (kind == 0 || kind == 3); x++) {
            int v = value(k, x, kind == 3 ? me * count + i : i);
            want = kind == 0 ? want + v : v > want ? v : want;
        }
        want = kind == 1   ? value(k, (int)r, i)
               : kind == 2 ? value(k, (int)from, at)
               : kind == 4 ? value(k, (int)from, me * count + at)
               : kind == 5 ? value(k, (m.rank + m.n - 1) % m.n, i)
                           : want;
        ok &= m.out[i] == want;
    }
    return ok;
}

static double seconds()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    Member m = {atoi(argv[1]), atoi(argv[2]), nullptr, nullptr, nullptr, nullptr};
    int collectives = atoi(argv[3]), right = 0;
    ncclUniqueId id;
    size_t bytes = (size_t)m.n * Member::MOST * sizeof(int);
    CUDA(cudaMallocManaged(&m.in, bytes));
    CUDA(cudaMallocManaged(&m.out, bytes));
    CUDA(cudaStreamCreate(&m.stream));
    NCCL(ncclGetUniqueId(&id));
    NCCL(ncclCommInitRank(&m.comm, m.n, id, m.rank));
    int files = open_files(); // what stays with the process is there, and there is no link yet
    double begun = seconds();
    for (int k = 0; k < collectives; k++)
        right += one(m, k);
    CHECK(right == collectives);
    double took = seconds() - begun;
    // One dies.
    double lost = 0;
    ncclResult_t error = ncclSuccess;
    for (int k = 0; !lost && !failed; k++) {
        if (m.rank == m.n - 1 && k == 50)
            kill(getpid(), SIGKILL);
        begun = seconds();
        ncclResult_t r = ncclAllReduce(m.in, m.out, Member::MOST, ncclInt, ncclSum, m.comm, m.stream);
        CUDA(cudaStreamSynchronize(m.stream));
        NCCL(ncclCommGetAsyncError(m.comm, &error));
        if (r || error)
            lost = seconds() - begun;
    }
    CHECK(error == ncclRemoteError || error == ncclSystemError);
    NCCL(ncclCommAbort(m.comm));
    CHECK(open_files() <= files);
    printf("rank %d: %d collectives right in %.1f s; a rank died: \"%s\" after %.0f ms; ", m.rank, right, took,
           ncclGetErrorString(error), 1e3 * lost);
    return summary();
}
