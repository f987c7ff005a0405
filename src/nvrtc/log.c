// See log.h. NVRTC writes "name(line): error: text"; a header that is missing is a catastrophic error in words that
// programs search for, to hand the header in and try again.
#include "nvrtc/log.h"
#include <stdbool.h>
#include <string.h>

void log_add_arguments(struct texts *argv, bool brief)
{
    vec_push(argv, "-fdiagnostics-format=msvc");
    vec_push(argv, "-fno-show-column");
    vec_push(argv, "-fno-diagnostics-show-line-numbers");
    vec_push(argv, "-fno-color-diagnostics");
    vec_push(argv, "-fno-diagnostics-show-option");
    vec_push(argv, "-ferror-limit=100");
    if (brief)
        vec_push(argv, "-fno-caret-diagnostics");
}

static bool is_count(const char *line, size_t n)
{
    size_t digits = strspn(line, "0123456789");
    return digits && memmem(line, n, " generated when compiling", 25);
}

// Without the prefix wherever it stands.
static void append_line(struct str *out, const char *line, size_t n, const char *prefix)
{
    size_t m = prefix ? strlen(prefix) : 0;
    for (const char *end = line + n; line < end;) {
        const char *at = m ? memmem(line, (size_t)(end - line), prefix, m) : NULL;
        str_append_n(out, line, (size_t)((at ? at : end) - line));
        line = at ? at + m : end;
    }
    str_append(out, "\n");
}

void log_translate(struct str *out, const char *messages, const char *name, const char *prefix)
{
    unsigned errors = 0, catastrophes = 0;
    for (const char *line = messages; *line;) {
        size_t n = strcspn(line, "\n");
        const char *next = line + n + (line[n] == '\n');
        const char *fatal = memmem(line, n, "): fatal error: '", 17);
        const char *missing = fatal ? memmem(fatal, n - (size_t)(fatal - line), "' file not found", 16) : NULL;
        if (missing) {
            str_append_n(out, line, (size_t)(fatal + 3 - line));
            str_append(out, "catastrophic error: cannot open source file \"");
            str_append_n(out, fatal + 17, (size_t)(missing - fatal - 17));
            str_append(out, "\"\n");
            catastrophes++;
        } else if (!is_count(line, n)) {
            errors += memmem(line, n, "error: ", 7) != NULL;
            append_line(out, line, n, prefix);
        }
        line = next;
    }
    unsigned all = errors + catastrophes;
    if (all)
        str_printf(out, "\n%u %serror%s detected in the compilation of \"%s\".\n", all, errors ? "" : "catastrophic ",
                   all == 1 ? "" : "s", name);
    if (catastrophes)
        str_append(out, "Compilation terminated.\n");
}
