// SPDX-License-Identifier: Apache-2.0
// heddle doctor: what is found on this machine, what is wrong, and how to mend it. A finding is one line: ok, a note (something that one can do
// without is not there), or wrong; below a note and a fault stands what to do. What programs rely on is tried, not looked up: the compiler is asked for
// its version, the libraries are loaded, and a kernel is compiled and run on the device that libcudart would take.
#include "heddle/doctor.h"
#include "base/cpu/openblas.h"
#include "base/env.h"
#include "base/os.h"
#include "base/version.h"
#include "front/front.h"
#include "front/process.h"
#include "heddle/runtime.h"
#include "jit/cache/cache.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum verdict { OK, NOTE, WRONG };
static unsigned faults;
static const char *sdk; // the toolkit's tree

// remedy: what to do, NULL with OK.
__attribute__((format(printf, 4, 5))) static void found(enum verdict v, const char *what, const char *remedy,
                                                        const char *format, ...)
{
    static const char *const word[] = {"ok", "note", "WRONG"};
    va_list list;
    va_start(list, format);
    printf("%-6s %-12s ", word[v], what);
    vprintf(format, list);
    va_end(list);
    printf("\n");
    if (v != OK && remedy)
        printf("%20s%s\n", "", remedy);
    faults += v == WRONG;
}

// What a program says and how it ends, in a folder that is gone afterwards; NULL: it could not be tried. From malloc.
static char *ask(struct texts *argv, const char *folder, int *status)
{
    char log[PATH_MAX + 8];
    snprintf(log, sizeof log, "%s/log", folder);
    *status = process_run(argv, log, NULL, NULL);
    vec_free(argv);
    char *text = os_file_read(log, NULL);
    os_folder_remove(folder);
    return text;
}

// nvcc on a program with a kernel, of which clang, its headers, g++'s and the linker have a part.
static void check_program(void)
{
    static const char source[] = "__global__ void k(float *p) { p[threadIdx.x] = sinf(p[0]); }\n"
                                 "int main() { k<<<1, 1>>>(nullptr); return 0; }\n";
    char folder[PATH_MAX], nvcc[PATH_MAX], in[PATH_MAX + 8], out[PATH_MAX + 8];
    struct texts argv = {0};
    int status;
    snprintf(nvcc, sizeof nvcc, "%s/bin/nvcc", sdk);
    if (access(nvcc, X_OK) || !os_temp_dir(folder, sizeof folder, os_temp_base(), "heddle-doctor"))
        return;
    snprintf(in, sizeof in, "%s/k.cu", folder);
    snprintf(out, sizeof out, "%s/k", folder);
    os_file_write(in, source, sizeof source - 1);
    const char *const words[] = {nvcc, in, "-o", out};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        vec_push(&argv, words[i]);
    char *text = ask(&argv, folder, &status);
    const char *error = text ? strstr(text, "error") : NULL;
    while (error && error > text && error[-1] != '\n')
        error--;
    if (!error)
        error = text; // nvcc's own "fatal", or whatever kept it from starting
    if (status && status != PROCESS_UNKNOWN)
        found(WRONG, "program",
              "clang needs the headers and the linker of g++ (package g++); nvcc says more of any program",
              "nvcc cannot compile one: %.*s", error ? (int)strcspn(error, "\n") : 0, error ? error : "");
    else
        found(OK, "program", NULL, "nvcc has compiled and linked one");
    free(text);
}

static void check_compiler(void)
{
    struct arena a = {0};
    struct toolkit t = {0};
    struct str message = {0};
    char devmath[PATH_MAX];
    snprintf(devmath, sizeof devmath, "%s/nvvm/libdevice", sdk);
    if (!toolkit_init(&t, &a, sdk, devmath, &message))
        found(WRONG, "compiler",
              "nvcc and NVRTC compile with it: install the package clang-NN of one of these versions", "%s",
              str_text(&message));
    else if (!t.devmath)
        found(WRONG, "compiler", "install Heddle again: the tree is not whole", "%s has no device math library",
              devmath);
    else
        found(OK, "compiler", NULL, "%s, version %u", t.clangxx, t.clang_version);
    if (t.devmath)
        check_program();
    str_free(&message);
    arena_fini(&a);
}

