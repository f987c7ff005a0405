// SPDX-License-Identifier: Apache-2.0
// Managed variables in host code. On a CPU the host's own variable is the memory; on a GPU it is the driver that has
// it, in a place that is known only when the module has been loaded. So host code reaches a managed variable through a
// pointer, NAME.managed, as NVIDIA's compiler has it: the pointer begins with the address of the host's variable, and
// libcudart sets it where the driver has memory of its own.
//
// clang has no such variables for CUDA. Where a source speaks of them, the front end alone makes the module of the host
// pass, and the text is changed here before LLVM gets it:
//  1. Each variable of that alignment (host_defines.h) gets its pointer, of the same linkage.
//  2. A function that names variables loads their pointers first of all: the values are there for everything below.
//     Constant expressions over them become instructions that stand there too.
//  3. They are registered with their pointers, as managed ones.
//  4. Other variables whose initialisers name them are written anew by a function that libcudart calls when the
//  pointers
//     have been set. Where that is before constructors of the program run, they see it.
#include "front/front.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".managed";

struct span {
    const char *at;
    size_t n;
};

struct editor {
    struct arena arena;
    struct map names;    // of the variables, with @
    struct str *entry;   // instructions for the beginning of the function at hand
    struct map loaded;   // variables whose pointers it has
    unsigned count;      // of values made
    struct str values;   // of the function that writes initialisers anew: what it writes,
    struct str fixes;    // and where
    struct str *message; // about initialisers that are not understood
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-$._", c));
}

// The global's name at p, with @; length 0: there is none.
static struct span name_at(const char *p)
{
    size_t n = 1;
    if (*p != '@')
        return (struct span){p, 0};
    if (p[1] == '"') {
        const char *end = strchr(p + 2, '"');
        return (struct span){p, end ? (size_t)(end + 1 - p) : 0};
    }
    while (is_name(p[n]))
        n++;
    return (struct span){p, n};
}

static bool names_has(const struct map *m, struct span s)
{
    char key[1024];
    if (!s.n || s.n >= sizeof key)
        return false;
    memcpy(key, s.at, s.n);
    key[s.n] = 0;
    return map_get_str(m, key) != NULL;
}

static void names_add(struct map *m, struct arena *a, struct span s)
{
    char *key = arena_printf(a, "%.*s", (int)s.n, s.at);
    map_put_str(m, key, key);
}

// The first managed variable that the text between two places names; length 0: none. Strings are passed over.
static struct span variable_find(const struct map *m, const char *p, const char *end)
{
    while (p < end) {
        struct span s = name_at(p);
        if (s.n && names_has(m, s))
            return s;
        if (*p == '"') {
            const char *q = memchr(p + 1, '"', (size_t)(end - p - 1));
            p = q ? q + 1 : end;
        } else {
            p += s.n ? s.n : 1;
        }
    }
    return (struct span){end, 0};
}

// "@x" and '@"x"' with the suffix.
static void pointer_write(struct str *out, struct span s, char sigil)
{
    str_printf(out, "%c", sigil);
    if (s.at[1] == '"')
        str_printf(out, "%.*s%s\"", (int)s.n - 2, s.at + 1, suffix);
    else
        str_printf(out, "%.*s%s", (int)s.n - 1, s.at + 1, suffix);
}

// ---- variables
static bool line_is_variable(const char *line, const char *end)
{
    static const char mark[] = ", align 8192";
    const char *a = memmem(line, (size_t)(end - line), mark, strlen(mark));
    return *line == '@' && a && (a + strlen(mark) == end || a[strlen(mark)] == ',') &&
           memmem(line, (size_t)(end - line), " global ", 8);
}

static void names_collect(struct map *names, struct arena *a, const char *ir)
{
    for (const char *line = ir, *end; *line; line = end + (*end != 0)) {
        end = line + strcspn(line, "\n");
        if (*line != '@' || !line_is_variable(line, end))
            continue;
        names_add(names, a, name_at(line));
    }
}

static void variable_write(struct str *out, const char *line, const char *end)
{
    struct span s = name_at(line);
    const char *linkage = line + s.n + 3; // behind " = "
    const char *kind = memmem(line, (size_t)(end - line), "global ", 7);
    bool external = memmem(linkage, (size_t)(kind - linkage), "external ", 9) != NULL;
    str_append_n(out, line, (size_t)(end - line));
    str_append(out, "\n");
    pointer_write(out, s, '@');
    str_printf(out, " = %.*sglobal ptr", (int)(kind - linkage), linkage);
    if (!external)
        str_printf(out, " %.*s", (int)s.n, s.at);
    if (memmem(kind, (size_t)(end - kind), ", comdat", 8))
        str_printf(out, ", comdat($%.*s)", (int)s.n - 1, s.at + 1);
    str_append(out, ", align 8\n");
}

