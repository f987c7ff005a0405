// SPDX-License-Identifier: Apache-2.0
// Files of --export: a line with the number of bytes, and a launch as its process wrote it, one after the other.
#include "base/os.h"
#include "ncu/ncu.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool report_write(const char *path, const struct launches *all)
{
    FILE *f = fopen(path, "we");
    for (size_t i = 0; f && i < all->len; i++) {
        fprintf(f, "%zu\n", all->data[i]->size);
        fwrite(all->data[i]->copy, 1, all->data[i]->size, f);
    }
    if (!f || fclose(f)) {
        fprintf(stderr, "==ERROR== %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

bool report_read(const char *path, struct launches *all)
{
    size_t size, n;
    char *text = os_file_read(path, &size), *p = text, *end;
    bool ok = text;
    if (!text)
        fprintf(stderr, "==ERROR== %s: %s\n", path, strerror(errno));
    for (; ok && p < text + size; p = end + 1 + n) {
        n = strtoull(p, &end, 10);
        struct launch *l = NULL;
        if (end > p && *end == '\n' && n < (size_t)(text + size - end))
            l = launch_read(end + 1, n, (unsigned)all->len);
        ok = l;
        if (ok)
            vec_push(all, l);
        else
            fprintf(stderr, "==ERROR== %s is no file that --export has written\n", path);
    }
    free(text);
    return ok;
}
