// SPDX-License-Identifier: Apache-2.0
// Reports as text and as XML, and what is counted of them.
#include "sanitizer/sanitizer.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts counts;
static FILE *out, *saved;
static unsigned long printed;

// %p and %q{NAME} in the name of a file.
static char *expand(const char *name)
{
    struct str s = {0};
    for (const char *p = name; *p; p++) {
        const char *end = !strncmp(p, "%q{", 3) ? strchr(p, '}') : NULL;
        if (!strncmp(p, "%p", 2)) {
            str_printf(&s, "%ld", (long)getpid());
            p++;
        } else if (end) {
            char *variable = strndup(p + 3, (size_t)(end - p - 3));
            const char *value = secure_getenv(variable);
            str_append(&s, value ? value : "");
            free(variable);
            p = end;
        } else {
            str_append_n(&s, p, 1);
        }
    }
    char *copy = xstrdup(str_text(&s));
    str_free(&s);
    return copy;
}

static FILE *open_out(const char *name)
{
    char *path = expand(name);
    FILE *f = fopen(path, "we");
    if (!f)
        printf("========= Error: %s: %s\n", path, strerror(errno));
    free(path);
    return f;
}

void print_line(const char *fmt, ...)
{
    struct str s = {0};
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    str_printf(&s, "%s%s", option_value[OPTION_PREFIX], n < 0 ? "" : text);
    while (s.len && str_text(&s)[s.len - 1] == ' ')
        s.len--;
    fprintf(out, "%.*s\n", (int)s.len, str_text(&s));
    fflush(out);
    str_free(&s);
    free(text);
}

static bool is_xml(void)
{
    return option_is(OPTION_XML, "yes");
}

bool print_begin(void)
{
    out = option_given(OPTION_LOG_FILE) ? open_out(option_value[OPTION_LOG_FILE]) : stdout;
    if (!out || (option_given(OPTION_SAVE) && !(saved = open_out(option_value[OPTION_SAVE]))))
        return false;
    if (saved && is_xml())
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ComputeSanitizerOutput>\n", saved);
    if (!option_given(OPTION_QUIET))
        print_line("COMPUTE-SANITIZER");
    return true;
}

// ---- XML
static void put_xml(const char *tag, const char *text)
{
    fprintf(saved, "<%s>", tag);
    for (const char *p = text; *p; p++) {
        const char *as = *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == '&' ? "&amp;" : NULL;
        if (as)
            fputs(as, saved);
        else
            fputc(*p, saved);
    }
    fprintf(saved, "</%s>", tag);
}