// ---- values
// Where the constant expression begins whose brackets are opened at p; NULL: they are those of a call or the like.
static const char *expression_begin(const char *text, const char *p)
{
    static const char *const ops[] = {"getelementptr", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast",
                                      "trunc",         "add",      "sub",       "mul",      "xor",     "shl"};
    static const char *const flags[] = {"inbounds", "inrange", "nuw", "nusw", "nsw"};
    for (;;) {
        while (p > text && p[-1] == ' ')
            p--;
        const char *end = p;
        if (p > text && p[-1] == ')') { // inrange(...)
            while (p > text && *p != '(')
                p--;
            end = p;
        }
        while (p > text && isalnum((unsigned char)p[-1]))
            p--;
        size_t n = (size_t)(end - p);
        if (!n || (p > text && (is_name(p[-1]) || strchr("@%\"", p[-1]))))
            return NULL;
        if (str_is_any(p, n, ops, sizeof ops / sizeof *ops))
            return p;
        if (!str_is_any(p, n, flags, sizeof flags / sizeof *flags))
            return NULL;
    }
}

// The bracket that is open at p, before it; NULL: none.
static const char *bracket_before(const char *text, const char *p)
{
    int depth = 0;
    while (p > text) {
        p--;
        if (*p == '"') // a name in quotes
            for (p--; p > text && *p != '"';)
                p--;
        else if (*p == ')')
            depth++;
        else if (*p == '(' && !depth--)
            return p;
    }
    return NULL;
}

static const char *bracket_behind(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '"')
            for (p++; *p && *p != '"';)
                p++;
        else if (*p == '(')
            depth++;
        else if (*p == ')' && !depth--)
            return p;
    }
    return NULL;
}

// The text in which values stand for the variables and for the expressions over them. The instructions that make the
// values are appended to e->entry.
static char *values_place(struct editor *e, const char *text)
{
    char *now = xstrdup(text);
    for (struct span s; (s = variable_find(&e->names, now, now + strlen(now))).n;) {
        struct str out = {0}, value = {0};
        const char *begin = s.at, *end = s.at + s.n;
        pointer_write(&value, s, '%');
        if (!names_has(&e->loaded, s)) {
            names_add(&e->loaded, &e->arena, s);
            str_printf(e->entry, "  %s = load ptr, ptr ", str_text(&value));
            pointer_write(e->entry, s, '@');
            str_append(e->entry, ", align 8\n");
        }
        // Outwards as long as there is an expression around it.
        for (const char *open; (open = bracket_before(now, begin));) {
            const char *op = expression_begin(now, open), *close = op ? bracket_behind(end) : NULL;
            if (!close)
                break;
            struct str inner = {0};
            const char *range = memmem(op, (size_t)(open - op), "inrange", 7);
            str_append_n(&inner, op, (size_t)((range ? range : open) - op));
            str_append_n(&inner, open + 1, (size_t)(begin - open - 1));
            str_append(&inner, str_text(&value));
            str_append_n(&inner, end, (size_t)(close - end));
            char *line = values_place(e, str_text(&inner)); // other operands may name variables
            str_free(&inner);
            str_free(&value);
            str_printf(&value, "%%managed.%u", e->count++);
            str_printf(e->entry, "  %s = %s\n", str_text(&value), line);
            free(line);
            begin = op;
            end = close + 1;
        }
        str_append_n(&out, now, (size_t)(begin - now));
        str_append(&out, str_text(&value));
        str_append(&out, end);
        str_free(&value);
        free(now);
        now = out.data;
    }
    return now;
}

static void function_end(struct editor *e)
{
    map_free(&e->loaded);
    e->loaded = (struct map){0};
    e->entry = NULL;
}

// The memory may lie on less than 8192 bytes: on the 128 that PTX says.
static void alignment_write(struct str *out, const char *line)
{
    static const char mark[] = "align ";
    const char *p;
    for (; (p = strstr(line, mark)); line = p) {
        p += strlen(mark);
        str_append_n(out, line, (size_t)(p - line));
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (n > 128) {
            str_append(out, "128");
            p = end;
        }
    }
    str_append(out, line);
}

// ---- functions
static bool line_is_label(const char *line)
{
    const char *p = line;
    if (*p == '"')
        p = strchr(p + 1, '"') ? strchr(p + 1, '"') + 1 : p;
    while (is_name(*p))
        p++;
    return p > line && *p == ':';
}

