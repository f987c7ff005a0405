// SPDX-License-Identifier: Apache-2.0
// Writes docs/generated/environment.md to its output from src/base/env.def.
#include <stdio.h>

static const struct {
    const char *name, *value, *domain, *about;
} rows[] = {
#define ENV(name, value, domain, about) {#name, value, domain, about},
#include "base/env.def"
};

// A bar would end the column: words between bars become a list.
static void cell(const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            fputs(", ", stdout);
        else
            putchar(*text);
    }
}

int main(void)
{
    puts("# Environment variables\n\nGenerated from `src/base/env.def`; not to be edited. `heddle env` shows how they "
         "are set. A value outside of the domain is "
         "reported once, and the\ndefault holds. CUDA's own variables (CUDA_VISIBLE_DEVICES, CUDA_LAUNCH_BLOCKING, "
         "CUDA_CACHE_PATH and so on) work as CUDA "
         "documents them.\n\n| variable | default | values | what it does |\n|---|---|---|---|");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        printf("| %s | %s | ", rows[i].name, rows[i].value);
        cell(*rows[i].domain ? rows[i].domain : "any");
        printf(" | ");
        cell(rows[i].about);
        printf(" |\n");
    }
    return fflush(stdout) || ferror(stdout);
}