// ---- lines of a report
static const char *short_path(const char *path)
{
    const char *slash = option_is(OPTION_STRIP_PATHS, "yes") ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

static void place_text(struct str *s, const char *name, const char *offset, const char *place)
{
    symbol_append(s, name);
    str_printf(s, "+%s", offset);
    if (*place)
        str_printf(s, " in %s", short_path(place));
}

static const char *frame_name(const struct line *l)
{
    return symbol_at(l->field[0], strtoull(l->field[1], NULL, 16) - 1);
}

static void frame_text(struct str *s, const struct line *l)
{
    const char *name = frame_name(l);
    name = name ? name : *l->field[2] ? l->field[2] : NULL;
    str_append(s, "Host Frame: ");
    if (name)
        symbol_append(s, name);
    str_printf(s, "%s[%s] in %s", name ? " " : "", l->field[1], short_path(l->field[0]));
}

// Frames within a library of ours, of which the outermost alone says where the program entered it; and those within a function of a
// libcudart that is linked in.
static bool is_inner(const struct report *r, size_t i)
{
    static const char *const ours[] = {"libcuda.so", "libcudart.so", "libheddle-jit.so"};
    const struct line *l = &r->lines.data[i], *next = i + 1 < r->lines.len ? l + 1 : NULL;
    for (size_t k = 0; next && next->letter == 'F' && k < sizeof ours / sizeof *ours; k++)
        if (strstr(l->field[0], ours[k]) && !strcmp(l->field[0], next->field[0]))
            return true;
    const char *name = next && next->letter == 'F' ? frame_name(l) : NULL, *outer = name ? frame_name(next) : NULL;
    return outer && !strcmp(name, outer);
}

struct layout {
    unsigned frames;
    bool first;
};

static void line_text(const struct report *r, size_t i, struct layout *at, struct str *s, const char **tag,
                      unsigned *indent)
{
    const struct line *l = &r->lines.data[i];
    bool host = option_is(OPTION_SHOW_BACKTRACE, "yes") || option_is(OPTION_SHOW_BACKTRACE, "host");
    unsigned long most = option_number(OPTION_NUM_CALLERS_HOST);
    *tag = "text";
    *indent = at->first ? 0 : 4;
    switch (l->letter) {
    case 'H':
    case 'L':
        str_append(s, l->field[0]);
        break;
    case 'D':
        *tag = "where";
        str_append(s, "at ");
        place_text(s, l->field[0], l->field[1], l->field[2]);
        break;
    case 'T':
        *tag = "where";
        str_printf(s, "%s at ", l->field[0]);
        place_text(s, l->field[1], l->field[2], l->field[3]);
        str_append(s, l->field[4]);
        break;
    case 'B':
        if (host)
            str_append(s, l->field[0]);
        at->frames = 0; // of each backtrace
        *tag = "backtrace";
        break;
    case 'F':
        *tag = "hostFrame";
        *indent = 8;
        if (host && !is_inner(r, i) && (!most || at->frames++ < most))
            frame_text(s, l);
        break;
    default:
        break;
    }
    at->first &= !s->len;
}

static void write_lines(const struct report *r, bool xml)
{
    struct layout at = {0, true};
    for (size_t i = 0; i < r->lines.len; i++) {
        struct str s = {0};
        const char *tag;
        unsigned indent;
        line_text(r, i, &at, &s, &tag, &indent);
        if (s.len && xml) {
            fputs("    ", saved);
            put_xml(tag, str_text(&s));
            fputs("\n", saved);
        } else if (s.len) {
            print_line("%*s%s", (int)indent, "", str_text(&s));
        }
        str_free(&s);
    }
}

static void save(const char *text, size_t size, const struct report *r)
{
    if (!saved)
        return;
    if (!is_xml()) {
        fprintf(saved, "%zu\n", size);
        fwrite(text, 1, size, saved);
        return;
    }
    fputs("  <record>\n    ", saved);
    put_xml("kind", r->kind);
    fputs("\n", saved);
    write_lines(r, true);
    fputs("  </record>\n", saved);
}

// The line of a call that failed takes the place of what it was made from. False: it is not to be told.
static bool complete_call(struct report *r)
{
    static char text[512];
    if (strcmp(r->kind, "api"))
        return true;
    struct line *last = r->lines.len ? &r->lines.data[r->lines.len - 1] : NULL;
    const char *name = last && last->letter == 'A' ? report_call(r, last) : NULL;
    if (!name)
        return false;
    snprintf(text, sizeof text, "Program hit %s (error %s) due to \"%s\" on CUDA API call to %s.", last->field[2],
             last->field[1], last->field[3], name);
    struct line head = {.letter = 'H', .field = {text, "", "", "", "", ""}, .n = 1};
    memmove(&r->lines.data[1], &r->lines.data[0], (r->lines.len - 1) * sizeof head);
    r->lines.data[0] = head;
    return true;
}

static void count(const struct report *r)
{
    if (!strcmp(r->kind, "leak")) {
        counts.leaks++;
        counts.leaked += r->amount;
    } else if (!strcmp(r->kind, "hazard")) {
        counts.hazards++;
    } else if (r->level == LEVEL_WARN) {
        counts.warnings++;
    } else if (r->level >= LEVEL_ERROR) {
        counts.errors++;
    }
}

static enum level least(void)
{
    return option_is(OPTION_PRINT_LEVEL, "info")    ? LEVEL_INFO
           : option_is(OPTION_PRINT_LEVEL, "warn")  ? LEVEL_WARN
           : option_is(OPTION_PRINT_LEVEL, "error") ? LEVEL_ERROR
                                                    : LEVEL_FATAL;
}

void print_report(const char *text, size_t size)
{
    struct report r;
    unsigned long limit = option_number(OPTION_PRINT_LIMIT);
    report_read(&r, text, size);
    if (r.lines.len && complete_call(&r) && r.level >= least()) {
        count(&r);
        save(text, size, &r);
        if (!limit || printed < limit) {
            printed++;
            write_lines(&r, false);
            print_line("%s", "");
        } else {
            counts.hidden++;
        }
    }
    report_free(&r);
}

void print_end(void)
{
    const char *s = "s";
    unsigned long errors = counts.errors + counts.leaks;
    if (saved && is_xml())
        fputs("</ComputeSanitizerOutput>\n", saved);
    if (saved)
        fclose(saved);
    if (option_is(OPTION_LEAK_CHECK, "full") && option_is(OPTION_TOOL, "memcheck"))
        print_line("LEAK SUMMARY: %zu bytes leaked in %lu allocation%s", counts.leaked, counts.leaks,
                   counts.leaks == 1 ? "" : s);
    if (option_is(OPTION_TOOL, "racecheck"))
        print_line("RACECHECK SUMMARY: %lu hazard%s displayed (%lu error%s, %lu warning%s)",
                   counts.hazards + counts.warnings, counts.hazards + counts.warnings == 1 ? "" : s, counts.hazards,
                   counts.hazards == 1 ? "" : s, counts.warnings, counts.warnings == 1 ? "" : s);
    if (!option_is(OPTION_TOOL, "racecheck") || errors)
        print_line("ERROR SUMMARY: %lu error%s", errors, errors == 1 ? "" : s);
    if (counts.hidden)
        print_line("ERROR SUMMARY: %lu error%s were not printed. Use --print-limit option to adjust the number of "
                   "printed errors",
                   counts.hidden, counts.hidden == 1 ? "" : s);
}

bool print_saved(const char *path)
{
    size_t size, n;
    char *text = os_file_read(path, &size), *p = text, *end;
    for (; text && p < text + size; p = end + 1 + n) {
        n = strtoull(p, &end, 10);
        if (end == p || *end != '\n' || n > (size_t)(text + size - end - 1)) {
            print_line("Error: %s is no file that --save has written", path);
            return false;
        }
        print_report(end + 1, n);
    }
    if (!text)
        print_line("Error: %s: %s", path, strerror(errno));
    else
        print_end();
    free(text);
    return text != NULL;
}