// A line of __cuda_register_globals.
static void registration_write(struct editor *e, struct str *out, const char *line, const char *end)
{
    static const char call[] = "@__cudaRegisterVar(";
    const char *p = memmem(line, (size_t)(end - line), call, strlen(call));
    struct span s = variable_find(&e->names, line, end);
    if (!p || !s.n) {
        str_append_n(out, line, (size_t)(end - line));
        return;
    }
    str_printf(out, "%.*s@__cudaRegisterManagedVar(", (int)(p - line), line);
    p += strlen(call);
    str_append_n(out, p, (size_t)(s.at - p));
    pointer_write(out, s, '@');
    str_append_n(out, s.at + s.n, (size_t)(end - s.at - s.n));
}

// The function that libcudart calls when the pointers have been set is registered at the end.
static void registrations_write(struct editor *e, struct str *out, const char *p, const char *close)
{
    const char *handle = strstr(p, "(ptr ") + 5;
    int n = (int)strcspn(handle, ")");
    while (p <= close) {
        const char *end = p + strcspn(p, "\n");
        if (e->fixes.len && !strncmp(p, "  ret void", 10))
            str_printf(out, "  call void @__cudaRegisterManagedInit(ptr %.*s, ptr @__heddle_managed_init)\n", n,
                       handle);
        registration_write(e, out, p, end);
        str_append(out, "\n");
        p = end + 1;
    }
    if (e->fixes.len) {
        str_append(out, "}\n\ndeclare void @__cudaRegisterManagedInit(ptr, ptr)\n\n"
                        "define internal void @__heddle_managed_init() {\n");
        str_append(out, str_text(&e->values));
        str_append(out, str_text(&e->fixes));
        str_append(out, "  ret void\n");
    }
}

static void body_write(struct editor *e, struct str *out, const char *p, const char *close)
{
    struct str entry = {0}, body = {0};
    function_end(e); // or what was before it
    e->entry = &entry;
    for (const char *end; p <= close; p = end + 1) {
        end = p + strcspn(p, "\n");
        if (variable_find(&e->names, p, end).n) {
            struct str line = {0};
            str_append_n(&line, p, (size_t)(end - p));
            char *placed = values_place(e, str_text(&line));
            alignment_write(&body, placed);
            free(placed);
            str_free(&line);
        } else {
            str_append_n(&body, p, (size_t)(end - p));
        }
        str_append(&body, "\n");
    }
    str_append(out, str_text(&entry));
    str_append(out, str_text(&body));
    str_free(&entry);
    str_free(&body);
    function_end(e);
}

// From the line "define" to the one before the closing bracket; the place behind it.
static const char *function_write(struct editor *e, struct str *out, const char *p)
{
    const char *first = p + strcspn(p, "\n"), *close = strstr(p, "\n}");
    if (!*first || !close) {
        str_append(out, p);
        return p + strlen(p);
    }
    if (memmem(p, (size_t)(first - p), "@__cuda_register_globals(ptr ", 29)) {
        registrations_write(e, out, p, close);
    } else if (!variable_find(&e->names, first, close).n) {
        str_append_n(out, p, (size_t)(close + 1 - p));
    } else {
        if (line_is_label(first + 1))
            first += 1 + strcspn(first + 1, "\n");
        str_append_n(out, p, (size_t)(first + 1 - p));
        body_write(e, out, first + 1, close);
    }
    return close + 1;
}

// ---- initialisers of other variables
// Past a type at p; NULL: it is not understood.
static const char *type_end(const char *p)
{
    static const char close_of[] = "[]{}<>()";
    int depth = 0;
    if (*p == '%') {
        p++;
        if (*p == '"') {
            p = strchr(p + 1, '"');
            return p ? p + 1 : NULL;
        }
        while (is_name(*p))
            p++;
        return p;
    }
    do {
        const char *b = *p ? strchr(close_of, *p) : NULL;
        if (!*p)
            return NULL;
        if (b)
            depth += (b - close_of) % 2 ? -1 : 1;
        else if (*p == '"')
            p = strchr(p + 1, '"');
        if (!p)
            return NULL;
        p++;
    } while (depth || (isalnum((unsigned char)*p)));
    return p;
}

// Past a value at p, up to the comma or bracket that ends it.
static const char *value_end(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '"') {
            p = strchr(p + 1, '"');
            if (!p)
                return NULL;
        } else if (strchr("[{<(", *p)) {
            depth++;
        } else if (strchr("]}>)", *p)) {
            if (!depth--)
                return p;
        } else if (*p == ',' && !depth) {
            return p;
        }
    }
    return p;
}

