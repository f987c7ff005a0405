// SPDX-License-Identifier: Apache-2.0
// ncu: counts what kernels do as they run on the CPU, with the command line and the metrics of NVIDIA's program of that name.
//
// The program's process counts: the JIT compiles kernels with calls that tell the engine where each thread goes and what it accesses
// (src/jit/translate/count.c), and the engine puts warps together from that (src/device/count). When a launch is over its counts lie in a file, of
// which a message tells, through the socket that HEDDLE_SANITIZER names. This program adds up and prints. docs/ncu.md tells the whole of it.
#include "base/os.h"
#include "base/process/listen.h"
#include "base/tool/demangle.h"
#include "base/version.h"
#include "base/xmalloc.h"
#include "ncu/ncu.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session {
    struct launches launches;
    bool seen;
};

static bool is_quiet(void)
{
    return option_given(OPTION_QUIET);
}

static void settings(void *data, pid_t process, bool own, const char *folder, struct str *out)
{
    struct session *s = data;
    char link[64], path[PATH_MAX] = "";
    bool wanted = own || option_is(OPTION_TARGET_PROCESSES, "all");
    option_settings(out, wanted, folder);
    if (!wanted)
        return;
    s->seen = true;
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)process);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    if (!is_quiet())
        printf("==PROF== Connected to process %ld (%s)\n", (long)process, path);
    fflush(stdout);
}

// "K launch", and a line with the file.
static void report(void *data, pid_t process, const char *text, size_t size)
{
    struct session *s = data;
    size_t bytes;
    (void)process, (void)size;
    const char *h = strstr(text, "\nH\t");
    if (!strncmp(text, "K\tlost\n", 7) && h)
        fprintf(stderr,
                "==ERROR== %.*s is not counted: its threads run too far apart for the memory that is spent on that\n",
                (int)strcspn(h + 3, "\n"), h + 3);
    if (strncmp(text, "K\tlaunch\n", 9) || !h)
        return;
    char *path = strndup(h + 3, strcspn(h + 3, "\n")), *file = os_file_read(path, &bytes);
    struct launch *l = file ? launch_read(file, bytes, (unsigned)s->launches.len) : NULL;
    unlink(path);
    free(file);
    free(path);
    if (!l) {
        fprintf(stderr, "==ERROR== the counts of a launch cannot be read\n");
        return;
    }
    char *name = demangle_short(l->name);
    if (!is_quiet())
        printf("==PROF== Profiling \"%s\" - %u: 0%%....50%%....100%% - 1 pass\n", name, l->id);
    fflush(stdout);
    free(name);
    vec_push(&s->launches, l);
}

static void gone(void *data, pid_t process)
{
    (void)data;
    if (!is_quiet())
        printf("==PROF== Disconnected from process %ld\n", (long)process);
    fflush(stdout);
}

// NAME.heddle-ncu, with %p for this process; NULL with a message where it is there already.
static char *export_path(void)
{
    struct str s = {0};
    for (const char *p = option_value[OPTION_EXPORT]; *p; p++) {
        if (!strncmp(p, "%p", 2))
            str_printf(&s, "%ld", (long)getpid()), p++;
        else
            str_append_n(&s, p, 1);
    }
    size_t end = strlen(".heddle-ncu");
    if (s.len < end || strcmp(str_text(&s) + s.len - end, ".heddle-ncu"))
        str_append(&s, ".heddle-ncu");
    char *path = xstrdup(str_text(&s));
    str_free(&s);
    if (!option_given(OPTION_FORCE) && !access(path, F_OK)) {
        fprintf(stderr, "==ERROR== The file %s is there already. Use --force-overwrite\n", path);
        free(path);
        return NULL;
    }
    return path;
}

static bool show(struct session *s, const struct rows *rows, const char *path)
{
    bool ok = true;
    if (path) {
        ok = report_write(path, &s->launches);
        if (ok)
            printf("==PROF== Report: %s\n", path);
    }
    if (option_given(OPTION_HTML))
        ok &= html_write(option_value[OPTION_HTML], &s->launches, rows);
    if (!path && !option_given(OPTION_HTML))
        print_launches(&s->launches, rows);
    return ok;
}

static int run(char **argv, struct session *s)
{
    const struct listener l = {"ncu", s, settings, report, gone};
    int status = listen_program(&l, argv);
    if (status < 0)
        fprintf(stderr, "==ERROR== no socket for the program: %s\n", strerror(errno));
    else if (!s->launches.len && status != 126 && status != 127)
        printf("==WARNING== No kernels were profiled.\n");
    return status < 0 ? LISTEN_CANNOT_RUN : status;
}

static int query(void)
{
    for (size_t i = 0; i < metric_count; i++)
        printf("%-90s %-16s %s\n", metrics[i].name, metrics[i].unit, metrics[i].about);
    return EXIT_SUCCESS;
}

static int information(void)
{
    if (option_given(OPTION_HELP))
        option_help();
    else if (option_given(OPTION_VERSION))
        printf("ncu of Heddle %s, for CUDA %d.%d\n", HEDDLE_VERSION, TOOLKIT_MAJOR, TOOLKIT_MINOR);
    else if (option_given(OPTION_LIST_SECTIONS))
        sections_list();
    else if (option_given(OPTION_QUERY_METRICS))
        return query();
    else
        return -1;
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct session s = {0};
    struct rows rows = {0};
    int at = option_parse(argc, argv), status = 0;
    if (at < 0)
        return EXIT_FAILURE;
    int told = information();
    if (told >= 0)
        return told;
    if (!rows_choose(&rows))
        return EXIT_FAILURE;
    if (option_given(OPTION_LOG_FILE) && !freopen(option_value[OPTION_LOG_FILE], "we", stdout)) {
        fprintf(stderr, "==ERROR== %s: %s\n", option_value[OPTION_LOG_FILE], strerror(errno));
        return EXIT_FAILURE;
    }
    char *path = option_given(OPTION_EXPORT) ? export_path() : NULL;
    if (option_given(OPTION_EXPORT) && !path)
        return EXIT_FAILURE;
    if (option_given(OPTION_IMPORT)) {
        if (!report_read(option_value[OPTION_IMPORT], &s.launches))
            return EXIT_FAILURE;
    } else if (at == argc) {
        fprintf(stderr, "==ERROR== No program is given; --help tells how\n");
        return EXIT_FAILURE;
    } else {
        status = run(argv + at, &s);
    }
    bool ok = show(&s, &rows, path);
    for (size_t i = 0; i < s.launches.len; i++)
        launch_free(s.launches.data[i]);
    vec_free(&s.launches);
    vec_free(&rows);
    free(path);
    return status ? status : ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
