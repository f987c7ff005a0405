// SPDX-License-Identifier: Apache-2.0
// Every collective against what it should give, for the ranks of this process.
#ifndef HEDDLE_TEST_NCCL_SUITE_H
#define HEDDLE_TEST_NCCL_SUITE_H
#include "ranks.h"
#include <functional>
#include <memory>

enum Kind { REDUCE, BROADCAST, ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, KINDS };

static ncclResult_t call(Kind k, const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op,
                         int root, ncclComm_t comm, cudaStream_t stream)
{
    switch (k) {
    case REDUCE:
        return ncclReduce(send, recv, count, type, op, root, comm, stream);
    case BROADCAST:
        return ncclBroadcast(send, recv, count, type, root, comm, stream);
    case ALL_REDUCE:
        return ncclAllReduce(send, recv, count, type, op, comm, stream);
    case REDUCE_SCATTER:
        return ncclReduceScatter(send, recv, count, type, op, comm, stream);
    case ALL_GATHER:
        return ncclAllGather(send, recv, count, type, comm, stream);
    case ALL_TO_ALL:
        return ncclAlltoAll(send, recv, count, type, comm, stream);
    case GATHER:
        return ncclGather(send, recv, count, type, root, comm, stream);
    default:
        return ncclScatter(send, recv, count, type, root, comm, stream);
    }
}

static bool sends_all(Kind k)
{
    return k == REDUCE_SCATTER || k == ALL_TO_ALL || k == SCATTER;
}
static bool gets_all(Kind k)
{
    return k == ALL_GATHER || k == ALL_TO_ALL || k == GATHER;
}
static bool at_root(Kind k)
{
    return k == REDUCE || k == GATHER;
} // only the root gets something

// What rank `me` must have at place i.
static double expected(Kind k, int me, int n, size_t count, size_t i, ncclRedOp_t op, int root, bool is_float)
{
    int from = (int)(i / count);
    size_t at = i % count;
    switch (k) {
    case REDUCE:
    case ALL_REDUCE:
        return reduced(n, i, op, is_float);
    case REDUCE_SCATTER:
        return reduced(n, (size_t)me * count + i, op, is_float);
    case BROADCAST:
        return input(root, i, op);
    case ALL_TO_ALL:
        return input(from, (size_t)me * count + at, op);
    case SCATTER:
        return input(root, (size_t)me * count + i, op);
    default:
        return input(from, at, op);
    }
}

