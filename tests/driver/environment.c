// What environment variables do. The program runs itself again, once for each setting.
#include "common.h"
#include <unistd.h>

static const char text[] = PTX_HEAD PTX_BAD PTX_EMPTY;

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
    if (r || cuCtxCreate(&c, NULL, 0, 0) || cuModuleLoadData(&m, text) || cuModuleGetFunction(&f, m, "bad"))
        return 1;
    CUresult launch = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL);
    printf("%d %d\n", launch, cuCtxSynchronize());
    fflush(stdout);
    return 0;
}

static void ask(const char *self, const char *env, const char *mode, const char *wanted)
{
    char command[512], line[512] = "";
    snprintf(command, sizeof command, "%s '%s' %s 2>&1", env, self, mode);
    FILE *p = popen(command, "r");
    size_t n = p ? fread(line, 1, sizeof line - 1, p) : 0;
    line[n] = 0;
    if (p)
        pclose(p);
    CHECK(strstr(line, wanted) != NULL);
    if (!strstr(line, wanted))
        fprintf(stderr, "%s %s: got '%s', wanted '%s'\n", env, mode, line, wanted);
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
    ask(self, "HEDDLE_LOG=error", "fault", "kernel 'bad'");
    ask(self, "HEDDLE_LOG=debug", "fault", "cuModuleLoadData: CUDA_SUCCESS");
    return test_summary();
}
