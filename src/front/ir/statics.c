// SPDX-License-Identifier: Apache-2.0
// Variables with internal linkage that the host may write. `static __constant__ int n = 1;`, or one in a namespace
// without a name, can be found by cuModuleGetGlobal or by a name expression of NVRTC, and by cudaMemcpyToSymbol in host
// code that the device pass does not see (behind #ifndef __CUDA_ARCH__). clang knows of host code in the same pass
// alone: such a variable keeps its first value, which LLVM puts in its place.
//
// So the names of such variables are read from the sources; where there are any, the front end alone runs once more,
// they are marked in its module as initialised from outside, and the module is compiled. What is const stays as it is.
// NVIDIA's compiler gives those outside namespaces their plain names, by which programs ask for them; with clang they
// have mangled ones.
#include "front/front.h"
#include "base/os.h"
#include "front/ir/token.h"
#include "front/md5.h"
#include "front/pch.h"
#include "front/source.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Past a comment, a literal or a line of the preprocessor at p; p: there is none.
static const char *skip_non_code(const char *text, const char *p)
{
    if (p[0] == '/' && (p[1] == '/' || p[1] == '*'))
        return source_skip_comment(p);
    if (*p == '"' || (*p == '\'' && !(p > text && isalnum((unsigned char)p[-1]))))
        return source_skip_literal(p);
    if (*p == '#') {
        const char *q = p;
        while (q > text && (q[-1] == ' ' || q[-1] == '\t'))
            q--;
        if (q == text || q[-1] == '\n') {
            do
                p += strcspn(p, "\n") + (p[strcspn(p, "\n")] != 0);
            while (*p && p >= text + 2 && p[-2] == '\\');
            return p;
        }
    }
    return p;
}

static const char *skip_brackets(const char *text, const char *p)
{
    int depth = 0;
    while (*p) {
        const char *q = skip_non_code(text, p);
        if (q != p) {
            p = q;
            continue;
        }
        depth += strchr("({[", *p) ? 1 : strchr(")}]", *p) ? -1 : 0;
        p++;
        if (!depth)
            break;
    }
    return p;
}

// What a statement has said so far.
struct statement {
    bool device, internal, constant, other; // other: no definition of a variable of ours
    bool record;                            // a struct, which may have a body
    const char *name;                       // the last word
    size_t length;
    int angles;
};

static void word_read(struct statement *s, const char *p, size_t n)
{
    static const char *const others[] = {"__shared__", "__managed__", "__global__", "__host__", "extern",
                                         "using",      "typedef",     "template",   "operator", "return"};
    if (str_is(p, n, "__constant__") || str_is(p, n, "__device__"))
        s->device = true;
    else if (str_is(p, n, "static"))
        s->internal = true;
    else if (str_is(p, n, "const") || str_is(p, n, "constexpr"))
        s->constant = true;
    else if (str_is(p, n, "struct") || str_is(p, n, "union"))
        s->record = true;
    else {
        s->other |= str_is_any(p, n, others, sizeof others / sizeof others[0]);
        s->name = p;
        s->length = n;
    }
}

static void name_add(struct texts *names, struct arena *a, const struct statement *s, bool unnamed)
{
    if (!s->device || s->other || s->constant || !s->name || !(s->internal || unnamed))
        return;
    if (!str_is_any(s->name, s->length, names->data, names->len))
        vec_push(names, arena_strndup(a, s->name, s->length));
}

// Brackets that belong to a word of the declaration, as in __align__(8).
static bool takes_brackets(const struct statement *s)
{
    static const char *const words[] = {"__align__", "alignas", "__attribute__", "decltype", "__declspec"};
    return s->name && str_is_any(s->name, s->length, words, sizeof words / sizeof words[0]);
}