// One collective of a kind, out of place or in place where that is so defined.
static void one(Ranks &r, Kind k, const Type &t, ncclRedOp_t op, size_t count, int root, bool in_place)
{
    size_t n = (size_t)r.n, in = count * (sends_all(k) ? n : 1), out = count * (gets_all(k) ? n : 1);
    std::vector<std::unique_ptr<Buffer>> sends, recvs;
    std::vector<void *> to;
    std::vector<const void *> from;
    for (size_t i = 0; i < r.here(); i++) {
        size_t me = (size_t)r.rank[i], most = in > out ? in : out;
        std::vector<char> data(in * t.bytes), none((in_place ? most : out) * t.bytes, 0x55);
        for (size_t e = 0; e < in; e++)
            put(t, data.data(), e, input(r.rank[i], e, op));
        sends.emplace_back(new Buffer(r.device[i], data.size()));
        recvs.emplace_back(new Buffer(r.device[i], none.size()));
        sends.back()->set(data);
        recvs.back()->set(none);
        char *a = (char *)recvs.back()->at;
        if (!in_place) {
            from.push_back(sends.back()->at);
            to.push_back(a);
            continue;
        }
        bool own_block = k == ALL_GATHER || (k == GATHER && (int)me == root);
        bool own_result = k == REDUCE_SCATTER || (k == SCATTER && (int)me == root);
        char *source = a + (own_block ? me * count * t.bytes : 0);
        CUDA(cudaMemcpy(source, data.data(), data.size(), cudaMemcpyDefault));
        from.push_back(source);
        to.push_back(a + (own_result ? me * count * t.bytes : 0));
    }
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < r.here(); i++)
        NCCL(call(k, from[i], to[i], count, t.id, op, root, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    r.wait();
    for (size_t i = 0; i < r.here(); i++) {
        if (at_root(k) && r.rank[i] != root)
            continue;
        std::vector<char> got(out * t.bytes);
        CUDA(cudaMemcpy(got.data(), to[i], got.size(), cudaMemcpyDefault));
        size_t wrong = 0, first = 0;
        for (size_t e = 0; e < out; e++)
            if (!close_to(t, get(t, got.data(), e), expected(k, r.rank[i], r.n, count, e, op, root, t.is_float)) &&
                !wrong++)
                first = e;
        CHECK(wrong == 0);
        if (wrong)
            printf("  kind %d type %d op %d count %zu root %d in place %d rank %d: %zu wrong, at %zu %g for %g\n", k,
                   t.id, op, count, root, in_place, r.rank[i], wrong, first, get(t, got.data(), first),
                   expected(k, r.rank[i], r.n, count, first, op, root, t.is_float));
    }
}

static void all_types(Ranks &r)
{
    static const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    for (const Type &t : types)
        for (ncclRedOp_t op : ops) {
            if (!is_reduced(t, op))
                continue;
            one(r, ALL_REDUCE, t, op, 301, 0, op == ncclMax);
            one(r, REDUCE_SCATTER, t, op, 77, 0, op == ncclMin);
            one(r, REDUCE, t, op, 301, 1 % r.n, op == ncclProd);
        }
}

static void all_kinds(Ranks &r, size_t large)
{
    const Type &f = types[7], &b = types[0];
    for (int k = 0; k < KINDS; k++)
        for (int in_place = 0; in_place < 2; in_place++) {
            if (k == ALL_TO_ALL && in_place)
                continue;
            one(r, (Kind)k, f, ncclSum, large, r.n - 1, in_place);
            one(r, (Kind)k, f, ncclSum, 1, 0, in_place);
            one(r, (Kind)k, b, ncclSum, 13, 0, in_place);
        }
}

// Messages around the circle and to itself, several calls fused, counts that are not equal.
static void messages(Ranks &r, size_t count)
{
    std::vector<std::unique_ptr<Buffer>> out, in;
    for (size_t i = 0; i < r.here(); i++) {
        std::vector<char> data(3 * count * 4);
        for (size_t e = 0; e < 3 * count; e++)
            put(types[2], data.data(), e, (double)(1000 * r.rank[i] + (int)(e % 997)));
        out.emplace_back(new Buffer(r.device[i], data.size()));
        in.emplace_back(new Buffer(r.device[i], data.size()));
        out.back()->set(data);
    }
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < r.here(); i++) {
        int next = (r.rank[i] + 1) % r.n, prev = (r.rank[i] + r.n - 1) % r.n;
        int *a = (int *)out[i]->at, *b = (int *)in[i]->at;
        NCCL(ncclSend(a, count, ncclInt32, next, r.comm[i], r.stream[i]));
        NCCL(ncclRecv(b, count, ncclInt32, prev, r.comm[i], r.stream[i]));
        NCCL(ncclSend(a + count, 7, ncclInt32, next, r.comm[i], r.stream[i]));
        NCCL(ncclRecv(b + count, 7, ncclInt32, prev, r.comm[i], r.stream[i]));
        NCCL(ncclRecv(b + 2 * count, count, ncclInt32, r.rank[i], r.comm[i], r.stream[i]));
        NCCL(ncclSend(a + 2 * count, count, ncclInt32, r.rank[i], r.comm[i], r.stream[i]));
        NCCL(ncclSend(a, 0, ncclInt32, next, r.comm[i], r.stream[i]));
        NCCL(ncclRecv(b, 0, ncclInt32, prev, r.comm[i], r.stream[i]));
    }
    NCCL(ncclGroupEnd());
    r.wait();
    for (size_t i = 0; i < r.here(); i++) {
        std::vector<char> got = in[i]->get();
        const int *v = (const int *)got.data();
        int prev = (r.rank[i] + r.n - 1) % r.n;
        bool ok = true;
        for (size_t e = 0; e < count; e++)
            ok &= v[e] == 1000 * prev + (int)(e % 997) &&
                  v[2 * count + e] == 1000 * r.rank[i] + (int)((2 * count + e) % 997);
        for (size_t e = count; e < count + 7; e++)
            ok &= v[e] == 1000 * prev + (int)(e % 997);
        CHECK(ok);
    }
}

