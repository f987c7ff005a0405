// SPDX-License-Identifier: Apache-2.0
// How communicators end: ranks that die, that abort, that never come, that do not fit together; nothing waits for ever, and nothing is
// left behind.
#include "processes.h"
#include <csignal>
#include <ctime>

enum { SECONDS = 20 }; // a machine may be busy; what is waited for takes milliseconds

static bool within(std::function<bool()> done)
{
    time_t end = time(nullptr) + SECONDS;
    while (!done()) {
        if (time(nullptr) > end)
            return false;
        usleep(1000);
    }
    return true;
}

static ncclResult_t async(ncclComm_t c)
{
    ncclResult_t r = ncclNumResults;
    NCCL(ncclCommGetAsyncError(c, &r));
    return r;
}

static bool is_loss(ncclResult_t r)
{
    return r == ncclRemoteError || r == ncclSystemError;
}

struct Data {
    float *x;
    enum { N = 100000 };
    Data()
    {
        CUDA(cudaMalloc(&x, N * sizeof *x));
        CUDA(cudaMemset(x, 0, N * sizeof *x));
    }
    ~Data()
    {
        CUDA(cudaFree(x));
    }
};

// Rank `victim` kills itself between two collectives; the others learn of it, end the communicator, and go on.
static void killed(int n, int victim, bool connected, bool shrinks,
                   std::vector<std::pair<const char *, const char *>> variables)
{
    processes(
        n, variables,
        [=](int rank) {
            Data d;
            int before = open_files();
            Ranks r = process_ranks(n, rank);
            meet(n, 1); // rank 0 has told all of them of each other
            r.streams();
            for (int i = 0; i < 3 && connected; i++)
                NCCL(ncclAllReduce(d.x, d.x, Data::N, ncclFloat, ncclSum, r.comm[0], r.stream[0]));
            r.wait();
            if (rank == victim)
                kill(getpid(), SIGKILL);
            NCCL(ncclAllReduce(d.x, d.x, Data::N, ncclFloat, ncclSum, r.comm[0], r.stream[0]));
            CHECK(within([&] { return cudaStreamQuery(r.stream[0]) == cudaSuccess; }));
            CHECK(within([&] { return is_loss(async(r.comm[0])); }));
            CHECK(is_loss(ncclAllReduce(d.x, d.x, 1, ncclFloat, ncclSum, r.comm[0], r.stream[0])));
            if (shrinks) {
                ncclComm_t less = nullptr;
                int without = victim, count = 0;
                NCCL(ncclCommShrink(r.comm[0], &without, 1, &less, nullptr, NCCL_SHRINK_ABORT));
                NCCL(ncclCommCount(less, &count));
                CHECK(count == n - 1);
                float one = 1, sum = 0;
                CUDA(cudaMemcpy(d.x, &one, sizeof one, cudaMemcpyDefault));
                NCCL(ncclAllReduce(d.x, d.x, 1, ncclFloat, ncclSum, less, r.stream[0]));
                CUDA(cudaStreamSynchronize(r.stream[0]));
                CUDA(cudaMemcpy(&sum, d.x, sizeof sum, cudaMemcpyDefault));
                CHECK(sum == (float)(n - 1));
                NCCL(ncclCommDestroy(less));
            }
            NCCL(ncclCommAbort(r.comm[0]));
            CUDA(cudaMemset(d.x, 0, sizeof *d.x)); // the device goes on
            CUDA(cudaStreamDestroy(r.stream[0]));
            if (rank) // the root's thread may be at its end
                CHECK(open_files() <= before + 1);
        },
        victim);
}

// One rank aborts while the others wait for it.
static void aborted()
{
    processes(3, {}, [](int rank) {
        Data d;
        Ranks r = process_ranks(3, rank);
        r.streams();
        if (rank)
            NCCL(ncclAllReduce(d.x, d.x, Data::N, ncclFloat, ncclSum, r.comm[0], r.stream[0]));
        else
            NCCL(ncclRecv(d.x, 10, ncclFloat, 1, r.comm[0], r.stream[0]));
        if (rank == 0)
            usleep(50000);
        if (rank == 0)
            NCCL(ncclCommAbort(r.comm[0]));
        CHECK(within([&] { return cudaStreamQuery(r.stream[0]) == cudaSuccess; }));
        if (rank)
            CHECK(within([&] { return async(r.comm[0]) != ncclSuccess; }));
        if (rank)
            NCCL(ncclCommAbort(r.comm[0]));
    });
}

// Calls that do not match are an error on the rank that sees it, and then on all.
static void mismatched()
{
    processes(2, {}, [](int rank) {
        Data d;
        Ranks r = process_ranks(2, rank);
        r.streams();
        NCCL(ncclAllReduce(d.x, d.x, (size_t)(100 + rank), ncclFloat, ncclSum, r.comm[0], r.stream[0]));
        CHECK(within([&] { return async(r.comm[0]) != ncclSuccess; }));
        CUDA(cudaStreamSynchronize(r.stream[0]));
        NCCL(ncclCommAbort(r.comm[0]));
    });
    processes(2, {}, [](int rank) { // different numbers of ranks
        ncclComm_t c = (ncclComm_t)1;
        ncclUniqueId id = shared_id(rank == 0);
        CHECK(ncclCommInitRank(&c, 2 + rank, id, rank) != ncclSuccess && !c);
    });
}

