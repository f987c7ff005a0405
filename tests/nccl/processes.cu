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
    return summary();
}
