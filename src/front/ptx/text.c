// SPDX-License-Identifier: Apache-2.0
// The PTX that clang writes, mended, and what options change of it: see front.h.
#include "front/front.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t name_length(const char *p)
{
    size_t n = 0;
    while (is_name(p[n]))
        n++;
    return n;
}

// With -rdc=true a static variable gets a name that no other file has, NAME__static__HASH; code that clang saw before
// still says NAME, which is then declared extern. The long name for such a NAME; NULL: it is none.
static const char *static_name(const char *ptx, const char *name, size_t n, size_t *length)
{
    static const char mark[] = "__static__";
    for (const char *p = ptx; (p = strstr(p, mark)); p += strlen(mark))
        if ((size_t)(p - ptx) > n && !is_name(p[-(ptrdiff_t)n - 1]) && !memcmp(p - n, name, n)) {
            *length = name_length(p - n);
            return p - n;
        }
    return NULL;
}

static bool is_variable(const char *p)
{
    return !strncmp(p, ".extern .global ", 16) || !strncmp(p, ".extern .const ", 15);
}

static void statics_mend(const char *ptx, struct str *out)
{
    struct VEC(const char *) names = {0}; // in the text, each ends where its characters end
    const char *p = ptx;
    for (const char *e = ptx; (e = strstr(e, ".extern .")); e++) {
        if (!is_variable(e))
            continue;
        const char *end = e + strcspn(e, ";\n"), *name = end;
        while (name > e && *name != '[')
            name--;
        name = name > e ? name : end;
        while (!is_name(name[-1]))
            name--;
        size_t n = 0, length;
        while (is_name(name[-1 - (ptrdiff_t)n]))
            n++;
        if (static_name(ptx, name - n, n, &length))
            vec_push(&names, name - n);
    }
    while (names.len && *p) {
        size_t n = is_name(*p) ? name_length(p) : 0, length;
        const char *full = NULL;
        for (size_t i = 0; i < names.len && n; i++)
            if (name_length(names.data[i]) == n && !memcmp(names.data[i], p, n))
                full = static_name(ptx, p, n, &length);
        if (is_variable(p)) { // the declaration goes with its line
            const char *end = p + strcspn(p, "\n");
            bool ours = false;
            for (size_t i = 0; i < names.len; i++)
                ours |= names.data[i] > p && names.data[i] < end;
            if (ours) {
                p = end;
                continue;
            }
        }
        str_append_n(out, full ? full : p, full ? length : n ? n : 1);
        p += n ? n : 1;
    }
    str_append(out, p);
    vec_free(&names);
}

static void managed_mend(const char *ptx, struct str *out)
{
    static const char mark[] = ".global .align 8192 ", word[] = ".global .attribute(.managed) .align 128 ";
    const char *p;
    for (; (p = strstr(ptx, mark)); ptx = p + strlen(mark)) {
        str_append_n(out, ptx, (size_t)(p - ptx));
        str_append(out, word);
    }
    str_append(out, ptx);
}

// The name stands between two places of the text, comments apart.
static bool names(const char *p, const char *end, const char *name, size_t n)
{
    while (p < end) {
        if (p[0] == '/' && p[1] == '/')
            p += strcspn(p, "\n");
        size_t length = is_name(*p) ? name_length(p) : 0;
        if (length == n && !memcmp(p, name, n))
            return true;
        p += length ? length : 1;
    }
    return false;
}

// Kernels that launch others use their addresses; clang does not declare those that come later in the text.
static void kernels_mend(const char *ptx, struct str *out)
{
    static const char entry[] = ".entry ", head[] = ".address_size";
    const char *start = strstr(ptx, head);
    start = start && strstr(ptx, "LaunchDevice") ? start + strcspn(start, "\n") : NULL;
    if (start)
        str_append_n(out, ptx, (size_t)(start - ptx));
    for (const char *p = start; p && (p = strstr(p, entry)); p++) {
        const char *name = p + strlen(entry), *line = p, *end = name + strcspn(name, "({");
        while (line > ptx && line[-1] != '\n')
            line--;
        if (!names(start, p, name, name_length(name)))
            continue;
        if (*end == '(')
            end += strcspn(end, ")") + 1; // comments in between have no brackets
        str_printf(out, "\n%.*s;", (int)(end - line), line);
    }
    str_append(out, start ? start : ptx);
}

// What tables of virtual functions name where there is no function, which a C++ library would have: it ends the kernel.
static void virtuals_mend(const char *ptx, struct str *out)
{
    static const char declaration[] = ".extern .func ", *const functions[] = {"__cxa_pure_virtual",
                                                                              "__cxa_deleted_virtual"};
    for (const char *p; (p = strstr(ptx, declaration));) {
        const char *name = p + strlen(declaration), *end = name + strcspn(name, ";");
        bool missing = false;
        for (size_t i = 0; i < sizeof functions / sizeof *functions && *end; i++)
            missing |= name_length(name) == strlen(functions[i]) && !strncmp(name, functions[i], strlen(functions[i]));
        str_append_n(out, ptx, (size_t)(p - ptx));
        if (missing)
            str_printf(out, ".weak .func %.*s{\n\ttrap;\n\texit;\n}", (int)(end - name), name);
        else
            str_append_n(out, p, (size_t)(end - p) + (*end != 0));
        ptx = end + (*end != 0);
    }
    str_append(out, ptx);
}

char *front_ptx_mend(const char *ptx, size_t *size)
{
    struct str statics = {0}, managed = {0}, virtuals = {0}, kernels = {0}, out = {0};
    statics_mend(ptx, &statics);
    managed_mend(str_text(&statics), &managed);
    virtuals_mend(str_text(&managed), &virtuals);
    kernels_mend(str_text(&virtuals), &kernels);
    front_stores_mend(str_text(&kernels), &out);
    str_free(&virtuals);
    str_free(&statics);
    str_free(&managed);
    str_free(&kernels);
    *size = out.len;
    return out.data;
}

char *front_ptx_close_variables(const char *ptx, size_t *size)
{
    static const char word[] = ".visible ", *const spaces[] = {".global ", ".const "};
    struct str out = {0};
    const char *done = ptx;
    for (const char *p = ptx; (p = strstr(p, word)); p += strlen(word)) {
        const char *after = p + strlen(word);
        if ((p > ptx && p[-1] != '\n') || (strncmp(after, spaces[0], 8) && strncmp(after, spaces[1], 7)))
            continue;
        str_append_n(&out, done, (size_t)(p - done));
        done = after;
    }
    str_append(&out, done);
    *size = out.len;
    return out.data;
}

char *front_ptx_limit_registers(const char *ptx, unsigned long count, size_t *size)
{
    struct str out = {0};
    const char *done = ptx;
    for (const char *p = ptx; (p = strstr(p, ".entry "));) {
        const char *body = strchr(p, '{'), *own = strstr(p, ".maxnreg");
        if (!body)
            break;
        str_append_n(&out, done, (size_t)(body - done));
        if (!own || own > body)
            str_printf(&out, ".maxnreg %lu\n", count);
        done = p = body;
    }
    str_append(&out, done);
    *size = out.len;
    return out.data;
}