// Nothing blocks: the state tells.
static void nonblocking()
{
    processes(2, {}, [](int rank) {
        Data d;
        ncclComm_t c = nullptr, half = nullptr, alone = nullptr;
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        ncclUniqueId id = shared_id(rank == 0);
        ncclResult_t r = ncclCommInitRankConfig(&c, 2, id, rank, &config);
        CHECK((r == ncclSuccess || r == ncclInProgress) && c);
        CHECK(within([&] { return async(c) != ncclInProgress; }));
        CHECK(async(c) == ncclSuccess);
        r = ncclAllReduce(d.x, d.x, Data::N, ncclFloat, ncclSum, c, nullptr);
        CHECK(r == ncclSuccess || r == ncclInProgress);
        CUDA(cudaDeviceSynchronize());
        r = ncclCommSplit(c, 0, rank, &half, &config);
        CHECK((r == ncclSuccess || r == ncclInProgress) && half);
        CHECK(within([&] { return async(half) != ncclInProgress; }));
        for (ncclComm_t x : {half, c}) {
            r = ncclCommFinalize(x);
            CHECK(r == ncclSuccess || r == ncclInProgress);
            CHECK(within([&] { return async(x) != ncclInProgress; }));
            NCCL(ncclCommDestroy(x));
        }
        // A rank that never comes.
        NCCL(ncclGetUniqueId(&id));
        r = ncclCommInitRankConfig(&alone, 2, id, 0, &config);
        CHECK(r == ncclInProgress && async(alone) == ncclInProgress);
        WANT(ncclAllReduce(d.x, d.x, 1, ncclFloat, ncclSum, alone, nullptr), ncclInvalidArgument);
        NCCL(ncclCommAbort(alone));
    });
}

// Communicators come and go, and descriptors with them; each has links in use.
static void leaks()
{
    processes(2, {{"HEDDLE_DEVICES", "2"}}, [](int rank) {
        Data d;
        Ranks r = process_ranks(2, rank);
        r.streams();
        meet(2, 1);
        int before = 0;
        for (int i = 0; i < 12; i++) {
            ncclComm_t half, both[2];
            NCCL(ncclCommSplit(r.comm[0], 0, rank, &half, nullptr));
            NCCL(ncclAllReduce(d.x, d.x, 1000, ncclFloat, ncclSum, half, r.stream[0]));
            NCCL(ncclCommDestroy(half));
            NCCL(ncclCommInitAll(both, 2, nullptr));
            NCCL(ncclGroupStart());
            for (int k = 0; k < 2; k++)
                NCCL(ncclBroadcast(d.x, d.x + 1000 * k, 1000, ncclFloat, 0, both[k], nullptr));
            NCCL(ncclGroupEnd());
            for (int k = 0; k < 2; k++) {
                CUDA(cudaSetDevice(k));
                CUDA(cudaDeviceSynchronize());
            }
            CUDA(cudaSetDevice(0));
            NCCL(i % 2 ? ncclCommDestroy(both[0]) : ncclCommAbort(both[0]));
            NCCL(ncclCommDestroy(both[1]));
            if (i == 2)
                before = open_files();
        }
        CHECK(open_files() == before);
        r.destroy();
    });
}

// One worker, two cliques of two ranks in one process, whose works are issued in opposite orders in four streams.
static void crossed()
{
    processes(1, {{"HEDDLE_DEVICES", "2"}, {"HEDDLE_THREADS", "1"}}, [](int) {
        ncclComm_t a[2], b[2];
        cudaStream_t s[4];
        float *x[4];
        NCCL(ncclCommInitAll(a, 2, nullptr));
        NCCL(ncclCommInitAll(b, 2, nullptr));
        for (int i = 0; i < 4; i++) {
            CUDA(cudaSetDevice(i / 2));
            CUDA(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
            CUDA(cudaMalloc(&x[i], 1 << 22));
            CUDA(cudaMemsetAsync(x[i], 0, 1 << 22, s[i]));
        }
        for (int i = 0; i < 20; i++) {
            size_t n = i % 2 ? 1 << 20 : 100;
            NCCL(ncclAllReduce(x[0], x[0], n, ncclFloat, ncclSum, a[0], s[0]));
            NCCL(ncclAllReduce(x[1], x[1], n, ncclFloat, ncclSum, b[0], s[1]));
            NCCL(ncclAllReduce(x[3], x[3], n, ncclFloat, ncclSum, b[1], s[3]));
            NCCL(ncclAllReduce(x[2], x[2], n, ncclFloat, ncclSum, a[1], s[2]));
        }
        for (int i = 0; i < 4; i++)
            CUDA(cudaStreamSynchronize(s[i]));
        for (int i = 0; i < 2; i++) {
            NCCL(ncclCommDestroy(a[i]));
            NCCL(ncclCommDestroy(b[i]));
        }
    });
}

int main()
{
    killed(3, 2, true, true, {});
    killed(3, 0, true, false, {});
    killed(2, 0, false, false, {}); // before it has connected to anyone
    killed(3, 1, false, false, {{"NCCL_SHM_DISABLE", "1"}});
    killed(3, 1, true, true, {{"NCCL_SHM_DISABLE", "1"}, {"NCCL_ALGO", "ring"}});
    aborted();
    mismatched();
    nonblocking();
    leaks();
    crossed();
    return summary();
}
