// SPDX-License-Identifier: Apache-2.0
// malloc, free, new and delete in kernels; memory from one kernel used by the next.
#include "check.h"

struct Node {
    int value;
    Node *next;
};

__global__ void build(Node **heads, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Node *head = nullptr;
    for (int i = 0; i < n + t % 3; i++) {
        Node *x = (Node *)malloc(sizeof(Node));
        x->value = t * 10 + i;
        x->next = head;
        head = x;
    }
    heads[t] = head;
}

__global__ void consume(Node **heads, int *sums)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    for (Node *x = heads[t]; x;) {
        Node *next = x->next;
        s += x->value;
        free(x);
        x = next;
    }
    int *extra = new int[4];
    for (int i = 0; i < 4; i++)
        extra[i] = i;
    sums[t] = s + extra[3];
    delete[] extra;
}

__global__ void too_much(int *result)
{
    result[0] = malloc((size_t)1 << 40) == nullptr;
}

__global__ void aligned(int *result)
{
    size_t alignment = (size_t)1 << threadIdx.x;
    char *a = (char *)__nv_aligned_device_malloc(100, alignment);
    bool right = a && (size_t)a % alignment == 0;
    for (int i = 0; right && i < 100; i++)
        a[i] = (char)(i + threadIdx.x);
    for (int i = 0; right && i < 100; i++)
        right = a[i] == (char)(i + threadIdx.x);
    free(a);
    result[threadIdx.x] = right && !__nv_aligned_device_malloc((size_t)1 << 40, 64);
}

int main()
{
    Buffer<Node *> heads(100);
    Buffer<int> sums(100), result(1);
    build<<<2, 50>>>(heads, 4);
    consume<<<2, 50>>>(heads, sums);
    too_much<<<1, 1>>>(result);
    LAUNCHED();
    std::vector<int> o = sums.get();
    bool right = true;
    for (int t = 0; t < 100; t++) {
        int s = 3;
        for (int i = 0; i < 4 + t % 3; i++)
            s += t * 10 + i;
        right &= o[t] == s;
    }
    EXPECT(right);
    EXPECT(result.get()[0] == 1);
    size_t limit;
    OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit >= (1 << 20));
    Buffer<int> fits(21);
    aligned<<<1, 21>>>(fits);
    LAUNCHED();
    for (int fit : fits.get())
        EXPECT(fit);
    return DONE();
}
