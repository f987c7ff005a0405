// SPDX-License-Identifier: Apache-2.0
// Native kernels (src/driver/native.h): every part runs once, in the order of the stream; graphs replay them and keep their
// state; a bad address is the context's error and nothing else's.
#include "common.h"
#include "driver/native.h"
#include <stdatomic.h>
#include <unistd.h>

static native_kernel_fn *native_kernel;

struct scale { // out[part] = factor * in[part]
    struct native_head head;
    const double *in;
    double *out, factor;
};

static void scale_run(const void *block, uint64_t part)
{
    const struct scale *s = block;
    s->out[part] = s->factor * s->in[part];
}

struct shared {
    struct native_state state;
    double bias;
};
static atomic_int released;

static void shared_release(struct native_state *s)
{
    atomic_fetch_add(&released, 1);
    free(s);
}

static void bias_run(const void *block, uint64_t part)
{
    const struct scale *s = block;
    s->out[part] = s->in[part] + ((const struct shared *)s->head.state)->bias;
}

static CUkernel kernel_make(const char *name)
{
    CUkernel k = NULL;
    OK(native_kernel(&k, name, sizeof(struct scale)));
    return k;
}

static CUresult launch(CUkernel k, const struct scale *s, unsigned parts, unsigned work, CUstream stream)
{
    void *params[] = {(void *)(uintptr_t)s};
    return cuLaunchKernel((CUfunction)k, parts, 1, 1, work, 1, 1, 0, stream, params, NULL);
}

enum { N = 100003 };

// A chain of grids, with sizes of work that have times of their own; the block is the caller's again at once.
static void order(CUkernel k)
{
    CUdeviceptr a, b;
    CUstream s;
    static double host[N];
    OK(cuMemAlloc(&a, sizeof host));
    OK(cuMemAlloc(&b, sizeof host));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < N; i++)
        host[i] = i;
    OK(cuMemcpyHtoDAsync(a, host, sizeof host, s));
    for (int i = 0; i < 20; i++) {
        struct scale x = {{scale_run, NULL}, (double *)(i % 2 ? b : a), (double *)(i % 2 ? a : b), i % 2 ? 0.25 : 8};
        OK(launch(k, &x, N, 1 + (unsigned)i % NATIVE_WORKS, s));
        memset(&x, 0, sizeof x);
    }
    OK(cuMemcpyDtoHAsync(host, a, sizeof host, s));
    OK(cuStreamSynchronize(s));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += host[i] != 1024.0 * i;
    CHECK(wrong == 0);
    OK(cuStreamDestroy(s));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
}

