// SPDX-License-Identifier: Apache-2.0
// Cases of a program whose launches are counted: CASE(name) { one launch; }. Arrays are aligned to 256 bytes, and 0. The program runs all
// cases, or the one that its argument names.
#include <cstdio>
#include <cstring>

struct arrays {
    float *in, *out;
    int *count;
};
typedef void case_fn(const arrays &a);
static struct {
    const char *name;
    case_fn *run;
} cases[96];
static int ncases;

struct registration {
    registration(const char *name, case_fn *run)
    {
        cases[ncases++] = {name, run};
    }
};
#define CASE(name)                                                                                                     \
    static void run_##name(const arrays &a);                                                                           \
    static registration register_##name(#name, run_##name);                                                            \
    static void run_##name(const arrays &a)

int main(int argc, char **argv)
{
    arrays a;
    cudaMalloc(&a.in, 1 << 20);
    cudaMalloc(&a.out, 1 << 20);
    cudaMalloc(&a.count, 1 << 20);
    cudaMemset(a.in, 0, 1 << 20);
    cudaMemset(a.out, 0, 1 << 20);
    cudaMemset(a.count, 0, 1 << 20);
    int ran = 0;
    for (int i = 0; i < ncases; i++)
        if (argc < 2 || !strcmp(argv[1], cases[i].name)) {
            cases[i].run(a);
            ran++;
        }
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess || !ran) {
        printf("%s, %d cases\n", cudaGetErrorString(e), ran);
        return 1;
    }
    return 0;
}