// "type value" at p: writes the scalars that name managed variables. place: the type and the indices that lead there.
static bool initialiser_fix(struct editor *e, const char *p, const char *outer, struct span global, const char *indices)
{
    const char *type = p, *t = type_end(p), *v = t && *t == ' ' ? t + 1 : NULL, *end = v ? value_end(v) : NULL;
    if (!end)
        return false;
    if (!variable_find(&e->names, v, end).n)
        return true;
    bool packed = *v == '<' && v[1] == '{';
    if (*v == '[' || *v == '{' || packed) {
        const char *q = v + 1 + packed;
        for (unsigned i = 0;; i++) {
            char more[512];
            while (*q == ' ')
                q++;
            int n = snprintf(more, sizeof more, "%s, i32 %u", indices, i);
            if (n < 0 || (size_t)n >= sizeof more || !initialiser_fix(e, q, outer, global, more))
                return false;
            const char *element = type_end(q);
            q = element ? value_end(element + 1) : NULL;
            if (!q)
                return false;
            if (*q != ',')
                return true;
            q++;
        }
    }
    if (*v != '@' && !isalpha((unsigned char)*v))
        return false;
    struct str text = {0};
    str_append_n(&text, v, (size_t)(end - v));
    e->entry = &e->values;
    char *value = values_place(e, str_text(&text));
    str_printf(&e->fixes, "  %%managed.%u = getelementptr inbounds %s, ptr %.*s%s\n", e->count, outer, (int)global.n,
               global.at, indices);
    str_printf(&e->fixes, "  store %.*s %s, ptr %%managed.%u\n", (int)(t - type), type, value, e->count++);
    free(value);
    str_free(&text);
    return true;
}

// A variable whose initialiser names managed ones: it may be written.
static void initialised_write(struct editor *e, struct str *out, const char *line, const char *end, bool registers)
{
    struct span s = name_at(line);
    struct str text = {0};
    str_append_n(&text, line, (size_t)(end - line));
    char *constant = strstr(text.data, " constant "), *global = strstr(text.data, " global ");
    char *kind = constant && (!global || constant < global) ? constant : global;
    const char *type = kind ? kind + (kind == constant ? 10 : 8) : NULL, *t = type ? type_end(type) : NULL;
    struct str outer = {0};
    size_t fixed = e->fixes.len;
    if (t)
        str_append_n(&outer, type, (size_t)(t - type));
    if (!t || !registers || strstr(text.data, " thread_local") ||
        !initialiser_fix(e, type, str_text(&outer), s, ", i32 0")) {
        str_append_n(out, line, (size_t)(end - line));
        str_append(out, "\n");
        e->fixes.len = fixed;
        str_printf(e->message, "%s'%.*s'", e->message->len ? ", " : "", (int)s.n - 1, s.at + 1);
    } else {
        str_printf(out, "%.*s global ", (int)(kind - text.data), text.data);
        str_append(out, type);
        str_append(out, "\n");
    }
    str_free(&outer);
    str_free(&text);
}

static bool line_is_initialised(const struct editor *e, const char *line, const char *end)
{
    struct span s = name_at(line);
    return s.n && !strncmp(line + s.n, " = ", 3) && variable_find(&e->names, line + s.n, end).n &&
           !memmem(line, (size_t)(end - line), " alias ", 7) && strncmp(line, "@llvm.", 6) &&
           strncmp(line, "@__clang_gpu_used", 17); // a list that nobody reads
}

char *front_ir_managed(const char *ir, size_t *size, struct str *unsure)
{
    struct editor e = {.message = unsure};
    struct str out = {0};
    arena_init(&e.arena);
    names_collect(&e.names, &e.arena, ir);
    // Without device code of its own a unit registers nothing.
    bool registers = strstr(ir, "@__cuda_register_globals(ptr ");
    for (const char *p = ir, *end; e.names.len && *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, "\n");
        if (!strncmp(p, "define ", 7)) {
            end = function_write(&e, &out, p);
            if (*end)
                end--;
        } else if (!strncmp(p, "declare void @__cudaRegisterManagedVar(", 39)) {
            str_append(&out, "declare void @__cudaRegisterManagedVar(ptr, ptr, ptr, ptr, i32, i64, i32, i32)\n");
        } else if (*p == '@' && line_is_variable(p, end)) {
            variable_write(&out, p, end);
        } else if (*p == '@' && line_is_initialised(&e, p, end)) {
            initialised_write(&e, &out, p, end, registers);
        } else {
            str_append_n(&out, p, (size_t)(end - p));
            str_append(&out, "\n");
        }
    }
    map_free(&e.names);
    function_end(&e);
    str_free(&e.values);
    str_free(&e.fixes);
    arena_fini(&e.arena);
    *size = out.len;
    return out.data;
}
