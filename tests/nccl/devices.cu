// SPDX-License-Identifier: Apache-2.0
// Ranks that are devices of one process, made by one thread: every collective, in streams, groups and graphs.
#include "suite.h"

static Ranks devices(int n)
{
    Ranks r;
    r.n = n;
    r.comm.resize((size_t)n);
    for (int i = 0; i < n; i++) {
        r.rank.push_back(i);
        r.device.push_back(i);
    }
    return r;
}

int main()
{
    int count = 0;
    CUDA(cudaGetDeviceCount(&count));
    int most = count < 4 ? count : 4;
    CHECK(most > 0);
    const bool brief = getenv("HEDDLE_TEST_BRIEF"); // for emulators
    for (int n = brief ? most : 1; n <= most; n++) {
        Ranks r = devices(n);
        NCCL(ncclCommInitAll(r.comm.data(), n, nullptr));
        suite(r, n == most || n == 3);
    }
    for (const char *algorithm : {"ring", "tree"}) {
        setenv("NCCL_ALGO", algorithm, 1);
        Ranks r = devices(most);
        NCCL(ncclCommInitAll(r.comm.data(), most, nullptr));
        suite(r, false);
    }
    unsetenv("NCCL_ALGO");
    // Made by their own calls, in a group.
    Ranks r = devices(most);
    ncclUniqueId id;
    NCCL(ncclGetUniqueId(&id));
    NCCL(ncclGroupStart());
    for (int i = 0; i < most; i++) {
        CUDA(cudaSetDevice(i));
        NCCL(ncclCommInitRank(&r.comm[(size_t)i], most, id, i));
    }
    NCCL(ncclGroupEnd());
    suite(r, false);
    return summary();
}
