// SPDX-License-Identifier: Apache-2.0
// What CUDA sources may say and clang's CUDA front end does not take, mended before it reads them.
//
// The launch brackets written apart, `f << < grid, block >> > (x)`, which is how some editors format them: clang wants
// `<<<` and `>>>` as one token. The source is then read through an overlay of the file system, in which the brackets
// stand together and the blanks behind them, so that file names, lines and columns stay as they are. `operator<< <T>`
// and the `>> >` that ends nested template arguments look alike and must be left alone: a `<< <` counts only after a name or a
// closing `>` that is not `operator`, and only with a `>> >` and `(` behind it in the same statement.
//
// Sizes of a launch in braces, `f<<<{2, 2}, {8, 8}>>>()`: CUDA takes them as dim3, which clang wants to be told. On
// such a line columns move.
//
// A constant `warpSize` of the source's own, at file scope: CUDA lets it hide the built-in one, clang sees two
// definitions, so our header leaves its own away.
//
// Barriers and pipelines of NVIDIA's libraries as __shared__ variables: their destructors do something, so clang sees
// variables with an initialisation, while CUDA neither constructs nor destroys what is shared. Such a `__shared__`
// becomes another word of ours, as long, by which the variable stays as it is (host_defines.h).
//
// `extern __shared__ alignas(16) char x[]`: before version 20, clang takes an `alignas` in front of a declaration only.
// It changes places with the words before it.
//
// Operands of an asm statement without a comma between them, `"r"(a) "l"(b)`: NVIDIA's front end does not ask for it.
#include "nvcc/driver.h"
#include "base/os.h"
#include "front/source.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t blanks(const char *p)
{
    return strspn(p, " \t");
}

static bool has_own_warp_size(const char *text)
{
    static const char name[] = "int warpSize";
    for (const char *p = text; (p = strstr(p, name)); p++) {
        const char *after = p + strlen(name);
        if (after[blanks(after)] == '=')
            return true;
    }
    return false;
}

// Three of the character from p on, some of them apart: the length with the blanks, or 0.
static size_t bracket_spaced(const char *p, char c)
{
    const char *q = p;
    for (int i = 0; i < 3; i++) {
        if (i)
            q += blanks(q);
        if (*q++ != c)
            return 0;
    }
    return q - p > 3 ? (size_t)(q - p) : 0;
}

static bool follows_a_name(const char *text, const char *p)
{
    while (p > text && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    if (p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == '>' || p[-1] == ')'))
        return false;
    return !(p - text >= 8 && !strncmp(p - 8, "operator", 8));
}

static void join(char *p, size_t length, char c)
{
    memset(p, c, 3);
    memset(p + 3, ' ', length - 3);
}

// Joins the brackets of launches in place; true if there were any apart.
static bool join_launch_brackets(char *text)
{
    bool any = false;
    for (char *p = text; (p = strchr(p, '<')); p++) {
        size_t open = bracket_spaced(p, '<');
        if (!open && strncmp(p, "<<<", 3)) {
            continue;
        } else if (!follows_a_name(text, p)) {
            p += 2;
            continue;
        }
        for (char *q = p + (open ? open : 3); *q && *q != ';' && *q != '{' && strncmp(q, ">>>", 3); q++) {
            size_t close = bracket_spaced(q, '>');
            if (close && q[close + strspn(q + close, " \t\r\n")] == '(') {
                join(q, close, '>');
                any = true;
                break;
            }
        }
        if (open) {
            join(p, open, '<');
            any = true;
        }
        p += 2;
    }
    return any;
}

// Past the brackets that open at p, or the end of the text.
static const char *skip_brackets(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += (*p == '(' || *p == '{' || *p == '[') - (*p == ')' || *p == '}' || *p == ']');
        if (!depth)
            return p + 1;
    }
    return p;
}

// The end of an argument of a launch: its comma or bracket; NULL: it is none.
static const char *launch_argument_end(const char *p)
{
    while (*p && *p != ',' && *p != ';' && strncmp(p, ">>>", 3))
        p = *p == '(' || *p == '{' || *p == '[' ? skip_brackets(p) : p + 1;
    return *p == ',' || *p == '>' ? p : NULL;
}

