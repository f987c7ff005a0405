// SPDX-License-Identifier: Apache-2.0
// Warnings that clang does not have: launches that name no stream, kernels without launch bounds. Both are seen in the
// preprocessed source, where attributes are spelled out and lines are told by markers; only when asked for.
#include "nvcc/driver.h"
#include "base/os.h"
#include "front/source.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const char *text;
    const char *file; // in the text, up to a quote
    unsigned line;
    bool system; // a header of the system's or of the toolkit's
    bool stream, bounds;
    bool stream_error, bounds_error;
    unsigned errors;
};

static void report(struct check *c, bool error, const char *message)
{
    fprintf(stderr, "%.*s:%u: %s: %s\n", (int)strcspn(c->file, "\""), c->file, c->line, error ? "error" : "warning",
            message);
    c->errors += error;
}

// The number of arguments between the brackets of a launch; 0: it is none.
static unsigned launch_arguments(const char *p)
{
    unsigned count = 1;
    int depth = 0;
    for (p += 3; *p && strncmp(p, ">>>", 3) && *p != ';'; p++) {
        if (*p == '"' || *p == '\'') {
            p = source_skip_literal(p) - 1;
            continue;
        }
        depth += strchr("([{", *p) ? 1 : strchr(")]}", *p) ? -1 : 0;
        count += *p == ',' && !depth;
    }
    return strncmp(p, ">>>", 3) ? 0 : count;
}

// A declaration of a kernel begins before p, its attribute; bounds may stand on either side of the name.
static bool bounds_given(const struct check *c, const char *p)
{
    const char *begin = p, *end = p + strcspn(p, "{;");
    while (begin > c->text && !strchr(";}{", begin[-1]))
        begin--;
    const char *found = strstr(begin, "launch_bounds");
    return found && found < end;
}

// "# 12 "file" 1 3": the line that follows; flag 3 is a system header.
static void marker_read(struct check *c, const char *p)
{
    char *end;
    unsigned long line = strtoul(p + 2, &end, 10);
    if (end == p + 2 || strncmp(end, " \"", 2))
        return;
    c->line = (unsigned)line - 1; // the marker's own end adds one
    c->file = end + 2;
    const char *flags = c->file + strcspn(c->file, "\"\n");
    const char *eol = flags + strcspn(flags, "\n"), *three = strstr(flags, " 3");
    c->system = three && three < eol;
}

static void text_check(struct check *c)
{
    static const char kernel[] = "__attribute__((global))";
    c->file = "\"";
    c->line = 1;
    for (const char *p = c->text; *p;) {
        if (*p == '\n') {
            c->line++;
            p++;
        } else if (*p == '#' && p[1] == ' ' && (p == c->text || p[-1] == '\n')) {
            marker_read(c, p);
            p += strcspn(p, "\n");
        } else if (*p == '"' || (*p == '\'' && !(p > c->text && isalnum((unsigned char)p[-1])))) {
            p = source_skip_literal(p);
        } else {
            if (!c->system && c->stream && !strncmp(p, "<<<", 3)) {
                unsigned n = launch_arguments(p);
                if (n && n < 4)
                    report(c, c->stream_error, "the launch names no stream [-Wdefault-stream-launch]");
                p += 2;
            } else if (!c->system && c->bounds && !strncmp(p, kernel, strlen(kernel)) && !bounds_given(c, p)) {
                report(c, c->bounds_error, "the kernel has no __launch_bounds__ [-Wmissing-launch-bounds]");
            }
            p++;
        }
    }
}

// The source, preprocessed for one side.
static bool side_check(struct driver *d, const char *source, struct check *c, bool device)
{
    const char *path = job_temp(&d->arena, driver_stem(d, source), ".launch.ii");
    struct job j = {0};
    if (device) {
        arguments_add_device(d, &j, source, &d->targets.data[0]);
    } else {
        arguments_add_cuda(d, &j, source);
        job_add(&j, "--cuda-host-only");
        arguments_add_host(d, &j);
    }
    job_add(&j, "-E");
    job_add_files(&j, path, source);
    char *text = job_finish(&j) ? os_file_read(path, NULL) : NULL;
    if (!text)
        return false;
    c->text = text;
    text_check(c);
    free(text);
    return !c->errors;
}

bool launch_check(struct driver *d, const char *source)
{
    const struct options *o = &d->options;
    bool all = options_lists(o, OPTION_WERROR, "all-warnings");
    struct check streams = {.stream_error = all || options_lists(o, OPTION_WERROR, "default-stream-launch")};
    struct check bounds = {.bounds_error = all || options_lists(o, OPTION_WERROR, "missing-launch-bounds")};
    streams.stream = options_has(o, OPTION_WARN_STREAM) || options_lists(o, OPTION_WERROR, "default-stream-launch");
    bounds.bounds = options_has(o, OPTION_WARN_BOUNDS) || options_lists(o, OPTION_WERROR, "missing-launch-bounds");
    if (options_has(o, OPTION_NO_WARNINGS) || job_dryrun())
        return true;
    return (!streams.stream || side_check(d, source, &streams, false)) &&
           (!bounds.bounds || side_check(d, source, &bounds, true)); // the host side has no bounds
}
