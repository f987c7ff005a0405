// SPDX-License-Identifier: Apache-2.0
// Writes the coverage page of the driver API from the table. Usage: driver_coverage_tool FILE
#include <stdio.h>
#include <string.h>

enum state { DONE, REFUSING, STATES };
static const struct row {
    const char *name;
    int since;
    enum state state;
    const char *reason;
} rows[] = {
#define API(name, suffix, since, body, params, args) {#name #suffix, since, DONE, NULL},
#define REFUSED(name, suffix, since, params, reason) {#name #suffix, since, REFUSING, reason},
#include "driver/api.def"
};

int main(int argc, char **argv)
{
    static const char *const titles[] = {"Implemented", "Missing: exported, answers CUDA_ERROR_NOT_SUPPORTED"};
    static const char *const about[] = {
        "", "Programs that call these functions compile and link. Each call answers CUDA_ERROR_NOT_SUPPORTED and does "
            "nothing, for the reason given.\n\n"};
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
            "not edit.\n\n%zu functions of CUDA 13.0 and older: %zu implemented, %zu missing.\n",
            n, counts[DONE], counts[REFUSING]);
    for (int s = 0; s < STATES; s++) {
        fprintf(out, "\n## %s\n\n%s", titles[s], about[s]);
        for (size_t i = 0; i < n; i++) {
            if (rows[i].state != (enum state)s)
                continue;
            fprintf(out, "- `%s` (since %d.%d)%s%s\n", rows[i].name, rows[i].since / 1000, rows[i].since % 1000 / 10,
                    rows[i].reason ? ": " : "", rows[i].reason ? rows[i].reason : "");
        }
    }
    int failed = fflush(out) || ferror(out);
    return (out != stdout && fclose(out)) || failed;
}
