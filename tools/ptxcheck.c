// SPDX-License-Identifier: Apache-2.0
// Parses, verifies and prints PTX files: `ptxcheck FILE...` reports errors and whether printing is a fixed point;
// `ptxcheck -p FILE` prints the module; `ptxcheck -t FILE` tells the time of a parse.
#include "base/os.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ptx_module *load(const char *text, size_t size, struct diag *d)
{
    struct ptx_module *m = ptx_module_parse(text, size, d);
    if (m && !ptx_module_verify(m, d)) {
        ptx_module_destroy(m);
        return NULL;
    }
    return m;
}

// Prints, parses again, prints again: both texts must agree.
static bool round_trip(const struct ptx_module *m, const char *path)
{
    struct str first = {0}, second = {0};
    struct diag d;
    diag_init(&d, path);
    ptx_module_print(m, &first);
    struct ptx_module *again = load(str_text(&first), first.len, &d);
    if (again)
        ptx_module_print(again, &second);
    bool ok = again && first.len == second.len && !memcmp(first.data, second.data, first.len);
    if (!ok)
        fprintf(stderr, "%s: printed text does not come back\n%s", path, str_text(&d.text));
    ptx_module_destroy(again);
    str_free(&first);
    str_free(&second);
    diag_fini(&d);
    return ok;
}

static bool check(const char *path, char mode)
{
    size_t size;
    char *text = os_file_read(path, &size);
    if (!text) {
        perror(path);
        return false;
    }
    struct diag d;
    diag_init(&d, path);
    uint64_t start = os_time_ns();
    struct ptx_module *m = ptx_module_parse(text, size, &d);
    uint64_t parsed = os_time_ns();
    bool ok = m && ptx_module_verify(m, &d);
    uint64_t verified = os_time_ns();
    fputs(str_text(&d.text), stderr);
    if (ok && mode == 'p') {
        struct str out = {0};
        ptx_module_print(m, &out);
        fputs(str_text(&out), stdout);
        str_free(&out);
    } else if (ok && mode == 't') {
        printf("%s: parse %.2f ms, verify %.2f ms\n", path, (double)(parsed - start) / 1e6,
               (double)(verified - parsed) / 1e6);
    } else if (ok) {
        ok = round_trip(m, path);
    }
    ptx_module_destroy(m);
    diag_fini(&d);
    free(text);
    return ok;
}

int main(int argc, char **argv)
{
    int first = 1, failed = 0;
    char mode = 0;
    if (argc > 1 && argv[1][0] == '-')
        mode = argv[first++][1];
    for (int i = first; i < argc; i++)
        failed += !check(argv[i], mode);
    fprintf(stderr, "%d files, %d failed\n", argc - first, failed);
    return failed != 0;
}
