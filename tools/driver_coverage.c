// SPDX-License-Identifier: Apache-2.0
// Writes the coverage page of the driver API from the table. Usage: driver_coverage_tool FILE
#include <stdio.h>
#include <string.h>

enum state { DONE, REFUSING, ABSENT, STATES };
static const struct row {
    const char *name;
    int since;
    enum state state;
} rows[] = {
#define API(name, suffix, since, body, params, args) {#name #suffix, since, DONE},
#define REFUSED(name, suffix, since, params)         {#name #suffix, since, REFUSING},
#define MISSING(name, suffix)                        {#name #suffix, 0, ABSENT},
#include "driver/api.def"
};

int main(int argc, char **argv)
{
    static const char *const titles[] = {"Implemented", "Exported, answers CUDA_ERROR_NOT_SUPPORTED", "Missing"};
    static const char *const about[] = {
        "",
        "Programs that call these functions compile and link. Each call answers CUDA_ERROR_NOT_SUPPORTED and does "
        "nothing.\n\n",
        "libcuda.so does not export these functions and cuda.h does not declare them: a program that calls one does "
        "not compile, or does\nnot link where it was compiled elsewhere. cuGetProcAddress answers "
        "CUDA_ERROR_NOT_FOUND for them.\n\n"};
    FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    size_t n = sizeof rows / sizeof *rows, counts[STATES] = {0};
    for (size_t i = 0; i < n; i++)
        counts[rows[i].state]++;
    fprintf(out,
            "# The driver API: what is there\n\nMade from src/driver/api.def by the build target `driver_coverage`; do "
            "not edit.\n\n%zu functions of CUDA 13.0 and older: %zu implemented, %zu refused, %zu missing.\n",
            n, counts[DONE], counts[REFUSING], counts[ABSENT]);
    for (int s = 0; s < STATES; s++) {
        fprintf(out, "\n## %s\n\n%s", titles[s], about[s]);
        for (size_t i = 0; i < n; i++) {
            if (rows[i].state != (enum state)s)
                continue;
            if (rows[i].since)
                fprintf(out, "- `%s` (since %d.%d)\n", rows[i].name, rows[i].since / 1000, rows[i].since % 1000 / 10);
            else
                fprintf(out, "- `%s`\n", rows[i].name);
        }
    }
    int failed = fflush(out) || ferror(out);
    return (out != stdout && fclose(out)) || failed;
}