__global__ static void scale(float *x, size_t n, float by)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

// A step of several collectives and kernels between them; `record` puts it into the streams.
static void step(Ranks &r, std::vector<float *> &x, size_t n)
{
    unsigned blocks = (unsigned)((n + 127) / 128);
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < r.here(); i++)
        NCCL(ncclAllReduce(x[i], x[i], n, ncclFloat, ncclSum, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    for (size_t i = 0; i < r.here(); i++) {
        CUDA(cudaSetDevice(r.device[i]));
        scale<<<blocks, 128, 0, r.stream[i]>>>(x[i], n, 1.0f / (float)r.n);
        CUDA(cudaGetLastError());
    }
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < r.here(); i++) {
        NCCL(ncclBroadcast(x[i], x[i], n / 2, ncclFloat, r.n - 1, r.comm[i], r.stream[i]));
        NCCL(ncclAllReduce(x[i] + n / 2, x[i] + n / 2, n - n / 2, ncclFloat, ncclMax, r.comm[i], r.stream[i]));
    }
    NCCL(ncclGroupEnd());
}

// In streams and in graphs, which are replayed; both must give the same.
static void graphs(Ranks &r, size_t n)
{
    std::vector<float *> x;
    std::vector<std::unique_ptr<Buffer>> memory;
    std::vector<cudaGraphExec_t> execs(r.here());
    auto fill = [&] {
        for (size_t i = 0; i < r.here(); i++) {
            std::vector<char> data(n * 4);
            for (size_t e = 0; e < n; e++)
                put(types[7], data.data(), e, (double)(r.rank[i] + 1));
            memory[i]->set(data);
        }
    };
    auto right = [&] { // the mean of 1 ... n everywhere, however often
        for (size_t i = 0; i < r.here(); i++) {
            std::vector<char> got = memory[i]->get();
            bool ok = true;
            for (size_t e = 0; e < n; e++)
                ok &= close_to(types[7], get(types[7], got.data(), e), (r.n + 1) / 2.0);
            CHECK(ok);
        }
    };
    for (size_t i = 0; i < r.here(); i++) {
        memory.emplace_back(new Buffer(r.device[i], n * 4));
        x.push_back((float *)memory[i]->at);
    }
    fill();
    for (int k = 0; k < 5; k++)
        step(r, x, n);
    r.wait();
    right();
    for (size_t i = 0; i < r.here(); i++)
        CUDA(cudaStreamBeginCapture(r.stream[i], cudaStreamCaptureModeRelaxed));
    step(r, x, n);
    for (size_t i = 0; i < r.here(); i++) {
        cudaGraph_t g;
        CUDA(cudaStreamEndCapture(r.stream[i], &g));
        CUDA(cudaSetDevice(r.device[i]));
        CUDA(cudaGraphInstantiate(&execs[i], g, 0));
        CUDA(cudaGraphDestroy(g));
    }
    fill();
    for (int k = 0; k < 20; k++)
        for (size_t i = 0; i < r.here(); i++)
            CUDA(cudaGraphLaunch(execs[i], r.stream[i]));
    r.wait();
    right();
    for (cudaGraphExec_t g : execs)
        CUDA(cudaGraphExecDestroy(g));
}

