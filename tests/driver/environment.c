// SPDX-License-Identifier: Apache-2.0
// What environment variables do. The program runs itself again, once for each setting.
#include "common.h"
#include <stdbool.h>
#include <unistd.h>

static const char text[] = PTX_HEAD PTX_BAD PTX_EMPTY
    ".global .align 4 .f32 g[64];\n.visible .entry twice()\n{\n .reg .f32 %f<3>;\n"
    " .reg .b32 %r<2>;\n .reg .b64 %rd<4>;\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd1, %r1, 4;\n"
    " mov.u64 %rd2, g;\n add.u64 %rd3, %rd2, %rd1;\n ld.global.f32 %f1, [%rd3];\n"
    " fma.rn.f32 %f2, %f1, %f1, %f1;\n st.global.f32 [%rd3], %f2;\n ret;\n}\n";

// The child's ways; each ends with its answer on stdout.
static int child(const char *mode)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    int count = -1;
    CUresult r = cuInit(0);
    if (!strcmp(mode, "count")) {
        if (!r)
            cuDeviceGetCount(&count);
        printf("%d %d\n", r, count);
        return 0;
    }
    if (!strcmp(mode, "bus")) {
        if (!r)
            cuDeviceGetCount(&count);
        for (int i = 0; i < count; i++) {
            char bus[32] = "";
            cuDeviceGetPCIBusId(bus, sizeof bus, i);
            printf("%s ", bus);
        }
        return 0;
    }
    if (r || cuCtxCreate(&c, NULL, 0, 0) || cuModuleLoadData(&m, text) ||
        cuModuleGetFunction(&f, m, !strcmp(mode, "float") ? "twice" : "bad"))
        return 1;
    if (!strcmp(mode, "machine"))
        return cuModuleLoadData(&m, "\177ELF\2\1\1") != CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (!strcmp(mode, "tables")) {
        const void *table;
        return !cuGetExportTable(&table, NULL) || !cuGetExportTable(&table, NULL);
    }
    if (!strcmp(mode, "launch") || !strcmp(mode, "shared")) {
        unsigned threads = !strcmp(mode, "launch") ? 2048 : 1;
        printf("%d\n", cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, threads == 1 ? 49153 : 0, 0, NULL, NULL));
        return 0;
    }
    CUresult launch = cuLaunchKernel(f, 1, 1, 1, !strcmp(mode, "float") ? 32 : 1, 1, 1, 0, 0, NULL, NULL);
    printf("%d %d\n", launch, cuCtxSynchronize());
    fflush(stdout);
    return 0;
}

static void run(const char *self, const char *env, const char *mode, const char *text, bool wanted)
{
    char command[512], line[512] = "";
    snprintf(command, sizeof command, "%s '%s' %s 2>&1", env, self, mode);
    FILE *p = popen(command, "r");
    size_t n = p ? fread(line, 1, sizeof line - 1, p) : 0;
    line[n] = 0;
    if (p)
        pclose(p);
    CHECK((strstr(line, text) != NULL) == wanted);
    if ((strstr(line, text) != NULL) != wanted)
        fprintf(stderr, "%s %s: got '%s', %s '%s'\n", env, mode, line, wanted ? "wanted" : "not wanted", text);
}

static void ask(const char *self, const char *env, const char *mode, const char *wanted)
{
    run(self, env, mode, wanted, true);
}

static void refuse(const char *self, const char *env, const char *mode, const char *unwanted)
{
    run(self, env, mode, unwanted, false);
}

int main(int argc, char **argv)
{
    char self[400] = "";
    if (argc > 1)
        return child(argv[1]);
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    ask(self, "HEDDLE_DEVICES=3", "count", "0 3");
    ask(self, "HEDDLE_DEVICES=0", "count", "100 -1");
    ask(self, "CUDA_VISIBLE_DEVICES=", "count", "100 -1");
    ask(self, "CUDA_VISIBLE_DEVICES=-1", "count", "100 -1");
    ask(self, "CUDA_VISIBLE_DEVICES=0,0 HEDDLE_DEVICES=1", "count", "0 2");
    ask(self, "CUDA_VISIBLE_DEVICES=1,5,0 HEDDLE_DEVICES=2", "count", "0 1");
    ask(self, "CUDA_VISIBLE_DEVICES=2,0 HEDDLE_DEVICES=3", "bus", "0000:03:00.0 0000:01:00.0 ");
    // guide: CUDA_LAUNCH_BLOCKING=1
    ask(self, "CUDA_LAUNCH_BLOCKING=1", "fault", "700 700");
    ask(self, "CUDA_LAUNCH_BLOCKING=0", "fault", "0 700");
    ask(self, "HEDDLE_LOG=", "fault", "kernel 'bad'"); // errors are told unasked
    refuse(self, "HEDDLE_LOG=off", "fault", "kernel 'bad'");
    ask(self, "HEDDLE_LOG=debug", "fault", "cuModuleLoadData: CUDA_SUCCESS");
    // Code that cannot run says so, and a launch that is refused, which limit; in one line each.
    ask(self, "HEDDLE_LOG=", "machine", "heddle: error: ptx: error: the image is machine code of a GPU, without PTX");
    ask(self, "HEDDLE_LOG=", "tables", "libcudart_static");
    ask(self, "HEDDLE_LOG=", "launch",
        "heddle: error: launch of 'bad': a block of 2048 threads in x; the limit is 1024\n1\n");
    ask(self, "HEDDLE_LOG=", "shared",
        "launch of 'bad': 49153 bytes of shared memory; the limit is 49152, or what cudaFunc");
    // Wrong values are named, and ignored.
    ask(self, "HEDDLE_DEVICES=many", "count", "HEDDLE_DEVICES=many is ignored");
    ask(self, "HEDDLE_DEVICES=65", "count", "0 1");
    ask(self, "HEDDLE_DEVICES=-1", "count", "must be a number in 0..64");
    ask(self, "HEDDLE_WIDTH=7", "fault", "HEDDLE_WIDTH=7 is ignored: the value must be one of 1|8|16|32");
    ask(self, "HEDDLE_WIDTH=8x", "fault", "0 700");
    ask(self, "HEDDLE_CC=9", "count", "HEDDLE_CC=9 is ignored: the value must be a version");
    ask(self, "HEDDLE_MEMORY=2T", "count", "HEDDLE_MEMORY=2T is ignored: the value must be a number of bytes");
    ask(self, "HEDDLE_LOG=loud", "count", "HEDDLE_LOG=loud is ignored");
    refuse(self, "HEDDLE_WIDTH=8 HEDDLE_MEMORY=2G HEDDLE_CC=8.6 HEDDLE_THREADS=2 HEDDLE_LOG=", "count", "ignored");
    // A processor that LLVM does not know is no code, in one line; LLVM's own failures are no fault of the PTX.
    ask(self, "HEDDLE_CPU=banana", "fault", "HEDDLE_CPU=banana: 'banana' is not a recognized processor\n");
    ask(self, "HEDDLE_CPU=banana", "fault", "209 0");
    refuse(self, "HEDDLE_CPU=banana", "fault", "ignoring");
#if defined(__x86_64__)
    ask(self, "HEDDLE_CPU=haswell,+banana", "fault", "'+banana' is not a recognized feature\n");
    ask(self, "HEDDLE_CPU=x86-64,-sse", "float", "999 0");
    ask(self, "HEDDLE_CPU=x86-64,-sse", "float", "internal error: ");
    refuse(self, "HEDDLE_CPU=x86-64", "fault", "recognized");
#endif
    return test_summary();
}