void front_statics_find(struct texts *names, struct arena *a, const char *text)
{
    struct statement s = {0};
    bool unnamed = false; // after the beginning of a namespace without a name
    for (const char *p = text; *p;) {
        const char *past = skip_non_code(text, p);
        size_t n = past == p ? source_word_length(p) : 0;
        if (past != p) {
            p = past;
        } else if (n) {
            if (str_is(p, n, "namespace") && p[n + strspn(p + n, " \t\r\n")] == '{')
                unnamed = true;
            word_read(&s, p, n);
            p += n;
        } else if (s.angles && !strchr(";{}", *p)) {
            s.angles += *p == '<' ? 1 : *p == '>' ? -1 : 0;
            p++;
        } else {
            switch (*p) {
            case '<':
                s.angles++;
                p++;
                break;
            case '*':
                s.constant = false; // what it points to is
                p++;
                break;
            case '(':
                s.other |= s.device && !takes_brackets(&s);
                p = s.device ? skip_brackets(text, p) : p + 1;
                break;
            case '[':
                p = skip_brackets(text, p);
                break;
            case ',':
                name_add(names, a, &s, unnamed);
                p++;
                break;
            case '=':
                for (p++; *p && *p != ',' && *p != ';';)
                    p = strchr("({[", *p)             ? skip_brackets(text, p)
                        : skip_non_code(text, p) == p ? p + 1
                                                      : skip_non_code(text, p);
                break;
            case '{':
                if (s.device && !s.other && (s.name || s.record)) { // an initialiser, or the body of its type
                    p = skip_brackets(text, p);
                    break;
                }
                s = (struct statement){0};
                p++;
                break;
            case ':':
                if (p[1] == ':') {
                    p += 2;
                    break;
                }
                s = (struct statement){0};
                p++;
                break;
            case ';':
                name_add(names, a, &s, unnamed);
                s = (struct statement){0};
                p++;
                break;
            case '}':
                s = (struct statement){0};
                p++;
                break;
            default:
                p++;
            }
        }
    }
}

// ---- the module
// The symbol is that of a variable with one of these names: itself, or as its last part.
static bool symbol_has(const char *symbol, size_t n, const struct texts *names)
{
    for (size_t i = 0; i < names->len; i++) {
        char part[256];
        int size = snprintf(part, sizeof part, "%zu%s", strlen(names->data[i]), names->data[i]);
        if (size < 0 || (size_t)size >= sizeof part)
            continue;
        if (str_is(symbol, n, names->data[i]))
            return true;
        if (n < 3 || memcmp(symbol, "_Z", 2) || symbol[2] == 'Z') // those of a function stay
            continue;
        size_t end = symbol[n - 1] == 'E' ? n - 1 : n;
        if (end > (size_t)size && !memcmp(symbol + end - size, part, (size_t)size))
            return true;
    }
    return false;
}

char *front_ir_open_statics(const char *ir, const struct texts *names, size_t *size)
{
    struct str out = {0};
    const char *done = ir;
    for (const char *line = ir, *end; *line; line = end + (*end != 0)) {
        end = ir_line_end(line);
        struct ir_token global = *line == '@' ? ir_token(line, end) : (struct ir_token){IR_END, line, line},
                        name = ir_name(global);
        const char *space = global.kind ? ir_match(global.end, end, "= internal addrspace (") : NULL;
        const char *behind = space && (*space == '1' || *space == '4') ? ir_match(space + 1, end, ")") : NULL;
        if (!behind || !symbol_has(name.at, (size_t)(name.end - name.at), names))
            continue;
        // With internal linkage LLVM would still take arrays apart.
        str_append_n(&out, done, (size_t)(global.end - done));
        str_printf(&out, " = addrspace(%c) externally_initialized", *space);
        done = behind;
    }
    if (done == ir)
        return NULL;
    str_append(&out, done);
    *size = out.len;
    return out.data;
}

// A mangled name tells that it has internal linkage.
static bool is_internal(const char *symbol, size_t n, const struct texts *names)
{
    if (memmem(symbol, n, "_GLOBAL__N_", 11))
        return true;
    for (size_t i = 0; i < names->len; i++) {
        char part[256];
        int size = snprintf(part, sizeof part, "L%zu%s", strlen(names->data[i]), names->data[i]);
        if (size > 0 && (size_t)size < sizeof part && memmem(symbol, n, part, (size_t)size))
            return true;
    }
    return false;
}

