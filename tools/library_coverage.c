// SPDX-License-Identifier: Apache-2.0
// Writes docs/generated/NAME-coverage.md for the libraries, from their tables. Usage: library_coverage NAME
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct row {
    const char *name, *status; // FULL, NONE or LEGACY; of an absent one the reason
};

#define TEXT_(...)                                    #__VA_ARGS__
#define TEXT(...)                                     TEXT_(__VA_ARGS__)
#define ROW(result, name, params, args, call, status) {TEXT(name), #status},
#define ABSENT(name, reason)                          {name, reason},
static const struct row cublas[] =
    {
#include "cublas/each.h"
#include "cublas/xt/each.h"
},
                        cublas_legacy[] =
                            {
#include "cublas/legacy/each.h"
},
                        cublas_absent[] =
                            {
#include "cublas/absent.def"
},
                        cufft[] =
                            {
#include "cufft/api.def"
#include "cufft/xt.def"
},
                        cufft_w[] =
                            {
#define VOID(name, params, args, call) ROW(void, name, params, args, call, FULL)
#include "cufft/w/each.h"
},
                        cufft_absent[] = {
#include "cufft/absent.def"
};
static const struct row cublaslt[] =
    {
#include "cublaslt/each.h"
},
                        cublaslt_absent[] = {
#include "cublaslt/absent.def"
};
static const struct row cusparse[] = {
#include "cusparse/each.h"
};
static const struct row cusolver[] =
    {
#include "cusolver/api/each_common.h"
#include "cusolver/api/each_dn.h"
#include "cusolver/api/each_rf.h"
#include "cusolver/api/each_sp.h"
#include "cusolver/api/each_sp_low.h"
},
                        cusolver_absent[] = {
#include "cusolver/api/absent.def"
};
#define VERSIONLESS ROW
static const struct row nvjitlink[] =
    {
#include "nvjitlink/api.def"
},
                        nvjitlink_absent[] = {
#include "nvjitlink/absent.def"
};

#define TWIN(result, name, params, of)
static const struct row nccl[] =
    {
#include "nccl/api.def"
},
                        nccl_absent[] = {
#include "nccl/absent.def"
};

#define FULL(result, name, params) ROW(result, name, params, , , FULL)
#define DEVICE(name)               {#name, "FULL"},
static const struct row curand[] =
    {
#include "curand/api.def"
},
                        curand_device[] =
                            {
#include "curand/device.def"
},
                        curand_absent[] = {
#include "curand/absent.def"
};
#undef FULL

static const struct row nvjpeg[] = {
#include "nvjpeg/api.def"
};

#define ALWAYS ROW
static const struct row cupti[] =
    {
        {"InitializeInjectionNvtx2", "FULL"},
        {"cuptiNvtxInitialize2", "FULL"},
#include "cupti/api.def"
},
                        cupti_absent[] = {
#include "cupti/absent.def"
};
static const struct row nvml[] =
    {
        {"nvmlErrorString", "FULL"},
#include "nvml/api.def"
},
                        nvml_absent[] = {
#include "nvml/absent.def"
};
static const struct row nvptxcompiler[] =
    {
#include "nvptxcompiler/api.def"
},
                        nvfatbin[] =
                            {
#include "nvfatbin/api.def"
},
                        nvfatbin_absent[] = {
#include "nvfatbin/absent.def"
};

