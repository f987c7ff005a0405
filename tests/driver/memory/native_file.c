// SPDX-License-Identifier: Apache-2.0
// Device memory that becomes a part of a file while a kernel and a thread of the host write to it (src/driver/native.h): nothing that they write
// is lost, and the file holds it. Where a thread could not wait, the memory stays what it is.
#include "common.h"
#include "driver/native.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 4 << 20, ROUNDS = 20 };
static atomic_bool stop;
static native_file_fn *native_file;
static unsigned rounds[2]; // by the kernel, by the thread

struct count {
    struct native_head head;
    unsigned *at, step;
};

// Adds 1 to every second word, as often as it can.
static void count_run(const void *block, uint64_t part)
{
    const struct count *c = block;
    while (!atomic_load(&stop)) {
        for (size_t i = part; i < WORDS; i += c->step)
            c->at[i]++;
        rounds[part]++;
    }
}

static void *count_thread(void *data)
{
    struct count c = {.at = data, .step = 2};
    count_run(&c, 1);
    return NULL;
}

static void expect_words(const unsigned *at, const char *where)
{
    for (size_t i = 0; i < WORDS; i++)
        if (at[i] != rounds[i % 2]) {
            printf("%s: word %zu is %u of %u\n", where, i, at[i], rounds[i % 2]);
            CHECK(at[i] == rounds[i % 2]);
            return;
        }
}

// A thread that is about to begin has all signals blocked: some tries.
static CUresult made(void *at, size_t size, struct native_file *file)
{
    CUresult r = native_file(at, size, file);
    for (int i = 0; i < 1000 && r == CUDA_ERROR_NOT_SUPPORTED; i++) {
        usleep(1000);
        r = native_file(at, size, file);
    }
    return r;
}

static void writers_wait(CUkernel k)
{
    CUdeviceptr memory;
    CUstream s;
    pthread_t thread;
    struct native_file file, again;
    const size_t bytes = WORDS * sizeof(unsigned);
    OK(cuMemAlloc(&memory, bytes));
    OK(cuMemsetD8(memory, 0, bytes));
    OK(cuCtxSynchronize());
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    unsigned *at = (unsigned *)(uintptr_t)memory;
    memset(rounds, 0, sizeof rounds);
    atomic_store(&stop, false);
    struct count c = {{count_run, NULL}, at, 2};
    void *params[] = {&c};
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
    pthread_create(&thread, NULL, count_thread, at);
    usleep(5000);
    EXPECT(native_file(at, 0, &file), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(native_file(at, bytes - 1, &file), CUDA_ERROR_NOT_SUPPORTED);
    OK(made(at + 5, bytes, &file));
    usleep(5000);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    OK(cuStreamSynchronize(s));
    expect_words(at, "memory");
    OK(native_file(at, 0, &again));
    CHECK(again.inode == file.inode && again.fd == file.fd && file.offset == again.offset + 20 && again.left == bytes);
    unsigned *seen = mmap(NULL, bytes, PROT_READ, MAP_SHARED, again.fd, (off_t)again.offset);
    CHECK(seen != MAP_FAILED);
    if (seen != MAP_FAILED) {
        expect_words(seen, "file");
        munmap(seen, bytes);
    }
    OK(cuMemFree(memory));
    EXPECT(native_file(at, 0, &again), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamDestroy(s));
}

// Whether the system tells that this thread has the signal blocked; of a program in an emulator it tells what the emulator's thread has.
static bool is_told_blocked(int sig)
{
    char line[256];
    unsigned long long set = 0;
    FILE *f = fopen("/proc/thread-self/status", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "SigBlk: %llx", &set) != 1)
        ;
    if (f)
        fclose(f);
    return set >> (sig - 1) & 1;
}

enum { BEGINS, BLOCKED, NOT_TOLD, OVER };

static void *blocked_thread(void *data)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    atomic_store((atomic_int *)data, is_told_blocked(SIGSEGV) ? BLOCKED : NOT_TOLD);
    while (atomic_load((atomic_int *)data) != OVER)
        usleep(1000);
    return NULL;
}

static void refusals(void)
{
    CUdeviceptr memory;
    struct native_file file;
    pthread_t thread;
    atomic_int state = BEGINS;
    OK(cuMemAlloc(&memory, 4 << 20));
    void *at = (void *)(uintptr_t)memory;
    pthread_create(&thread, NULL, blocked_thread, &state);
    while (!atomic_load(&state))
        usleep(1000);
    if (atomic_load(&state) == BLOCKED)
        EXPECT(native_file(at, SIZE_MAX, &file), CUDA_ERROR_NOT_SUPPORTED); // it could not wait
    atomic_store(&state, OVER);
    pthread_join(thread, NULL);
    OK(made(at, SIZE_MAX, &file));
    EXPECT(native_file(at, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(native_file(&state, SIZE_MAX, &file), CUDA_ERROR_INVALID_VALUE); // no memory of the device
    OK(cuMemFree(memory));
}

// A fault is one still, behind an exchange too.
static void faults(CUkernel k)
{
    CUdeviceptr memory;
    struct native_file file;
    OK(cuMemAlloc(&memory, 4 << 20));
    OK(made((void *)(uintptr_t)memory, SIZE_MAX, &file));
    OK(cuMemFree(memory));
    atomic_store(&stop, false);
    struct count c = {{count_run, NULL}, (unsigned *)(uintptr_t)memory, 2};
    void *params[] = {&c};
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

int main(void)
{
    native_kernel_fn *native_kernel;
    CUkernel k = NULL;
    void *p = NULL;
    CUcontext c = start();
    OK(cuGetProcAddress("heddleNativeFile", &p, CUDA_VERSION, 0, NULL));
    native_file = (native_file_fn *)p;
    OK(cuGetProcAddress("heddleNativeKernel", &p, CUDA_VERSION, 0, NULL));
    native_kernel = (native_kernel_fn *)p;
    OK(native_kernel(&k, "count", sizeof(struct count)));
    for (int i = 0; i < ROUNDS; i++)
        writers_wait(k);
    refusals();
    faults(k);
    OK(cuCtxDestroy(c));
    return test_summary();
}
