// SPDX-License-Identifier: Apache-2.0
// What calls answer, with one rank: the same source is right with NVIDIA's library on a GPU.
#include "ranks.h"

static void library()
{
    int version = 0;
    NCCL(ncclGetVersion(&version));
    CHECK(version >= 21800);
    WANT(ncclGetVersion(nullptr), ncclInvalidArgument);
    for (int r = 0; r < ncclNumResults; r++)
        CHECK(ncclGetErrorString((ncclResult_t)r) && *ncclGetErrorString((ncclResult_t)r));
    CHECK(ncclGetErrorString((ncclResult_t)99) != nullptr);
    CHECK(ncclGetLastError(nullptr) != nullptr);
    void *p = nullptr;
    NCCL(ncclMemAlloc(&p, 1 << 20));
    CUDA(cudaMemset(p, 1, 1 << 20));
    NCCL(ncclMemFree(p));
}

static void making()
{
    ncclUniqueId id, other;
    ncclComm_t c = nullptr;
    int device = -1, n = 0, rank = -1, count = 0;
    CUDA(cudaGetDeviceCount(&count));
    WANT(ncclGetUniqueId(nullptr), ncclInvalidArgument);
    NCCL(ncclGetUniqueId(&id));
    NCCL(ncclGetUniqueId(&other));
    CHECK(memcmp(&id, &other, sizeof id) != 0);
    WANT(ncclCommInitRank(nullptr, 1, id, 0), ncclInvalidArgument);
    WANT(ncclCommInitRank(&c, 0, id, 0), ncclInvalidArgument);
    WANT(ncclCommInitRank(&c, 1, id, 1), ncclInvalidArgument);
    WANT(ncclCommInitRank(&c, 1, id, -1), ncclInvalidArgument);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER, bad = NCCL_CONFIG_INITIALIZER;
    bad.magic = 1;
    WANT(ncclCommInitRankConfig(&c, 1, id, 0, &bad), ncclInvalidArgument);
    bad = config;
    bad.blocking = 2;
    WANT(ncclCommInitRankConfig(&c, 1, id, 0, &bad), ncclInvalidArgument);
    bad = config;
    bad.minCTAs = 4;
    bad.maxCTAs = 2;
    WANT(ncclCommInitRankConfig(&c, 1, id, 0, &bad), ncclInvalidArgument);
    config.minCTAs = 1;
    config.maxCTAs = 4;
    config.commName = "test";
    NCCL(ncclCommInitRankConfig(&c, 1, id, 0, &config));
    NCCL(ncclCommCount(c, &n));
    NCCL(ncclCommUserRank(c, &rank));
    NCCL(ncclCommCuDevice(c, &device));
    CHECK(n == 1 && rank == 0 && device == 0);
    WANT(ncclCommCount(c, nullptr), ncclInvalidArgument);
    WANT(ncclCommCount(nullptr, &n), ncclInvalidArgument);
    ncclResult_t async = ncclNumResults;
    NCCL(ncclCommGetAsyncError(c, &async));
    CHECK(async == ncclSuccess);
    WANT(ncclCommGetAsyncError(c, nullptr), ncclInvalidArgument);
    NCCL(ncclCommFinalize(c));
    NCCL(ncclCommDestroy(c));
    NCCL(ncclCommInitRankScalable(&c, 1, 0, 1, &other, nullptr));
    NCCL(ncclCommAbort(c));
    WANT(ncclCommInitAll(nullptr, 1, nullptr), ncclInvalidArgument);
    WANT(ncclCommInitAll(&c, -1, nullptr), ncclInvalidArgument);
    std::vector<ncclComm_t> many((size_t)count + 1);
    WANT(ncclCommInitAll(many.data(), count + 1, nullptr), ncclInvalidArgument);
    int twice[] = {0, 0};
    if (count > 1)
        WANT(ncclCommInitAll(many.data(), 2, twice), ncclInvalidUsage);
    NCCL(ncclCommDestroy(nullptr));
}