struct list {
    const struct row *rows;
    size_t n;
};
#define LIST(rows) {rows, sizeof(rows) / sizeof *(rows)}
static const struct library {
    const char *name, *title, *tables, *status, *legacy_title;
    struct list rows, legacy, absent;
    const char *against; // NULL: the names that the library of CUDA 13.0 exports
} libraries[] = {
    {"cublas", "cuBLAS (libcublas)", "src/cublas/api.def, typed.def, xt/xt.def and legacy/legacy.def",
     "CUBLAS_STATUS_NOT_SUPPORTED", "Implemented: the interface of before CUDA 4", LIST(cublas), LIST(cublas_legacy),
     LIST(cublas_absent), NULL},
    {"cublaslt",
     "cuBLASLt (libcublasLt)",
     "src/cublaslt/api.def",
     "CUBLAS_STATUS_NOT_SUPPORTED",
     NULL,
     LIST(cublaslt),
     {NULL, 0},
     LIST(cublaslt_absent),
     "the functions that the header of CUDA 13.0 declares"},
    {"cufft", "cuFFT (libcufft, libcufftw)", "src/cufft/api.def, xt.def and w/api.def",
     "CUFFT_NOT_SUPPORTED (callbacks of the older kind CUFFT_NOT_IMPLEMENTED, as NVIDIA's shared library)",
     "Implemented: FFTW's interface, libcufftw", LIST(cufft), LIST(cufft_w), LIST(cufft_absent), NULL},
    {"cusparse",
     "cuSPARSE (libcusparse)",
     "src/cusparse/api.def and typed.def",
     "CUSPARSE_STATUS_NOT_SUPPORTED",
     NULL,
     LIST(cusparse),
     {NULL, 0},
     {NULL, 0},
     NULL},
    {"cusolver",
     "cuSOLVER (libcusolver)",
     "the tables of src/cusolver/api",
     "CUSOLVER_STATUS_NOT_SUPPORTED",
     NULL,
     LIST(cusolver),
     {NULL, 0},
     LIST(cusolver_absent),
     "the names that the library of CUDA 13.0 exports and its headers declare"},
    {"nvjitlink",
     "nvJitLink (libnvJitLink)",
     "src/nvjitlink/api.def",
     "",
     NULL,
     LIST(nvjitlink),
     {NULL, 0},
     LIST(nvjitlink_absent),
     NULL},
    {"nvml",
     "NVML (libnvidia-ml)",
     "src/nvml/api.def",
     "NVML_ERROR_NOT_SUPPORTED",
     NULL,
     LIST(nvml),
     {NULL, 0},
     LIST(nvml_absent),
     "the functions that NVIDIA's nvml.h declares"},
    {"cupti",
     "CUPTI (libcupti)",
     "src/cupti/api.def",
     "CUPTI_ERROR_NOT_SUPPORTED",
     NULL,
     LIST(cupti),
     {NULL, 0},
     LIST(cupti_absent),
     "the names that NVIDIA's libcupti.so.13 exports"},
    {"nccl",
     "NCCL (libnccl)",
     "src/nccl/api.def",
     "",
     NULL,
     LIST(nccl),
     {NULL, 0},
     LIST(nccl_absent),
     "the names that NVIDIA's libnccl 2.28.9 exports; each is there as pncclNAME too"},
    {"nvjpeg",
     "nvJPEG (libnvjpeg)",
     "src/nvjpeg/api.def",
     "",
     NULL,
     LIST(nvjpeg),
     {NULL, 0},
     {NULL, 0},
     "NVIDIA's documentation"},
    {"curand", "cuRAND (libcurand, curand_kernel.h)", "src/curand/api.def and device.def", "",
     "Implemented: functions in kernels, and those that make their states", LIST(curand), LIST(curand_device),
     LIST(curand_absent), "the names that the library of CUDA 13.0 exports, and NVIDIA's documentation"},
    {"nvptxcompiler",
     "nvPTXCompiler (libnvptxcompiler_static)",
     "src/nvptxcompiler/api.def",
     "",
     NULL,
     LIST(nvptxcompiler),
     {NULL, 0},
     {NULL, 0},
     "NVIDIA's documentation"},
    {"nvfatbin",
     "nvFatbin (libnvfatbin)",
     "src/nvfatbin/api.def",
     "NVFATBIN_ERROR_INVALID_INDEX",
     NULL,
     LIST(nvfatbin),
     {NULL, 0},
     LIST(nvfatbin_absent),
     "NVIDIA's documentation"},
};

static void print(const char *title, const struct list *l, const char *status)
{
    unsigned n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += !status || !strcmp(l->rows[i].status, status);
    if (!n)
        return;
    printf("\n## %s (%u)\n\n", title, n);
    for (size_t i = 0; i < l->n; i++)
        if (!status)
            printf("- `%s`: %s\n", l->rows[i].name, l->rows[i].status);
        else if (!strcmp(l->rows[i].status, status))
            printf("- `%s`\n", l->rows[i].name);
}

int main(int argc, char **argv)
{
    size_t n = sizeof libraries / sizeof *libraries, i = 0;
    while (i < n && (argc != 2 || strcmp(argv[1], libraries[i].name) != 0))
        i++;
    if (i == n) {
        fprintf(stderr, "usage: library_coverage LIBRARY\n");
        return 2;
    }
    const struct library *l = &libraries[i];
    char none[200];
    snprintf(none, sizeof none, "Present, answering %s", l->status);
    printf("# Coverage of %s\n\nGenerated from %s against %s; do not edit.\n", l->title, l->tables,
           l->against ? l->against : "the names that the library of CUDA 13.0 exports");
    print("Implemented", &l->rows, "FULL");
    print(l->legacy_title, &l->legacy, "FULL");
    print(none, &l->rows, "NONE");
    print("Missing", &l->absent, NULL);
    return fflush(stdout) || ferror(stdout);
}