// Sums of inputs that are multiplied: each rank has a factor of its own, of the host or the device.
static void factors(Ranks &r)
{
    enum { N = 1000 };
    for (int device = 0; device < 2; device++)
        for (const Type *t : {&types[7], &types[8], &types[2], &types[6]}) {
            std::vector<std::unique_ptr<Buffer>> x, scalars;
            std::vector<ncclRedOp_t> ops(r.here());
            for (size_t i = 0; i < r.here(); i++) {
                std::vector<char> data(N * t->bytes), scalar(8);
                for (size_t e = 0; e < N; e++)
                    put(*t, data.data(), e, (double)(e % 5));
                put(*t, scalar.data(), 0, r.rank[i] + 1);
                x.emplace_back(new Buffer(r.device[i], data.size()));
                x[i]->set(data);
                scalars.emplace_back(new Buffer(r.device[i], 8));
                scalars[i]->set(scalar);
                NCCL(ncclRedOpCreatePreMulSum(&ops[i], device ? scalars[i]->at : scalar.data(), t->id,
                                              device ? ncclScalarDevice : ncclScalarHostImmediate, r.comm[i]));
            }
            NCCL(ncclGroupStart());
            for (size_t i = 0; i < r.here(); i++)
                NCCL(ncclAllReduce(x[i]->at, x[i]->at, N, t->id, ops[i], r.comm[i], r.stream[i]));
            NCCL(ncclGroupEnd());
            for (size_t i = 0; i < r.here(); i++)
                NCCL(ncclRedOpDestroy(ops[i], r.comm[i]));
            r.wait();
            for (size_t i = 0; i < r.here(); i++) {
                std::vector<char> got = x[i]->get();
                bool ok = true;
                for (size_t e = 0; e < N; e++)
                    ok &= close_to(*t, get(*t, got.data(), e), (double)(e % 5) * r.n * (r.n + 1) / 2);
                CHECK(ok);
            }
        }
}

// Even and odd ranks by themselves, in the opposite order.
static void splits(Ranks &r)
{
    std::vector<ncclComm_t> parts(r.here());
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < r.here(); i++)
        NCCL(ncclCommSplit(r.comm[i], r.rank[i] == r.n - 1 && r.n > 2 ? NCCL_SPLIT_NOCOLOR : r.rank[i] % 2, -r.rank[i],
                           &parts[i], nullptr));
    NCCL(ncclGroupEnd());
    std::vector<std::unique_ptr<Buffer>> x;
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < r.here(); i++) {
        std::vector<char> data(4);
        put(types[2], data.data(), 0, 1 << r.rank[i]);
        x.emplace_back(new Buffer(r.device[i], 4));
        x[i]->set(data);
        CHECK((parts[i] == nullptr) == (r.rank[i] == r.n - 1 && r.n > 2));
        if (parts[i])
            NCCL(ncclAllReduce(x[i]->at, x[i]->at, 1, ncclInt, ncclSum, parts[i], r.stream[i]));
    }
    NCCL(ncclGroupEnd());
    r.wait();
    for (size_t i = 0; i < r.here(); i++) {
        int want = 0, members = 0, before = 0, count, rank;
        for (int k = 0; k < r.n - (r.n > 2); k++)
            if (k % 2 == r.rank[i] % 2) {
                want += 1 << k;
                members++;
                before += k > r.rank[i];
            }
        if (!parts[i])
            continue;
        NCCL(ncclCommCount(parts[i], &count));
        NCCL(ncclCommUserRank(parts[i], &rank));
        CHECK(count == members && rank == before);
        CHECK((int)get(types[2], x[i]->get().data(), 0) == want);
        NCCL(ncclCommDestroy(parts[i]));
    }
}

static void suite(Ranks &r, bool whole)
{
    r.streams();
    if (whole)
        all_types(r);
    all_kinds(r, 300007);
    messages(r, 50021);
    factors(r);
    graphs(r, 5000);
    splits(r);
    r.destroy();
}
#endif
