// SPDX-License-Identifier: Apache-2.0
// heddle run: a program that was built for NVIDIA's shared libraries runs on Heddle's. The process becomes the program (exec), so that its exit
// status, its signals and its terminal are its own. What it needs is in the environment, and its children inherit it:
//     LD_AUDIT             has the loader ask libheddle-run.so for every library (src/audit)
//     PATH                 Heddle's nvcc, ptxas and nvlink come first
//     CUDA_HOME, CUDA_PATH the toolkit, for those that look for one,
//     TRITON_*             ptxas and libcuda for Triton, which brings its own ptxas and asks the system's cache of libraries, and
//     HEDDLE_DEVICE        cpu, so that libcudart and the driver agree: the program's own calls of libcuda go to Heddle's. With
//                          HEDDLE_DEVICE=gpu the driver is NVIDIA's in all of them, and these variables stay as they are.
#include "heddle/exec.h"
#include "base/env.h"
#include "base/os.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// As shells have it.
enum { CANNOT_RUN = 126, NOT_FOUND = 127 };

struct request {
    const char *devices; // NULL: as the environment has it
    bool show;
    char **program; // its name and its arguments
};

static bool devices_valid(const char *text)
{
    for (const struct env_row *r = env_table; r->name; r++)
        if (!strcmp(r->name, "HEDDLE_DEVICES"))
            return *text && env_valid(r, text);
    return false;
}

static bool request_parse(struct request *q, int argc, char **argv)
{
    int i = 0;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--")) {
            i++;
            break;
        }
        if (!strcmp(argv[i], "--show")) {
            q->show = true;
        } else if (!strncmp(argv[i], "--devices=", 10)) {
            q->devices = argv[i] + 10;
        } else if (!strcmp(argv[i], "--devices") && i + 1 < argc) {
            q->devices = argv[++i];
        } else {
            fprintf(stderr, "heddle: run: '%s' is no option of it%s\n", argv[i],
                    strcmp(argv[i], "--devices") ? "" : " without a number");
            return false;
        }
    }
    q->program = argv + i;
    if (q->devices && !devices_valid(q->devices))
        fprintf(stderr, "heddle: run: --devices %s is not a number from 0 to 64\n", q->devices);
    else if (i == argc)
        fprintf(stderr, "heddle: run: no program is given\n");
    else
        return true;
    return false;
}

// The variable's list with the entry first, once; `otherwise`: the list of one that is not set.
static bool prepend(const char *name, const char *entry, const char *otherwise)
{
    const char *set = secure_getenv(name), *old = set ? set : otherwise;
    size_t n = strlen(entry);
    char *text;
    if (!strncmp(old, entry, n) && (!old[n] || old[n] == ':'))
        return true;
    if (asprintf(&text, "%s%s%s", entry, *old ? ":" : "", old) < 0)
        return false;
    bool done = !setenv(name, text, 1);
    free(text);
    return done;
}

// Its kernels for sm_90 and newer are assembled by the one that has another name.
static bool triton_set(const char *root)
{
    static const struct {
        const char *name, *path;
    } table[] = {{"TRITON_PTXAS_PATH", "bin/ptxas"},
                 {"TRITON_PTXAS_BLACKWELL_PATH", "bin/ptxas"},
                 {"TRITON_LIBCUDA_PATH", "lib64"}};
    bool done = true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char path[PATH_MAX + 16];
        snprintf(path, sizeof path, "%s/%s", root, table[i].path);
        done = done && !setenv(table[i].name, path, 1);
    }
    return done;
}

static bool environment_set(const struct request *q, const char *bin)
{
    char root[PATH_MAX], module[PATH_MAX + 32];
    const char *device = secure_getenv("HEDDLE_DEVICE");
    bool gpu = device && !strcmp(device, "gpu");
    snprintf(root, sizeof root, "%s", bin);
    *strrchr(root, '/') = 0;
    snprintf(module, sizeof module, "%s/lib64/libheddle-run.so", root);
    if (access(module, R_OK)) {
        fprintf(stderr, "heddle: run: %s cannot be read\n", module);
        return false;
    }
    if (strchr(module, ':')) {
        fprintf(stderr, "heddle: run: %s has a colon in its name, which LD_AUDIT cannot have\n", module);
        return false;
    }
    bool done = prepend("LD_AUDIT", module, "") && prepend("PATH", bin, "/usr/local/bin:/usr/bin:/bin");
    if (!gpu)
        done = done && !setenv("HEDDLE_DEVICE", "cpu", 1) && !setenv("CUDA_HOME", root, 1) &&
               !setenv("CUDA_PATH", root, 1) && triton_set(root);
    if (q->devices)
        done = done && !setenv("HEDDLE_DEVICES", q->devices, 1);
    if (q->show)
        done = done && !setenv("HEDDLE_RUN", "show", 1);
    if (!done)
        fprintf(stderr, "heddle: run: %s\n", strerror(errno));
    return done;
}

int exec_program(int argc, char **argv)
{
    struct request q = {0};
    char bin[PATH_MAX];
    if (!request_parse(&q, argc, argv))
        return EXEC_USAGE;
    if (!os_self_dir((const void *)exec_program, bin, sizeof bin)) {
        fprintf(stderr, "heddle: run: the folder of this program is not known, and the libraries are beside it\n");
        return CANNOT_RUN;
    }
    if (!environment_set(&q, bin))
        return CANNOT_RUN;
    execvp(q.program[0], q.program);
    int e = errno;
    fprintf(stderr, "heddle: run: %s: %s\n", q.program[0], e == ENOENT ? "not found" : strerror(e));
    return e == ENOENT || e == ENOTDIR ? NOT_FOUND : CANNOT_RUN;
}