// The library drops its own reference while a launch, a graph, its copy and two executable graphs have theirs.
static void graphs(CUkernel k)
{
    CUdeviceptr a;
    CUstream s;
    CUgraph g, copy;
    CUgraphExec one, two;
    CUgraphNode node;
    CUgraphNodeType type;
    size_t n = 1;
    double value = 0;
    struct shared *state = calloc(1, sizeof *state);
    state->state.refs = 1;
    state->state.release = shared_release;
    state->bias = 0.5;
    OK(cuMemAlloc(&a, 8 * sizeof value));
    OK(cuMemsetD8(a, 0, 8 * sizeof value));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    struct scale x = {{bias_run, &state->state}, (double *)a, (double *)a, 0};
    OK(launch(k, &x, 8, 1, s));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(launch(k, &x, 8, 1, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphGetNodes(g, &node, &n));
    CHECK((int)n == 1);
    OK(cuGraphNodeGetType(node, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL);
    native_run_fn *run = x.head.run;
    if (__atomic_fetch_sub(&state->state.refs, 1, __ATOMIC_ACQ_REL) == 1)
        shared_release(&state->state);
    OK(cuGraphClone(&copy, g));
    OK(cuGraphInstantiate(&one, g, 0));
    OK(cuGraphInstantiate(&two, copy, 0));
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(copy));
    OK(cuGraphLaunch(one, s));
    OK(cuGraphLaunch(two, s));
    OK(cuGraphLaunch(one, s));
    OK(cuStreamSynchronize(s));
    CHECK(atomic_load(&released) == 0);
    OK(cuMemcpyDtoH(&value, a + 7 * sizeof value, sizeof value));
    CHECK(value == 2.0 && run == bias_run);
    OK(cuGraphExecDestroy(one));
    OK(cuGraphExecDestroy(two));
    OK(cuCtxSynchronize());
    OK(cuStreamDestroy(s));
    OK(cuMemFree(a));
}

static CUgraph capture(CUkernel k, CUstream s, CUdeviceptr a, double factor)
{
    CUgraph g = NULL;
    struct scale x = {{scale_run, NULL}, (double *)a, (double *)a, factor};
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(launch(k, &x, 8, 1, s));
    OK(cuStreamEndCapture(s, &g));
    return g;
}

// An executable graph takes over the arguments of another graph, and of a node that is set.
static void updates(CUkernel k)
{
    CUdeviceptr a;
    CUstream s;
    CUgraphExec exec;
    CUgraphNode node;
    CUgraphExecUpdateResultInfo info;
    CUDA_KERNEL_NODE_PARAMS params;
    size_t n = 1;
    double value = 1;
    OK(cuMemAlloc(&a, 8 * sizeof value));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 8; i++)
        OK(cuMemcpyHtoD(a + (unsigned)i * sizeof value, &value, sizeof value));
    CUgraph two = capture(k, s, a, 2), five = capture(k, s, a, 5);
    OK(cuGraphInstantiate(&exec, two, 0));
    OK(cuGraphLaunch(exec, s));
    OK(cuGraphExecUpdate(exec, five, &info));
    OK(cuGraphLaunch(exec, s));
    OK(cuGraphGetNodes(two, &node, &n));
    OK(cuGraphKernelNodeGetParams(node, &params));
    struct scale x = *(struct scale *)params.kernelParams[0];
    CHECK(x.factor == 2 && params.gridDimX == 8);
    x.factor = 7;
    params.kernelParams[0] = &x;
    OK(cuGraphExecKernelNodeSetParams(exec, node, &params));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(&value, a + 3 * sizeof value, sizeof value));
    CHECK(value == 70);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(two));
    OK(cuGraphDestroy(five));
    OK(cuStreamDestroy(s));
    OK(cuMemFree(a));
}

