// SPDX-License-Identifier: Apache-2.0
// Memory and events shared with another process, and words that streams wait for.
#include "common.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

struct letter {
    CUipcMemHandle memory;
    CUipcEventHandle ready, answered;
    CUmemPoolPtrExportData pointer;
    int pool; // descriptor in the first process
};

static atomic_int gate;
static void wait_gate(void *data)
{
    (void)data;
    while (!atomic_load(&gate))
        usleep(100);
}

// Waits for the event, reads what was written before it, answers.
static int other_process(int in, int out)
{
    struct letter l;
    CUdeviceptr p, again;
    CUevent ready, answered;
    CUstream s;
    unsigned word = 0;
    char byte = 1;
    CUcontext c = start();
    if (read(in, &l, sizeof l) != sizeof l)
        return 9;
    OK(cuIpcOpenMemHandle(&p, l.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    OK(cuIpcOpenMemHandle(&again, l.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    CHECK(again == p);
    OK(cuIpcCloseMemHandle(again));
    OK(cuIpcOpenEventHandle(&ready, l.ready));
    OK(cuIpcOpenEventHandle(&answered, l.answered));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    EXPECT(cuEventQuery(ready), CUDA_ERROR_NOT_READY);
    OK(cuStreamWaitEvent(s, ready, 0));
    OK(cuMemcpyDtoDAsync(p + 4096, p, 4, s));
    OK(cuEventRecord(answered, s));
    EXPECT(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
    CHECK(write(out, &byte, 1) == 1); // now the other side may go on
    OK(cuStreamSynchronize(s));
    OK(cuEventSynchronize(ready));
    OK(cuEventQuery(ready));
    OK(cuMemcpyDtoH(&word, p + 4096, 4));
    CHECK(word == 99);
    char path[64];
    CUmemoryPool pool;
    CUdeviceptr q;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), l.pool);
    int fd = open(path, O_RDWR);
    OK(cuMemPoolImportFromShareableHandle(&pool, (void *)(uintptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    EXPECT(
        cuMemPoolImportFromShareableHandle(&pool, (void *)(uintptr_t)in, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        CUDA_ERROR_INVALID_VALUE);
    close(fd);
    OK(cuMemPoolImportPointer(&q, pool, &l.pointer));
    OK(cuMemcpyDtoH(&word, q + 96, 4));
    CHECK(word == 55);
    EXPECT(cuMemAllocFromPoolAsync(&again, 64, pool, s), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFreeAsync(q, s));
    EXPECT(cuMemFree(q), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemPoolDestroy(pool));
    CHECK(write(out, &byte, 1) == 1);
    OK(cuIpcCloseMemHandle(p));
    EXPECT(cuIpcCloseMemHandle(p), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyDtoH(&word, p, 4), CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxDestroy(c));
    return test_failed;
}

static void test_processes(int out, int in, pid_t child)
{
    struct letter l;
    CUdeviceptr p, small;
    CUevent ready, answered, plain;
    CUstream s;
    CUipcMemHandle wrong;
    CUipcEventHandle wrong_event;
    unsigned word = 0;
    int status = 1;
    char byte;
    OK(cuMemAlloc(&p, 10000));
    OK(cuMemsetD32(p, 5, 2500));
    OK(cuIpcGetMemHandle(&l.memory, p));
    OK(cuMemcpyDtoH(&word, p + 9996, 4)); // still there
    CHECK(word == 5);
    EXPECT(cuIpcGetMemHandle(&wrong, (CUdeviceptr)(uintptr_t)&word), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAlloc(&small, 64));
    EXPECT(cuIpcGetMemHandle(&wrong, small), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuIpcOpenMemHandle(&small, l.memory, 1), CUDA_ERROR_INVALID_CONTEXT); // not in its own process
    EXPECT(cuEventCreate(&ready, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
    OK(cuEventCreate(&ready, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&answered, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&plain, 0));
    EXPECT(cuIpcGetEventHandle(&wrong_event, plain), CUDA_ERROR_INVALID_HANDLE);
    OK(cuIpcGetEventHandle(&l.ready, ready));
    OK(cuIpcGetEventHandle(&l.answered, answered));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemoryPool pool;
    CUdeviceptr q;
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemAllocFromPoolAsync(&q, 100, pool, s));
    OK(cuMemsetD32Async(q, 55, 25, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemPoolExportToShareableHandle(&l.pool, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    OK(cuMemPoolExportPointer(&l.pointer, q));
    EXPECT(cuMemPoolExportPointer(&l.pointer, p), CUDA_ERROR_INVALID_VALUE);
    OK(cuLaunchHostFunc(s, wait_gate, NULL));
    OK(cuMemsetD32Async(p, 99, 1, s));
    OK(cuEventRecord(ready, s));
    CHECK(write(out, &l, sizeof l) == (ssize_t)sizeof l);
    CHECK(read(in, &byte, 1) == 1);
    atomic_store(&gate, 1);
    OK(cuEventSynchronize(answered));
    OK(cuMemcpyDtoH(&word, p + 4096, 4));
    CHECK(word == 99);
    CHECK(read(in, &byte, 1) == 1);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    OK(cuMemFreeAsync(q, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemPoolDestroy(pool));
    close(l.pool);
    OK(cuEventDestroy(ready));
    OK(cuEventDestroy(answered));
    OK(cuMemFree(p));
    OK(cuStreamDestroy(s));
}

static void test_words(void)
{
    CUdeviceptr p;
    CUstream a, b;
    unsigned got[4];
    OK(cuMemAlloc(&p, 64));
    OK(cuMemsetD32(p, 0, 16));
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamWaitValue32(a, p, 7, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWriteValue32(a, p + 4, 1, 0));
    OK(cuStreamWaitValue64(a, p + 8, 6, CU_STREAM_WAIT_VALUE_AND));
    OK(cuStreamWriteValue32(a, p + 4, 2, 0));
    EXPECT(cuStreamWaitValue32(a, p + 2, 7, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuStreamWaitValue32(a, p, 7, 8), CUDA_ERROR_INVALID_VALUE);
    usleep(2000);
    EXPECT(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
    OK(cuStreamWriteValue32(b, p, 9, 0));
    OK(cuStreamWaitValue32(b, p + 4, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamWriteValue64(b, p + 8, 4, 0));
    OK(cuStreamSynchronize(a));
    OK(cuStreamSynchronize(b));
    OK(cuMemcpyDtoH(got, p, sizeof got));
    CHECK(got[0] == 9 && got[1] == 2 && got[2] == 4);

    // the same as a graph, whose wait is satisfied from outside
    CUgraph g;
    CUgraphExec x;
    CUgraphNode node;
    CUDA_BATCH_MEM_OP_NODE_PARAMS q;
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuStreamWaitValue32(a, p + 32, 3, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamWriteValue32(a, p + 36, 33, 0));
    OK(cuStreamEndCapture(a, &g));
    size_t n = 1;
    OK(cuGraphGetRootNodes(g, &node, &n));
    OK(cuGraphBatchMemOpNodeGetParams(node, &q));
    CHECK(q.count == 1 && q.paramArray[0].operation == CU_STREAM_MEM_OP_WAIT_VALUE_32);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, a));
    usleep(2000);
    EXPECT(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
    OK(cuStreamWriteValue32(b, p + 32, 3, 0));
    OK(cuStreamSynchronize(a));
    OK(cuMemcpyDtoH(got, p + 36, 4));
    CHECK(got[0] == 33);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuMemFree(p));
}

enum { COPIED = 16 << 20 };
static CUdeviceptr copied_to;
static CUcontext copied_in;
static atomic_int copies, copied_enough;

static void *copies_on(void *host)
{
    bool well = !cuCtxSetCurrent(copied_in);
    while (!atomic_load(&copied_enough)) {
        well &= !cuMemcpyHtoD(copied_to, host, COPIED);
        atomic_fetch_add(&copies, 1);
    }
    return well ? host : NULL;
}

static void copies_more(int n)
{
    for (int now = atomic_load(&copies); atomic_load(&copies) < now + n;)
        usleep(100);
}

// Another thread copies to memory while it becomes memory that is shared. No kernel has run yet.
static int while_copied(void)
{
    CUcontext c = start();
    CUipcMemHandle handle;
    pthread_t thread;
    void *well;
    unsigned char *host = malloc(COPIED);
    for (int i = 0; i < 4; i++) {
        OK(cuMemAlloc(&copied_to, COPIED));
        memset(host, i + 1, COPIED);
        copied_in = c;
        atomic_store(&copied_enough, 0);
        pthread_create(&thread, NULL, copies_on, host);
        copies_more(1);
        OK(cuIpcGetMemHandle(&handle, copied_to));
        copies_more(1);
        atomic_store(&copied_enough, 1);
        pthread_join(thread, &well);
        CHECK(well);
        OK(cuMemcpyDtoH(host, copied_to, COPIED));
        for (size_t k = 0; k < COPIED; k++)
            if (host[k] != i + 1) {
                CHECK(host[k] == i + 1);
                break;
            }
        OK(cuMemFree(copied_to));
    }
    free(host);
    OK(cuCtxDestroy(c));
    return test_failed;
}

int main(void)
{
    int there[2], back[2], status;
    pid_t copier = fork();
    if (!copier)
        return while_copied();
    CHECK(waitpid(copier, &status, 0) == copier && status == 0);
    CHECK(!pipe(there) && !pipe(back));
    pid_t child = fork(); // before the driver is used
    if (!child)
        return other_process(there[0], back[1]);
    CUcontext c = start();
    test_processes(there[1], back[0], child);
    test_words();
    OK(cuCtxDestroy(c));
    return test_summary();
}
