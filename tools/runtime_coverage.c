// SPDX-License-Identifier: Apache-2.0
// Writes docs/generated/runtime-coverage.md from the table of the runtime interface.
#include <stdio.h>
#include <string.h>

struct row {
    const char *name, *status;
};

static const struct row rows[] = {
#define RT(ret, name, params, args, status) {#name, #status},
#define RT_PTSZ(name, params, args)         {#name "_ptsz", "VARIANT"},
#define RT_PTDS(name, params, args, call)   {#name "_ptds", "VARIANT"},
#define RT_OLD(ret, name, params)           {#name, "OLD"},
#define RT_HOOK(ret, name, params)          {#name, "HOOK"},
#define RT_ABSENT(name)                     {#name, "ABSENT"},
#include "runtime/api.def"
};

// about: what a program gets of these; NULL: nothing is to be said
static void list(const char *title, const char *status, const char *about)
{
    unsigned n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        n += !strcmp(rows[i].status, status);
    printf("\n## %s (%u)\n\n", title, n);
    if (about)
        printf("%s\n\n", about);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].status, status))
            printf("- `%s`\n", rows[i].name);
}

int main(void)
{
    printf("# Coverage of the runtime interface (libcudart)\n\n"
           "Generated from src/runtime/api.def against the names that CUDA 13.0's library exports; do not edit.\n");
    list("Implemented", "FULL", NULL);
    list("Implemented: variants for one default stream a thread", "VARIANT", NULL);
    list("Implemented: what compiled host code calls", "HOOK", NULL);
    list("Implemented beyond CUDA 13: names of older versions", "OLD", NULL);
    list("Present, answering cudaErrorNotSupported", "NONE",
         "Programs that call these functions compile and link. Each call answers cudaErrorNotSupported and does "
         "nothing.");
    list("Missing", "ABSENT",
         "libcudart does not export these functions and no header declares them: a program that calls one does not "
         "compile, or does not link\nwhere it was compiled elsewhere.");
    return fflush(stdout) || ferror(stdout);
}
