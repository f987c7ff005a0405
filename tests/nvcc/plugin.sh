#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Device code in a plugin that a plain program opens and closes again and again: with libcudart inside it and beside it. The
# memory of its managed variable is gone with it and comes back at the same place.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache" HEDDLE_DEVICE=cpu

cat >plugin.cu <<'Y'
__managed__ int counter = 5;
__device__ int step = 1;
__global__ void add(int *p) { p[threadIdx.x] += step; }
extern "C" int go(int n)
{
    int *p, got[32] = {}, two = 2;
    cudaMalloc(&p, sizeof got);
    cudaMemset(p, 0, sizeof got);
    for (int i = 0; i < n; i++)
        add<<<1, 32>>>(p);
    cudaMemcpyToSymbol(step, &two, sizeof two);
    add<<<1, 32>>>(p);
    add<<<1, 1>>>(&counter);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(p);
    return got[31] == n + 2 && counter == 7 && cudaGetLastError() == cudaSuccess;
}
Y
cat >host.c <<'Y'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void *in_thread(void *go)
{
    return (void *)(long)((int (*)(int))go)(3);
}
int main(int argc, char **argv)
{
    int right = 0;
    for (int i = 0; argc > 1 && i < 10; i++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *result = NULL;
        pthread_t t;
        if (!library)
            return puts(dlerror()), 1;
        pthread_create(&t, NULL, in_thread, dlsym(library, "go"));
        pthread_join(t, &result);
        right += result != NULL;
        if (i < 9) // the last one is open when the process ends
            dlclose(library);
    }
    printf("right %d\n", right);
    return 0;
}
Y
ok host cc host.c -o host -ldl -lpthread
for cudart in static shared; do
    ok "plugin $cudart" "$nvcc" -shared -Xcompiler -fPIC -cudart $cudart plugin.cu -o $cudart.so
    says "open $cudart" 'right 10' ./host ./$cudart.so
done
finish
