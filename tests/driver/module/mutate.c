// SPDX-License-Identifier: Apache-2.0
// Damaged images: thousands of mutated PTX texts and fat binaries are loaded; each gives a module or an error, never
// more.
#include "common.h"
#include "base/str.h"
#include "fatbin/fatbin_write.h"

static const char seed[] = PTX_HEAD
    ".visible .global .align 4 .u32 numbers[4] = {1, 2, 3, 4};\n"
    ".visible .const .align 8 .f64 half = 0d3FE0000000000000;\n"
    ".visible .global .align 8 .u64 where[2] = {numbers, generic(numbers) + 8};\n"
    ".visible .global .attribute(.managed) .align 4 .u32 both = 77;\n"
    ".extern .shared .align 4 .b8 pool[];\n"
    ".visible .func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a];\n"
    " add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }\n"
    ".visible .entry bounded(.param .align 8 .b8 s[24]) .maxntid 64, 1, 1 .minnctapersm 2 { ret; }\n" PTX_ADD PTX_PUT;

static unsigned long long state = 88172645463325252ull;
static unsigned next(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 20) % n;
}

static void mutate(char *data, size_t size)
{
    static const char parts[] = ".,;[]{}()%<>=-+0129abrsu \n\t\"/*@!";
    for (unsigned k = 1 + next(4); k-- > 0;) {
        size_t at = next((unsigned)size), from = next((unsigned)size), n = next(24);
        switch (next(4)) {
        case 0:
            data[at] = parts[next(sizeof parts - 1)];
            break;
        case 1:
            data[at] = (char)(1 + next(255));
            break;
        case 2:
            data[at] ^= (char)(1 << next(8));
            break;
        default:
            if (at + n < size && from + n < size)
                memmove(data + at, data + from, n);
        }
    }
}

static unsigned good, bad;
static void try_load(const char *image)
{
    CUmodule m;
    CUfunction f[8];
    unsigned n = 0;
    CUresult r = cuModuleLoadData(&m, image);
    if (r) {
        bad++;
        CHECK(r == CUDA_ERROR_INVALID_PTX || r == CUDA_ERROR_NOT_SUPPORTED || r == CUDA_ERROR_INVALID_IMAGE ||
              r == CUDA_ERROR_NO_BINARY_FOR_GPU || r == CUDA_ERROR_OUT_OF_MEMORY);
        return;
    }
    good++;
    OK(cuModuleGetFunctionCount(&n, m));
    OK(cuModuleEnumerateFunctions(f, n < 8 ? n : 8, m));
    for (unsigned i = 0; i < n && i < 8; i++) {
        int v;
        OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f[i]));
    }
    OK(cuModuleUnload(m));
}

int main(void)
{
    enum { TEXTS = 6000, BINARIES = 4000 };
    CUcontext c = start();
    struct str fatbin = {0};
    struct fatbin_item item = {.ptx = seed, .size = sizeof seed - 1, .sm = 80};
    char *copy = malloc(sizeof seed);
    for (int i = 0; i < TEXTS; i++) {
        memcpy(copy, seed, sizeof seed);
        mutate(copy, sizeof seed - 1);
        try_load(copy);
    }
    free(copy);
    fatbin_write(&fatbin, &item, 1);
    copy = malloc(fatbin.len);
    for (int i = 0; i < BINARIES; i++) {
        memcpy(copy, fatbin.data, fatbin.len);
        mutate(copy + 16,
               i % 2 ? 64 : fatbin.len - 16); // the sizes of the header are believed: there is nothing to check them by
        try_load(copy);
    }
    free(copy);
    str_free(&fatbin);
    CHECK(good > 100 && bad > 100);
    OK(cuCtxDestroy(c));
    return test_summary();
}
