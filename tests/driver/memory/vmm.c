// SPDX-License-Identifier: Apache-2.0
// Addresses and memory apart, and memory shared with another process through a file descriptor.
#include "common.h"
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t grain = 2 << 20;

static CUmemAllocationProp properties(bool shared)
{
    return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .requestedHandleTypes =
                                     shared ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE,
                                 .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
}

static const CUmemAccessDesc all = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

static void test_mapping(CUfunction put)
{
    CUmemAllocationProp p = properties(false);
    CUmemGenericAllocationHandle a, b, again;
    CUdeviceptr va;
    size_t n = 0, free_before, free_now, total;
    unsigned word = 0;
    unsigned long long access;
    OK(cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(n == grain);
    OK(cuMemGetInfo(&free_before, &total));
    OK(cuMemCreate(&a, grain, &p, 0));
    OK(cuMemCreate(&b, 2 * grain, &p, 0));
    OK(cuMemGetInfo(&free_now, &total));
    CHECK(free_before - free_now == 3 * grain);
    EXPECT(cuMemCreate(&again, grain + 1, &p, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressReserve(&va, grain + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressReserve(&va, 8 * grain, 0, 0, 0));
    CHECK(va % grain == 0);
    OK(cuMemMap(va, grain, 0, a, 0));
    EXPECT(cuMemMap(va, grain, 0, a, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(va + 4 * grain, grain, grain, b, 0), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemMap(va + 8 * grain, grain, 0, a, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemMap(va + grain, 2 * grain, 0, b, 0));
    OK(cuMemMap(va + 4 * grain, grain, 0, a, 0)); // the same memory again
    EXPECT(cuMemsetD8(va, 1, 16), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemSetAccess(va, 3 * grain, &all, 1));
    EXPECT(cuMemSetAccess(va, 4 * grain, &all, 1), CUDA_ERROR_INVALID_VALUE); // a hole
    OK(cuMemSetAccess(va + 4 * grain, grain, &all, 1));
    OK(cuMemsetD32(va, 42, 3 * grain / 4)); // over the border between the two
    OK(cuMemcpyDtoH(&word, va + 5 * grain - 4, 4));
    CHECK(word == 42);
    CUdeviceptr at = va + 4 * grain;
    unsigned value = 77;
    void *args[] = {&at, &value};
    OK(cuLaunchKernel(put, 16, 1, 1, 64, 1, 1, 0, NULL, args, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&word, va + 1023 * 4, 4));
    CHECK(word == 77);
    OK(cuMemGetAccess(&access, &all.location, va));
    CHECK(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    EXPECT(cuMemGetAccess(&access, &all.location, va + 3 * grain), CUDA_ERROR_INVALID_VALUE);
    CUmemAccessDesc read = all;
    read.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    OK(cuMemSetAccess(va, grain, &read, 1));
    EXPECT(cuMemsetD8(va, 1, 16), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpyDtoH(&word, va, 4));
    OK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(va + 16)));
    CHECK(again == a);
    OK(cuMemRelease(again));
    EXPECT(cuMemFree(va), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(va, 16), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemRelease(a));
    EXPECT(cuMemRelease(a), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemUnmap(va, grain));
    OK(cuMemUnmap(va, grain));
    EXPECT(cuMemAddressFree(va, 8 * grain), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpyDtoH(&word, at, 4)); // still mapped here
    CHECK(word == 77);
    EXPECT(cuMemUnmap(va + grain, grain), CUDA_ERROR_INVALID_VALUE); // half a mapping
    OK(cuMemUnmap(va + grain, 2 * grain));
    OK(cuMemUnmap(va + 4 * grain, grain));
    OK(cuMemRelease(b));
    EXPECT(cuMemAddressFree(va, grain), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressFree(va, 8 * grain));
    OK(cuMemGetInfo(&free_now, &total));
    CHECK(free_before == free_now);
}

static void fd_send(int socket, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = {0}, byte = 0;
    struct iovec io = {&byte, 1};
    struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    CHECK(sendmsg(socket, &m, 0) == 1);
}

static int fd_receive(int socket)
{
    char control[CMSG_SPACE(sizeof(int))], byte;
    struct iovec io = {&byte, 1};
    struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    int fd = -1;
    if (recvmsg(socket, &m, 0) == 1 && CMSG_FIRSTHDR(&m))
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

// The other process: reads what this one wrote, and answers in the same memory.
static int other_process(int socket)
{
    CUmemGenericAllocationHandle h;
    CUdeviceptr va;
    unsigned word = 0;
    CUcontext c = start();
    int fd = fd_receive(socket);
    OK(cuMemImportFromShareableHandle(&h, (void *)(uintptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    OK(cuMemAddressReserve(&va, grain, 0, 0, 0));
    OK(cuMemMap(va, grain, 0, h, 0));
    OK(cuMemSetAccess(va, grain, &all, 1));
    OK(cuMemcpyDtoH(&word, va + 400, 4));
    CHECK(word == 1234);
    OK(cuMemsetD32(va + 404, 4321, 1));
    OK(cuMemUnmap(va, grain));
    OK(cuMemAddressFree(va, grain));
    OK(cuMemRelease(h));
    OK(cuCtxDestroy(c));
    return test_failed;
}

static void test_sharing(int socket, pid_t child)
{
    CUmemAllocationProp p = properties(true), q;
    CUmemGenericAllocationHandle h, plain;
    CUdeviceptr va;
    int fd = -1, status = 1;
    unsigned word = 0;
    p.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    OK(cuMemCreate(&h, grain, &p, 0));
    OK(cuMemGetAllocationPropertiesFromHandle(&q, h));
    CHECK(q.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_NONE); // nothing here is compressed
    CHECK(q.requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    OK(cuMemAddressReserve(&va, grain, 1 << 25, 0, 0));
    CHECK(va % (1 << 25) == 0);
    OK(cuMemMap(va, grain, 0, h, 0));
    OK(cuMemSetAccess(va, grain, &all, 1));
    OK(cuMemsetD32(va + 400, 1234, 1));
    OK(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    fd_send(socket, fd);
    close(fd);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    OK(cuMemcpyDtoH(&word, va + 404, 4));
    CHECK(word == 4321);
    p = properties(false);
    OK(cuMemCreate(&plain, grain, &p, 0));
    EXPECT(cuMemExportToShareableHandle(&fd, plain, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuMemRelease(plain));
    OK(cuMemUnmap(va, grain));
    OK(cuMemAddressFree(va, grain));
    OK(cuMemRelease(h));
}

int main(void)
{
    int pair[2];
    CUmodule m;
    CUfunction put;
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    pid_t child = fork(); // before the driver is used
    if (!child)
        return other_process(pair[1]);
    CUcontext c = start();
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_PUT));
    OK(cuModuleGetFunction(&put, m, "put"));
    test_mapping(put);
    test_sharing(pair[0], child);
    OK(cuCtxDestroy(c));
    return test_summary();
}
