// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes: over memory of the machine and over the network, by every algorithm, and several ranks in a process.
#include "processes.h"
#include "suite.h"

static void plain(int n, bool whole, std::vector<std::pair<const char *, const char *>> variables)
{
    processes(n, variables, [=](int rank) {
        Ranks r = process_ranks(n, rank);
        suite(r, whole);
    });
}

// Two processes with two devices each: pointers within a process, memory between them.
static void mixed()
{
    processes(2, {{"HEDDLE_DEVICES", "2"}}, [](int process) {
        Ranks r;
        r.n = 4;
        ncclUniqueId id = shared_id(process == 0);
        NCCL(ncclGroupStart());
        r.comm.resize(2);
        CHECK(r.here() == 0);
        for (int i = 0; i < 2; i++) {
            r.rank.push_back(2 * i + process);
            r.device.push_back(i);
            CUDA(cudaSetDevice(i));
            NCCL(ncclCommInitRank(&r.comm[(size_t)i], 4, id, r.rank.back()));
        }
        NCCL(ncclGroupEnd());
        suite(r, false);
    });
}

// Long messages are read where they lie, or by a mapping of it: memory of every kind, at odd places, freed and allocated again so that addresses
// come back with other pages behind them.
enum Memory { OF_DEVICE, OF_POOL, OF_HOST, OF_MANAGED, OF_KINDS };

static float *memory_make(int kind, size_t bytes)
{
    void *p = nullptr;
    switch (kind) {
    case OF_DEVICE:
        CUDA(cudaMalloc(&p, bytes));
        break;
    case OF_POOL:
        CUDA(cudaMallocAsync(&p, bytes, nullptr));
        break;
    case OF_HOST:
        CUDA(cudaMallocHost(&p, bytes));
        break;
    default:
        CUDA(cudaMallocManaged(&p, bytes));
        break;
    }
    return (float *)p;
}

static void memory_free(int kind, void *p)
{
    CUDA(kind == OF_HOST ? cudaFreeHost(p) : kind == OF_POOL ? cudaFreeAsync(p, nullptr) : cudaFree(p));
}

static void kinds_of_memory(std::vector<std::pair<const char *, const char *>> variables)
{
    processes(2, variables, [](int rank) {
        Ranks r = process_ranks(2, rank);
        const size_t n = 700001; // no multiple of anything
        std::vector<float> host(n);
        int bad = 0;
        for (int round = 0; round < 3 * OF_KINDS; round++) {
            int kind = round % OF_KINDS;
            float *from = memory_make(kind, (n + 8) * sizeof(float)), *to = memory_make(kind, (n + 8) * sizeof(float));
            for (size_t i = 0; i < n; i++)
                host[i] = (float)((i + (size_t)round) % 4096 + (size_t)rank);
            CUDA(cudaMemcpy(from + 3, host.data(), n * sizeof(float), cudaMemcpyDefault));
            for (int in_place = 0; in_place < 2; in_place++) {
                float *out = in_place ? from + 3 : to + 1;
                NCCL(ncclAllReduce(from + 3, out, n, ncclFloat, ncclSum, r.comm[0], nullptr));
                CUDA(cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDefault));
                for (size_t i = 0; i < n; i++)
                    bad += host[i] != (float)(2 * ((i + (size_t)round) % 4096) + 1);
            }
            // One message each way at once, then the same memory for another one.
            for (int turn = 0; turn < 2; turn++) {
                CUDA(cudaMemset(from, rank + turn + 1, (n + 8) * sizeof(float)));
                NCCL(ncclGroupStart());
                NCCL(ncclSend(from + 5, n, ncclFloat, !rank, r.comm[0], nullptr));
                NCCL(ncclRecv(to + 2, n, ncclFloat, !rank, r.comm[0], nullptr));
                NCCL(ncclGroupEnd());
                CUDA(cudaMemcpy(host.data(), to + 2, n * sizeof(float), cudaMemcpyDefault));
                const char *bytes = (const char *)host.data();
                for (size_t i = 0; i < n * sizeof(float); i++)
                    bad += bytes[i] != !rank + turn + 1;
            }
            memory_free(kind, from);
            memory_free(kind, to);
        }
        CHECK(!bad);
    });
}

int main()
{
    const bool whole = !getenv("HEDDLE_TEST_BRIEF"); // which is for emulators
    plain(2, true, {});
    plain(4, false, {});
    plain(3, whole, {{"NCCL_ALGO", "ring"}});
    plain(4, whole, {{"NCCL_ALGO", "tree"}});
    plain(3, false, {{"NCCL_SHM_DISABLE", "1"}, {"NCCL_SOCKET_IFNAME", "lo"}});
    plain(3, false, {{"NCCL_SHM_DISABLE", "1"}, {"NCCL_ALGO", "ring"}, {"HEDDLE_THREADS", "1"}});
    plain(2, false, {{"NCCL_SHM_DISABLE", "1"}, {"NCCL_NET", "UCX"}, {"UCX_TLS", "tcp"}}); // TCP where there is no UCX
    mixed();
    kinds_of_memory({});
    kinds_of_memory({{"NCCL_P2P_DISABLE", "1"}});
    return summary();
}