// The words of the text that are this name become the other.
static void word_replace(struct str *text, const char *name, const char *by)
{
    struct str next = {0};
    size_t n = strlen(name);
    const char *p = text->data;
    for (const char *q; (q = strstr(p, name)); p = q + n) {
        bool whole = !source_is_word(q[-1]) && !source_is_word(q[n]) && q[n] != '$';
        str_append_n(&next, p, (size_t)(q - p));
        str_append(&next, whole ? by : name);
    }
    str_append(&next, p);
    str_free(text);
    *text = next;
}

char *front_ptx_close_statics(const char *ptx, const struct texts *names, const char *unit, size_t *size)
{
    static const char visible[] = ".visible ";
    struct str out = {0};
    struct VEC(char *) opened = {0};
    for (const char *line = ptx; *line;) {
        size_t n = strcspn(line, "\n") + 1;
        const char *kind = line + strlen(visible), *end = line + strcspn(line, "[=;\n");
        n -= line[n - 1] == 0;
        if (!strncmp(line, visible, strlen(visible)) &&
            (!strncmp(kind, ".global ", 8) || !strncmp(kind, ".const ", 7))) {
            while (end[-1] == ' ')
                end--;
            const char *name = end;
            while (source_is_word(name[-1]))
                name--;
            size_t length = (size_t)(end - name);
            if (symbol_has(name, length, names) && is_internal(name, length, names)) {
                if (unit) {
                    vec_push(&opened, memcpy(xcalloc(length + 1, 1), name, length));
                } else {
                    n -= strlen(visible);
                    line = kind;
                }
            }
        }
        str_append_n(&out, line, n);
        line += n;
    }
    for (size_t i = 0; i < opened.len; i++) {
        struct str name = {0};
        str_printf(&name, "%s__static__%llx", opened.data[i], (unsigned long long)md5_low(unit));
        word_replace(&out, opened.data[i], name.data);
        str_free(&name);
        free(opened.data[i]);
    }
    vec_free(&opened);
    *size = out.len;
    return out.data;
}

// ---- plain names
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; (p = strstr(p, word)); p += n)
        if (!source_is_word(p[n]) && p[n] != '$' && !(p > text && (source_is_word(p[-1]) || strchr("$%.", p[-1]))))
            return true;
    return false;
}

char *front_ptx_plain_statics(const char *ptx, const struct texts *names, size_t *size)
{
    struct str out = {0};
    str_append(&out, ptx);
    for (size_t i = 0; i < names->len; i++) {
        struct str symbol = {0};
        str_printf(&symbol, "_ZL%zu%s", strlen(names->data[i]), names->data[i]);
        if (has_word(out.data, symbol.data) && !has_word(out.data, names->data[i]))
            word_replace(&out, symbol.data, names->data[i]);
        str_free(&symbol);
    }
    *size = out.len;
    return out.data;
}

// ---- files
// Headers of the toolkit and of the system have no such variables for programs.
static bool is_users(const struct toolkit *t, const char *file)
{
    size_t n = strlen(file);
    return strncmp(file, t->include, strlen(t->include)) && strncmp(file, "/usr/include/", 13) &&
           strncmp(file, "/usr/lib/", 9) && !(n > 4 && !strcmp(file + n - 4, ".pch"));
}

struct front_sources front_statics_read(struct texts *names, const struct toolkit *t, const char *rule)
{
    const char *p = strstr(rule, ": ");
    struct front_sources found = {0};
    p = p ? p + 2 : rule;
    for (char *file; (file = front_rule_next(&p)); free(file)) {
        char *text = is_users(t, file) ? os_file_read(file, NULL) : NULL;
        if (text) {
            front_statics_find(names, t->arena, text);
            found.sides |= strstr(text, "__CUDA_ARCH__") != NULL;
            found.managed |= strstr(text, "__managed__") != NULL;
        }
        free(text);
    }
    return found;
}