// Wrong arguments of every collective, by a table of what is wrong.
static void arguments(ncclComm_t c, cudaStream_t s)
{
    float *x, *y;
    CUDA(cudaMalloc(&x, 4096));
    CUDA(cudaMalloc(&y, 4096));
    // Nothing to do is done.
    NCCL(ncclAllReduce(x, y, 0, ncclFloat, ncclSum, c, s));
    NCCL(ncclBroadcast(x, y, 0, ncclFloat, 0, c, s));
    CUDA(cudaStreamSynchronize(s));
    const ncclDataType_t bad_type = (ncclDataType_t)ncclNumTypes, neg_type = (ncclDataType_t)-1;
    const ncclRedOp_t bad_op = (ncclRedOp_t)(ncclNumOps + 100);
    for (ncclDataType_t t : {bad_type, neg_type}) {
        WANT(ncclAllReduce(x, y, 8, t, ncclSum, c, s), ncclInvalidArgument);
        WANT(ncclReduce(x, y, 8, t, ncclSum, 0, c, s), ncclInvalidArgument);
        WANT(ncclReduceScatter(x, y, 8, t, ncclSum, c, s), ncclInvalidArgument);
        WANT(ncclBroadcast(x, y, 8, t, 0, c, s), ncclInvalidArgument);
        WANT(ncclBcast(x, 8, t, 0, c, s), ncclInvalidArgument);
        WANT(ncclAllGather(x, y, 8, t, c, s), ncclInvalidArgument);
    }
    WANT(ncclAllReduce(x, y, 8, ncclFloat, bad_op, c, s), ncclInvalidArgument);
    WANT(ncclReduce(x, y, 8, ncclFloat, bad_op, 0, c, s), ncclInvalidArgument);
    WANT(ncclReduceScatter(x, y, 8, ncclFloat, bad_op, c, s), ncclInvalidArgument);
    for (int root : {-1, 1, 100}) {
        WANT(ncclReduce(x, y, 8, ncclFloat, ncclSum, root, c, s), ncclInvalidArgument);
        WANT(ncclBroadcast(x, y, 8, ncclFloat, root, c, s), ncclInvalidArgument);
        WANT(ncclSend(x, 8, ncclFloat, root, c, s), ncclInvalidArgument);
        WANT(ncclRecv(x, 8, ncclFloat, root, c, s), ncclInvalidArgument);
    }
    WANT(ncclAllReduce(x, y, 8, ncclFloat, ncclSum, nullptr, s), ncclInvalidArgument);
    WANT(ncclSend(x, 8, ncclFloat, 0, nullptr, s), ncclInvalidArgument);
    CUDA(cudaFree(x));
    CUDA(cudaFree(y));
}

static void groups(ncclComm_t c, cudaStream_t s)
{
    float *x;
    CUDA(cudaMalloc(&x, 4096));
    CUDA(cudaMemset(x, 0, 4096));
    WANT(ncclGroupEnd(), ncclInvalidUsage);
    NCCL(ncclGroupStart());
    NCCL(ncclGroupEnd());
    NCCL(ncclGroupStart());
    NCCL(ncclGroupStart());
    NCCL(ncclAllReduce(x, x, 100, ncclFloat, ncclSum, c, s));
    NCCL(ncclGroupEnd());
    NCCL(ncclBroadcast(x, x, 100, ncclFloat, 0, c, s));
    NCCL(ncclGroupEnd());
    NCCL(ncclGroupStart());
    NCCL(ncclSend(x, 10, ncclFloat, 0, c, s));
    NCCL(ncclRecv(x + 10, 10, ncclFloat, 0, c, s));
    NCCL(ncclGroupEnd());
    ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
    NCCL(ncclGroupStart());
    NCCL(ncclAllReduce(x, x, 100, ncclFloat, ncclSum, c, s));
    NCCL(ncclGroupSimulateEnd(&info));
    CUDA(cudaStreamSynchronize(s));
    // What is wrong in a group is so for all of it.
    NCCL(ncclGroupStart());
    WANT(ncclBroadcast(x, x, 100, ncclFloat, 7, c, s), ncclInvalidArgument);
    WANT(ncclGroupEnd(), ncclInvalidArgument);
    CUDA(cudaFree(x));
}

