// SPDX-License-Identifier: Apache-2.0
#include "heddle/source.h"
#include "base/os.h"
#include "base/vec.h"
#include "front/process.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *file, size_t *size)
{
    char *text = os_file_read(file, size);
    if (!text)
        fprintf(stderr, "heddle: %s cannot be read\n", file);
    return text;
}

// In a folder of its own, which goes away.
static char *compile_in(const char *folder, const char *file, size_t *size)
{
    char dir[PATH_MAX - 32], nvcc[PATH_MAX], ptx[PATH_MAX + 8], log[PATH_MAX + 8];
    if (!os_self_dir((const void *)compile_in, dir, sizeof dir)) {
        fprintf(stderr, "heddle: the folder of this program is not known, and nvcc is there\n");
        return NULL;
    }
    snprintf(nvcc, sizeof nvcc, "%s/nvcc", dir);
    snprintf(ptx, sizeof ptx, "%s/ptx", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    struct texts argv = {0};
    const char *const words[] = {nvcc, "-ptx", "-lineinfo", file, "-o", ptx};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        vec_push(&argv, words[i]);
    int status = process_run(&argv, log, NULL, NULL);
    // A status that is not known: the file tells.
    bool failed = status && status != PROCESS_UNKNOWN;
    char *messages = os_file_read(log, NULL), *text = failed ? NULL : read_text(ptx, size);
    if (messages)
        fputs(messages, stderr);
    if (failed && (!messages || !*messages))
        fprintf(stderr, "heddle: %s cannot be started, or ended with status %d\n", nvcc, status);
    free(messages);
    vec_free(&argv);
    return text;
}

char *source_ptx(const char *file, size_t *size)
{
    const char *end = strrchr(file, '.');
    char folder[PATH_MAX];
    if (!end || strcmp(end, ".cu"))
        return read_text(file, size);
    if (!os_temp_dir(folder, sizeof folder, os_temp_base(), "heddle")) {
        fprintf(stderr, "heddle: no folder for temporary files in %s\n", os_temp_base());
        return NULL;
    }
    char *text = compile_in(folder, file, size);
    os_folder_remove(folder);
    return text;
}