#define PTX                                                                                                            \
    ".version 6.0\n.target sm_50\n.address_size 64\n"                                                                  \
    ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<3>;\n.reg .b64 %d<4>;\n"                                         \
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n"                \
    "mad.lo.s32 %r2, %r1, 3, 1;\nst.global.u32 [%d3], %r2;\nret;\n}\n"
// A kernel of 32 threads; what went wrong, or NULL.
static const char *kernel_run(void)
{
    enum { N = 32 };
    int host[N] = {0}, *device = NULL;
    cudaLibrary_t l;
    cudaKernel_t k;
    void *arguments[] = {&device};
    cudaError_t e = rt.cudaLibraryLoadData(&l, PTX, NULL, NULL, 0, NULL, NULL, 0);
    e = e ? e : rt.cudaLibraryGetKernel(&k, l, "k");
    e = e ? e : rt.cudaMalloc((void **)&device, sizeof host);
    e = e ? e : rt.cudaLaunchKernel((void *)k, (dim3){1, 1, 1}, (dim3){N, 1, 1}, arguments, 0, 0);
    e = e ? e : rt.cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    if (e)
        return rt.cudaGetErrorString(e);
    rt.cudaFree(device);
    for (int i = 0; i < N; i++)
        if (host[i] != 3 * i + 1)
            return "its results are wrong";
    return NULL;
}

static void check_device(void)
{
    int n = 0;
    struct cudaDeviceProp p;
    if (!runtime_open()) {
        const char *why = dlerror();
        found(WRONG, "runtime", "install Heddle again: the tree is not whole, or a library that it needs is missing",
              "%s", why ? why : "libcudart.so.13 is another's");
        return;
    }
    cudaError_t e = rt.cudaGetDeviceCount(&n);
    if (!e && n)
        e = rt.cudaGetDeviceProperties(&p, 0);
    if (e || !n) {
        found(WRONG, "device",
              "HEDDLE_DEVICE=cpu takes the CPU; HEDDLE_DEVICES=0 leaves none; HEDDLE_LOG=info tells which driver was "
              "taken",
              "%s", e ? rt.cudaGetErrorString(e) : "there is none");
        return;
    }
    found(OK, "device", NULL, "%d: %s, %.1f GiB, compute capability %d.%d", n, p.name,
          (double)p.totalGlobalMem / 1073741824.0, p.major, p.minor);
    const char *why = kernel_run();
    if (why)
        found(WRONG, "kernel", "HEDDLE_LOG=info says more", "one was launched and failed: %s", why);
    else
        found(OK, "kernel", NULL, "one was compiled and gave the right results");
}

static void check_cache(void)
{
    const char *dir = cache_dir();
    struct stat st;
    struct statvfs space;
    if (!strcmp(env_get("HEDDLE_CACHE"), "0"))
        found(NOTE, "cache", "unset HEDDLE_CACHE: programs compile their kernels in every run", "it is off");
    else if (!dir)
        found(WRONG, "cache",
              "HEDDLE_CACHE_DIR=FOLDER: one of your own that nobody else can write to; until then programs compile "
              "their kernels in every run",
              "there is no folder for it: it belongs to another user, or others can write to it, or it cannot be made");
    else if (stat(dir, &st))
        found(OK, "cache", NULL, "%s will be made", dir);
    else if (access(dir, W_OK))
        found(WRONG, "cache", "chmod u+w on the folder, or another one by HEDDLE_CACHE_DIR",
              "%s cannot be written to: %s", dir, strerror(errno));
    else if (!statvfs(dir, &space) && (double)space.f_bavail * (double)space.f_frsize < 64e6)
        found(NOTE, "cache", "make room there, or name another folder by HEDDLE_CACHE_DIR",
              "%s: the file system is full", dir);
    else
        found(OK, "cache", NULL, "%s", dir);
}