static void registrations(ncclComm_t c, cudaStream_t)
{
    void *p = nullptr, *handle = nullptr;
    ncclWindow_t win = nullptr;
    ncclRedOp_t op;
    float half = 0.5f;
    NCCL(ncclMemAlloc(&p, 1 << 20));
    NCCL(ncclCommRegister(c, p, 1 << 20, &handle));
    NCCL(ncclCommDeregister(c, handle));
    NCCL(ncclCommWindowRegister(c, p, 1 << 20, &win, NCCL_WIN_COLL_SYMMETRIC));
    if (win)
        NCCL(ncclCommWindowDeregister(c, win));
    NCCL(ncclRedOpCreatePreMulSum(&op, &half, ncclFloat, ncclScalarHostImmediate, c));
    CHECK(op >= ncclNumOps);
    NCCL(ncclRedOpDestroy(op, c));
    WANT(ncclRedOpDestroy(ncclSum, c), ncclInvalidArgument);
    NCCL(ncclMemFree(p));
}

// Every type and operation with one rank: copies, and a factor.
static void values(ncclComm_t c, cudaStream_t s)
{
    enum { N = 257 };
    static const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    for (const Type &t : types)
        for (ncclRedOp_t op : ops) {
            if (!is_reduced(t, op))
                continue;
            std::vector<char> data(N * t.bytes);
            Buffer a(0, data.size()), b(0, data.size());
            for (size_t i = 0; i < N; i++)
                put(t, data.data(), i, input(0, i, op));
            a.set(data);
            NCCL(ncclAllReduce(a.at, b.at, N, t.id, op, c, s));
            CUDA(cudaStreamSynchronize(s));
            CHECK(b.get() == data);
            NCCL(ncclReduceScatter(b.at, b.at, N, t.id, op, c, s));
            NCCL(ncclReduce(b.at, a.at, N, t.id, op, 0, c, s));
            CUDA(cudaStreamSynchronize(s));
            CHECK(a.get() == data);
        }
    float factor = 3;
    ncclRedOp_t op;
    std::vector<char> data(N * 4);
    Buffer a(0, data.size());
    for (size_t i = 0; i < N; i++)
        put(types[7], data.data(), i, (double)i);
    a.set(data);
    NCCL(ncclRedOpCreatePreMulSum(&op, &factor, ncclFloat, ncclScalarHostImmediate, c));
    NCCL(ncclAllReduce(a.at, a.at, N, ncclFloat, op, c, s));
    WANT(ncclAllReduce(a.at, a.at, N, ncclDouble, op, c, s), ncclInvalidArgument);
    CUDA(cudaStreamSynchronize(s));
    NCCL(ncclRedOpDestroy(op, c));
    std::vector<char> got = a.get();
    bool ok = true;
    for (size_t i = 0; i < N; i++)
        ok &= get(types[7], got.data(), i) == 3.0 * (double)i;
    CHECK(ok);
}

static void children(ncclComm_t c, cudaStream_t s)
{
    ncclComm_t half = nullptr, none = (ncclComm_t)1;
    int n = 0;
    WANT(ncclCommSplit(nullptr, 0, 0, &half, nullptr), ncclInvalidArgument);
    WANT(ncclCommSplit(c, 0, 0, nullptr, nullptr), ncclInvalidArgument);
    NCCL(ncclCommSplit(c, 3, 0, &half, nullptr));
    NCCL(ncclCommCount(half, &n));
    CHECK(n == 1);
    NCCL(ncclCommSplit(c, NCCL_SPLIT_NOCOLOR, 0, &none, nullptr));
    CHECK(!none);
    Buffer x(0, 400);
    NCCL(ncclAllReduce(x.at, x.at, 100, ncclFloat, ncclSum, half, s));
    CUDA(cudaStreamSynchronize(s));
    NCCL(ncclCommDestroy(half));
}

int main()
{
    cudaStream_t s;
    library();
    making();
    CUDA(cudaSetDevice(0));
    CUDA(cudaStreamCreate(&s));
    // Each with a communicator of its own: NVIDIA's is of no use once it was given a wrong argument.
    for (void (*part)(ncclComm_t, cudaStream_t) : {arguments, groups, registrations, values, children}) {
        ncclComm_t c;
        NCCL(ncclCommInitAll(&c, 1, nullptr));
        part(c, s);
        NCCL(ncclCommDestroy(c));
    }
    return summary();
}