// The text with dim3 before sizes in braces, from malloc; NULL: there are none.
static char *name_braced_sizes(const char *text)
{
    static const char type[] = "dim3";
    struct str out = {0};
    const char *done = text;
    for (const char *p = text; (p = strstr(p, "<<<")); p += 3) {
        const char *q = p + 3;
        for (int i = 0; i < 2 && q && follows_a_name(text, p); i++) {
            q += strspn(q, " \t\r\n");
            const char *end = launch_argument_end(q);
            if (end && *q == '{') {
                str_append_n(&out, done, (size_t)(q - done));
                str_append(&out, type);
                done = q;
            }
            q = end && *end == ',' ? end + 1 : NULL;
        }
    }
    if (done == text)
        return NULL;
    str_append(&out, done);
    return out.data;
}

static const char *find_word(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    for (; p + n <= end; p++)
        if (!strncmp(p, word, n) && !source_is_word(p[n]) && !source_is_word(p[-1]))
            return p;
    return NULL;
}

// Up to the end of the statement, a barrier or the memory of a pipeline is named.
static bool names_barrier(const char *p)
{
    static const char *const types[] = {"barrier", "pipeline_shared_state"};
    const char *end = p + strcspn(p, ";={(");
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        const char *q = find_word(p, end, types[i]);
        if (q && q[strlen(types[i]) + blanks(q + strlen(types[i]))] == '<')
            return true;
    }
    return false;
}

// The type that the statement begins with is another name for one: `using NAME = ...`, `typedef ... NAME;`.
static bool names_alias(const char *text, const char *p)
{
    char name[64], pattern[80];
    p += strspn(p, " \t\r\n");
    size_t n = 0;
    while (source_is_word(p[n]) && n + 1 < sizeof name)
        n++;
    snprintf(name, sizeof name, "%.*s", (int)n, p);
    snprintf(pattern, sizeof pattern, "using %s", name);
    for (const char *q = text; n && (q = strstr(q, pattern)); q++) {
        const char *after = q + strlen(pattern);
        after += blanks(after);
        if (*after == '=' && names_barrier(after + 1))
            return true;
    }
    for (const char *q = text; n && (q = strstr(q, "typedef ")); q++) {
        const char *end = q + strcspn(q, ";");
        const char *last = find_word(q + 8, end, name);
        if (names_barrier(q + 8) && last && last + n == end)
            return true;
    }
    return false;
}

static bool mark_shared_barriers(char *text)
{
    static const char word[] = "__shared__", ours[] = "__hshared_";
    bool any = false;
    for (char *p = text; (p = strstr(p, word)); p++) {
        const char *after = p + strlen(word);
        if (source_is_word(*after) || (p > text && source_is_word(p[-1])) ||
            !(names_barrier(after) || names_alias(text, after)))
            continue;
        memcpy(p, ours, strlen(ours));
        any = true;
    }
    return any;
}

// Where the words before p begin that a declaration of a variable of the device may have there; p if there are none.
static char *declaration_words(char *text, char *p)
{
    static const char *const words[] = {"__shared__", "__hshared_", "__constant__", "__device__", "extern", "static"};
    for (bool found = true; found;) {
        char *end = p;
        while (end > text && isspace((unsigned char)end[-1]))
            end--;
        found = false;
        for (unsigned i = 0; i < sizeof words / sizeof *words && end < p && !found; i++) {
            size_t n = strlen(words[i]);
            if ((size_t)(end - text) >= n && !strncmp(end - n, words[i], n) &&
                (end - n == text || !source_is_word(end[-(long)n - 1]))) {
                p = end - n;
                found = true;
            }
        }
    }
    return p;
}

static bool move_alignments(char *text)
{
    static const char word[] = "alignas";
    bool any = false;
    for (char *p = text; (p = strstr(p, word)); p++) {
        char *open = p + strlen(word), *first = declaration_words(text, p);
        open += blanks(open);
        if (first == p || *open != '(')
            continue;
        char *end = open;
        int depth = 0;
        do
            depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
        while (*end && (end++, depth));
        if (depth || memchr(p, '\n', (size_t)(end - p)))
            continue;
        // "words alignas(n)" becomes "alignas(n) words"
        size_t before = (size_t)(p - first), size = (size_t)(end - p);
        while (before && isspace((unsigned char)first[before - 1]))
            before--;
        size_t gap = (size_t)(p - first) - before;
        char *moved = xmalloc(before + gap + size);
        memcpy(moved, p, size);
        memcpy(moved + size, first + before, gap);
        memcpy(moved + size + gap, first, before);
        memcpy(first, moved, before + gap + size);
        free(moved);
        p = end - 1;
        any = true;
    }
    return any;
}

