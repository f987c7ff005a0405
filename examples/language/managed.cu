// SPDX-License-Identifier: Apache-2.0
// Managed memory: a tree that the host builds and kernels search, with the same pointers; a managed variable that both sides write; advice and
// prefetches, which change when data moves and never what it is.
#include "../check.h"
#include <new>

constexpr int KEYS = 3000, QUESTIONS = 4096;

struct node {
    int key, value;
    node *less, *more;
    void *operator new(size_t size)
    {
        void *p;
        CHECK(cudaMallocManaged(&p, size));
        return p;
    }
    void operator delete(void *p)
    {
        CHECK(cudaFree(p));
    }
};
__managed__ int found;

__global__ void search(const node *root, const int *key, int *value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const node *at = root;
    while (at && at->key != key[i])
        at = key[i] < at->key ? at->less : at->more;
    value[i] = at ? at->value : -1;
    if (at)
        atomicAdd(&found, 1);
}
__global__ void add_to_values(node *root, int n)
{
    // Each thread follows the bits of its number down the tree, and so does the update of one path.
    node *at = root;
    for (int way = threadIdx.x; at && n--; way /= 2) {
        if (!threadIdx.x)
            at->value += 1000000;
        at = way & 1 ? at->more : at->less;
    }
}

int main()
{
    node *root = nullptr;
    unsigned state = 5;
    for (int i = 0; i < KEYS; i++) {
        state = state * 1664525u + 1013904223u;
        int key = (int)(state >> 16 & 8191);
        node **at = &root;
        while (*at && (*at)->key != key)
            at = key < (*at)->key ? &(*at)->less : &(*at)->more;
        if (!*at)
            *at = new node{key, 3 * key, nullptr, nullptr};
    }
    int *key, *value, want = 0, wrong = 0, hits = 0;
    CHECK(cudaMallocManaged(&key, QUESTIONS * sizeof *key));
    CHECK(cudaMallocManaged(&value, QUESTIONS * sizeof *value));
    for (int i = 0; i < QUESTIONS; i++)
        key[i] = 2 * i;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaMemAdvise(key, QUESTIONS * sizeof *key, cudaMemAdviseSetReadMostly, here));
    CHECK(cudaMemPrefetchAsync(key, QUESTIONS * sizeof *key, here, 0));
    found = 0;
    search<<<QUESTIONS / 256, 256>>>(root, key, value, QUESTIONS);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < QUESTIONS; i++) {
        const node *at = root;
        while (at && at->key != key[i])
            at = key[i] < at->key ? at->less : at->more;
        want = at ? at->value : -1;
        wrong += value[i] != want;
        hits += at != nullptr;
    }
    int before = root->value;
    add_to_values<<<1, 32>>>(root, 3);
    CHECK(cudaDeviceSynchronize());
    bool seen = root->value == before + 1000000; // the host reads what the kernel wrote
    printf("%d of %d keys found, %d answers wrong; the kernel's change is %s\n", found, QUESTIONS, wrong,
           seen ? "there" : "NOT there");
    return verdict(!wrong && found == hits && seen);
}