static void bad_address(CUkernel k)
{
    CUcontext c;
    struct scale x = {{scale_run, NULL}, (double *)16, (double *)16, 1};
    OK(cuCtxCreate(&c, NULL, 0, 0));
    OK(launch(k, &x, 1000, 1, 0));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(launch(k, &x, 1000, 1, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuCtxDestroy(c));
}

// ---- tasks: in turns, asleep between them, and again in graphs
struct chore {
    struct native_task_head head;
    double *out;
    atomic_uint *turns, *abandoned;
    _Atomic(struct native_task *) *under_way;
    atomic_bool *go;
};
static native_wake_fn *wake;

// Asleep until `go`, then once more behind others, then over.
static enum native_turn chore_turn(const void *block, struct native_task *task)
{
    const struct chore *c = block;
    atomic_fetch_add(c->turns, 1);
    if (!atomic_load(c->go)) {
        atomic_store(c->under_way, task);
        return NATIVE_ASLEEP;
    }
    if (atomic_exchange(c->under_way, NULL))
        return NATIVE_AGAIN;
    *c->out += 1;
    return NATIVE_OVER;
}

static void chore_abandon(const void *block, struct native_task *task)
{
    (void)task;
    atomic_fetch_add(((const struct chore *)block)->abandoned, 1);
}

static CUresult chore_launch(CUkernel k, struct chore *c, CUstream stream)
{
    void *params[] = {c};
    return cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static void chore_release(struct chore *c)
{
    struct native_task *t;
    while (!(t = atomic_load(c->under_way)))
        usleep(100);
    atomic_store(c->go, true);
    wake(t);
}

static void tasks(CUkernel scale, CUcontext main_context)
{
    native_task_fn *native_task;
    void *p = NULL;
    CUkernel k = NULL;
    CUstream a, b;
    CUdeviceptr memory;
    static atomic_uint turns, abandoned;
    static _Atomic(struct native_task *) under_way;
    static atomic_bool go;
    OK(cuGetProcAddress("heddleNativeTask", &p, CUDA_VERSION, 0, NULL));
    native_task = (native_task_fn *)p;
    OK(native_task(&k, &wake, "native_chore", sizeof(struct chore)));
    EXPECT(native_task(&k, NULL, "native_chore", sizeof(struct chore)), CUDA_ERROR_INVALID_VALUE);
    EXPECT(native_task(&k, &wake, "native_chore", 16), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&memory, 2 * sizeof(double)));
    double *x = (double *)(uintptr_t)memory;
    x[0] = x[1] = 1;
    struct chore c = {{chore_turn, NULL, chore_abandon}, x, &turns, &abandoned, &under_way, &go};
    struct scale s = {{scale_run, NULL}, x, x, 10}, other = {{scale_run, NULL}, x + 1, x + 1, 10};
    // What comes behind it waits; another stream does not.
    OK(chore_launch(k, &c, a));
    OK(launch(scale, &s, 1, 1, a));
    OK(launch(scale, &other, 1, 1, b));
    OK(cuStreamSynchronize(b));
    CHECK(x[1] == 10);
    EXPECT(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
    chore_release(&c);
    OK(cuStreamSynchronize(a));
    CHECK(x[0] == 20 && atomic_load(&turns) == 3);
    // A graph runs it again and again.
    CUgraph g;
    CUgraphExec exec;
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(chore_launch(k, &c, a));
    OK(launch(scale, &s, 1, 1, a));
    OK(cuStreamEndCapture(a, &g));
    OK(cuGraphInstantiate(&exec, g, 0));
    for (int i = 0; i < 3; i++) {
        atomic_store(&go, false);
        x[0] = i;
        OK(cuGraphLaunch(exec, a));
        chore_release(&c);
        OK(cuStreamSynchronize(a));
        CHECK(x[0] == 10 * (i + 1));
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
    // A fault in a turn is the context's, and the task is told.
    CUcontext lost;
    CUstream d;
    OK(cuCtxCreate(&lost, NULL, 0, 0));
    OK(cuStreamCreate(&d, CU_STREAM_NON_BLOCKING));
    c.out = (double *)64;
    OK(chore_launch(k, &c, d));
    EXPECT(cuStreamSynchronize(d), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(atomic_load(&abandoned) == 1);
    EXPECT(cuCtxDestroy(lost), CUDA_SUCCESS);
    OK(cuCtxSetCurrent(main_context));
    OK(cuMemFree(memory));
}

static void refusals(CUkernel k)
{
    CUkernel none;
    struct scale x = {{scale_run, NULL}, NULL, NULL, 1};
    EXPECT(launch(k, &x, 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(native_kernel(NULL, "name", 64), CUDA_ERROR_INVALID_VALUE);
    EXPECT(native_kernel(&none, NULL, 64), CUDA_ERROR_INVALID_VALUE);
    EXPECT(native_kernel(&none, "name", 8), CUDA_ERROR_INVALID_VALUE);
    EXPECT(native_kernel(&none, "name", 1 << 20), CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    CUcontext c = start();
    void *p = NULL;
    OK(cuGetProcAddress("heddleNativeKernel", &p, CUDA_VERSION, 0, NULL));
    native_kernel = (native_kernel_fn *)p;
    if (native_kernel) {
        CUkernel k = kernel_make("native_scale");
        order(k);
        graphs(kernel_make("native_bias"));
        updates(k);
        refusals(k);
        tasks(k, c);
        bad_address(k);
        OK(cuCtxSetCurrent(c));
        order(k); // this context goes on
    }
    OK(cuCtxDestroy(c));
    CHECK(atomic_load(&released) == 1);
    return test_summary();
}