// Behind the operands of an asm statement that begin at p, with commas put where they lack, or the end of the text. A blank between two
// becomes the comma; where there is none, the statement stays as it is.
static char *separate_operands(char *p, bool *any)
{
    int depth = 0;
    bool operands = false; // behind the first colon
    while (*p) {
        if (*p == '"' || *p == '\'') {
            p = (char *)source_skip_literal(p);
            continue;
        }
        if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
            p = (char *)source_skip_comment(p);
            continue;
        }
        depth += (*p == '(') - (*p == ')');
        operands |= depth == 1 && *p == ':';
        if (!depth)
            break;
        char *after = p + 1 + blanks(p + 1);
        if (operands && depth == 1 && *p == ')' && *after == '"' && after > p + 1) {
            p[1] = ',';
            *any = true;
        }
        p++;
    }
    return p;
}

static bool separate_asm_operands(char *text)
{
    static const char word[] = "asm", *const qualifiers[] = {"volatile", "__volatile__", "__volatile"};
    bool any = false;
    for (char *p = text; (p = strstr(p, word));) {
        const bool whole = p == text || !source_is_word(p[-1]) || (p - text >= 2 && p[-1] == '_' && p[-2] == '_');
        p += strlen(word);
        if (!whole)
            continue;
        p += !strncmp(p, "__", 2) ? 2 : 0;
        p += strspn(p, " \t\r\n");
        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
            if (source_word_length(p) == strlen(qualifiers[i]) && !strncmp(p, qualifiers[i], strlen(qualifiers[i])))
                p += strlen(qualifiers[i]);
        p += strspn(p, " \t\r\n");
        if (*p == '(')
            p = separate_operands(p, &any);
    }
    return any;
}

// An overlay that shows the text under the source's own name; NULL with a message when it cannot be written.
static const char *overlay_write(struct driver *d, const char *source, const char *text)
{
    char real[PATH_MAX];
    const char *copy = d->dialect.copy = job_temp(&d->arena, driver_stem(d, source), ".cu");
    const char *overlay = copy ? job_temp(&d->arena, driver_stem(d, source), ".overlay.yaml") : NULL;
    if (!overlay || !realpath(source, real))
        return NULL;
    struct str s = {0};
    str_append(&s, "{\"version\": 0, \"use-external-names\": false, \"roots\": [{\"type\": \"file\", \"name\": ");
    str_append_quoted(&s, real);
    str_append(&s, ", \"external-contents\": ");
    str_append_quoted(&s, copy);
    str_append(&s, "}]}\n");
    bool ok = os_file_write(copy, text, strlen(text)) && os_file_write(overlay, str_text(&s), s.len);
    str_free(&s);
    if (!ok)
        nvcc_error("cannot write '%s'", copy);
    return ok ? overlay : NULL;
}

char *dialect_mend(struct driver *d, const char *given)
{
    char *text = xmalloc(strlen(given) + 1);
    strcpy(text, given);
    bool changed = join_launch_brackets(text);
    char *braced = name_braced_sizes(text);
    if (braced) {
        free(text);
        text = braced;
        changed = true;
    }
    changed |= mark_shared_barriers(text);
    changed |= separate_asm_operands(text);
    if (d->toolkit.clang_version < 20)
        changed |= move_alignments(text);
    if (changed)
        return text;
    free(text);
    return NULL;
}

static void dialect_read(struct driver *d, const char *source)
{
    d->dialect = (struct dialect){.source = source};
    char *text = os_file_read(source, NULL);
    if (!text)
        return; // the compiler says what is wrong with it
    d->dialect.own_warp_size = has_own_warp_size(text);
    char *mended = dialect_mend(d, text);
    if (mended)
        d->dialect.overlay = overlay_write(d, source, mended);
    free(mended);
    free(text);
}

void dialect_add(struct driver *d, struct job *j, const char *source)
{
    if (d->dialect.source != source)
        dialect_read(d, source);
    if (d->dialect.own_warp_size)
        job_add(j, "-D__HEDDLE_OWN_WARPSIZE__=1");
    if (d->dialect.overlay && !j->precompile) {
        job_add(j, "-ivfsoverlay");
        job_add(j, d->dialect.overlay);
    }
    mend_add(d, j);
}

// A kernel with `...`, which clang compiles and no launch can fill.
bool dialect_check_ptx(const char *source, const char *ptx)
{
    for (const char *p = ptx; (p = strstr(p, ".entry ")); p++) {
        const char *name = p + strlen(".entry "), *end = strchr(name, ')');
        const char *varargs = strstr(name, "_vararg[");
        if (varargs && end && varargs < end)
            return nvcc_error("%s: a __global__ function cannot have variable arguments ('%.*s')", source,
                              (int)strcspn(name, "("), name);
    }
    return true;
}