static void check_libraries(void)
{
    static const char *const ours[] = {"libcuda.so.1",   "libnvrtc.so.13",  "libcublas.so.13",   "libcublasLt.so.13",
                                       "libcufft.so.12", "libcurand.so.10", "libcusparse.so.12", "libcusolver.so.12",
                                       "libnccl.so.2",   "libnvjpeg.so.13", "libnppc.so.13",     "libnvJitLink.so.13"};
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (sdk_library(ours[i]))
            n++;
        else
            found(WRONG, "libraries", "install what it needs, or Heddle again", "%s", dlerror());
    }
    if (n == sizeof ours / sizeof *ours)
        found(OK, "libraries", NULL, "%u of CUDA's load from %s/lib64", n, sdk);
    static const struct {
        const char *soname, *package, *use;
    } others[] = {{"libopenblas.so.0", "libopenblas0-pthread", "cuBLAS and cuSOLVER are faster with it"},
                  {"libucp.so.0", "libucx0", "NCCL between machines uses their network with it"},
                  {"libjpeg.so.62", "libjpeg62-turbo (Ubuntu: libjpeg-turbo8)", "nvJPEG needs it"}};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        char remedy[160];
        void *h = dlopen(others[i].soname, RTLD_LAZY | RTLD_LOCAL);
        bool there = h || (i == 2 && dlopen("libjpeg.so.8", RTLD_LAZY | RTLD_LOCAL));
        if (h && i == 0 && !openblas_knows_processor(h)) {
            found(NOTE, "optional", "set OPENBLAS_CORETYPE=SkylakeX (with AVX-512) or Haswell, or install a newer one",
                  "%s does not know this processor, and is left out", others[i].soname);
            continue;
        }
        snprintf(remedy, sizeof remedy, "%s: package %s", others[i].use, others[i].package);
        found(there ? OK : NOTE, "optional", remedy, "%s%s", others[i].soname, there ? "" : " is not there");
    }
}

// A variable that nobody reads is often one misspelt.
static bool known(const char *entry)
{
    size_t n = strcspn(entry, "=");
    for (const struct env_row *r = env_table; r->name; r++)
        if (strlen(r->name) == n && !strncmp(r->name, entry, n))
            return true;
    return false;
}

extern char **environ;
static void check_environment(void)
{
    unsigned before = faults, set = 0;
    for (const struct env_row *r = env_table; r->name; r++) {
        const char *value = secure_getenv(r->name);
        set += value != NULL;
        if (value && !env_valid(r, value))
            found(WRONG, "environment", r->about, "%s=%s is not a valid value and is ignored", r->name, value);
    }
    for (char **e = environ; *e; e++)
        if (!strncmp(*e, "HEDDLE_", 7) && !known(*e))
            found(NOTE, "environment", "'heddle env' lists those that there are", "%.*s is no variable of Heddle's",
                  (int)strcspn(*e, "="), *e);
    if (faults == before)
        found(OK, "environment", NULL, "%u of Heddle's variables are set", set);
}

// It may be a script that starts ours: what it says of itself tells.
static bool is_ours(const char *nvcc)
{
    char folder[PATH_MAX];
    struct texts argv = {0};
    int status;
    if (!os_temp_dir(folder, sizeof folder, os_temp_base(), "heddle-doctor"))
        return false;
    vec_push(&argv, nvcc);
    vec_push(&argv, "--version");
    char *text = ask(&argv, folder, &status);
    bool ours = text && strstr(text, "Build heddle " HEDDLE_VERSION "\n");
    free(text);
    return ours;
}

// Which nvcc a shell and a build system find first.
static void check_path(void)
{
    struct arena a = {0};
    char path[PATH_MAX];
    const char *first = toolkit_program(&a, "nvcc");
    snprintf(path, sizeof path, "%s/bin/nvcc", sdk);
    if (access(path, X_OK))
        found(NOTE, "nvcc", "the package heddle-toolkit has it",
              "%s is not there: programs run, and none can be compiled", path);
    else if (!first)
        found(NOTE, "nvcc", "PATH=SDK/bin:$PATH, or name it in full (-DCMAKE_CUDA_COMPILER=...)",
              "%s is not on the PATH", path);
    else if (!is_ours(first))
        found(NOTE, "nvcc", "Heddle's must come first on the PATH to be taken",
              "%s comes first on the PATH; Heddle's is %s", first, path);
    else
        found(OK, "nvcc", NULL, "%s", first);
    arena_fini(&a);
}

int doctor(void)
{
    if (!(sdk = sdk_folder())) {
        fprintf(stderr, "heddle: doctor: the folder of this program is not known, and the libraries are beside it\n");
        return 1;
    }
    found(OK, "heddle", NULL, "%s (CUDA %d.%d), %s", HEDDLE_VERSION, TOOLKIT_MAJOR, TOOLKIT_MINOR, sdk);
    check_compiler();
    check_path();
    check_device();
    check_cache();
    check_libraries();
    check_environment();
    if (faults)
        printf("%u of these %s wrong\n", faults, faults == 1 ? "is" : "are");
    return faults != 0;
}
