// SPDX-License-Identifier: Apache-2.0
// What clang's front end refuses and NVIDIA's takes, mended after clang has said where it is.
//
// A pass that fails is looked at: where all that is known of a message is how the text must be put for clang, the file
// that it names, header or source, is changed in memory, and the source is compiled once more with an overlay of the
// file system. So nothing is lost on sources that clang takes, and nothing is guessed. Lines stay as they are.
//
//  - `x.get<3>()` where get is a template of a dependent type: the word `template` is put before it.
//  - `n = T::number(1)` where number is a type: the word `typename` is put before it.
//  - `template <class T> __host__ Box(T) -> Box<T>;`: a deduction guide of one side; the attribute goes.
//  - `__device__ [[nodiscard]] int f();` in a namespace: the attributes go before the words of CUDA.
//  - `asm("mov.u32 %al, %0;" : ...)`: a percent sign before a letter stands for itself; clang wants two.
//  - `asm("add%2 ..." : ... : "C"(array))`: the array's text is written into the statement's.
//  - `#define UNROLL #pragma unroll`: becomes _Pragma.
//  - `f<<<{1, 1}, {2, 2}>>>()` and brackets written apart in headers: as in sources (dialect.c).
//  - Device code that calls, as the host pass reads it, what is there of __host__ alone (`#ifdef __CUDA_ARCH__` chose
//    another function on the device side): that function, too, counts for both sides.
//  - Host code, as the device pass reads it, for whose call there are several functions after those of the device are
//    left aside: the function around it counts for both sides.
//  - A name that nobody declares, in a template that is never used: NVIDIA's front end sees many such places and not
//    all. clang is told to leave such templates aside, and a warning tells the place.
//  - <omp.h> without -fopenmp: gcc's, for its functions.
//  - `static long __rdtsc()`: a function under the name of one that clang has itself gets another name, by a macro.
//  - A __host__ function that is called from a __host__ __device__ function which kernels call: NVIDIA's compiler warns
//    and makes code that must not be reached. Here the function is compiled for the device too, by clang's pragma
//    around its head; where it calls others in turn, those further down trap there instead. Where it cannot be, clang's
//    error stays.
#include "nvcc/driver.h"
#include "front/source.h"
#include "base/os.h"
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 12
// From this round on, functions that others lead to lose their bodies for the device; short ones, which may be what the
// device needs, last of all.
#define DEEP  2
#define LAST  8
#define SHORT 240

struct place {
    const char *file; // the arena's
    unsigned line, column;
};

// "FILE:LINE:COLUMN: KIND: ": what follows; NULL: the line is no message of that kind.
static const char *message_read(struct driver *d, const char *line, const char *kind, struct place *place)
{
    const char *end = line + strcspn(line, "\n"), *p = strstr(line, kind);
    if (!p || p > end)
        return NULL;
    const char *q = p;
    while (q > line && isdigit((unsigned char)q[-1]))
        q--;
    if (q == p || q == line || q[-1] != ':')
        return NULL;
    const char *column = q--;
    while (q > line && isdigit((unsigned char)q[-1]))
        q--;
    if (q - line < 2 || q[-1] != ':')
        return NULL;
    place->line = (unsigned)strtoul(q, NULL, 10);
    place->column = (unsigned)strtoul(column, NULL, 10);
    place->file = arena_strndup(&d->arena, line, (size_t)(q - line) - 1);
    return p + strlen(kind);
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

// ---- files
// Packages put libraries for CUDA into folders of /usr/include; the system's own headers stay as they are. A compiler may have the
// system's folders below another root (--sysroot), and gcc's library where it is installed itself.
static bool is_users(const struct driver *d, const char *path)
{
    static const char root[] = "/usr/include/", *const systems[] = {"bits/", "sys/", "asm", "linux/", "gnu/"};
    const char *inside = strstr(path, root), *slash = NULL;
    if (inside)
        slash = strchr(inside += strlen(root), '/');
    for (size_t i = 0; slash && i < sizeof systems / sizeof systems[0]; i++)
        if (begins(inside, systems[i]))
            return false;
    if (inside && (!slash || (slash - inside > 10 && begins(slash - 10, "-linux-gnu"))))
        return false;
    return !begins(path, d->toolkit.include) && !strstr(path, "/usr/lib/") && !strstr(path, "/include/c++/");
}

// The file as it is read now; NULL: it is none of the user's.
static struct mended_file *file_find(struct driver *d, const char *name)
{
    char real[PATH_MAX];
    if (!realpath(name, real) || !is_users(d, real))
        return NULL;
    for (size_t i = 0; i < d->mend.files.len; i++)
        if (!strcmp(d->mend.files.data[i].path, real))
            return &d->mend.files.data[i];
    struct mended_file f = {.path = arena_strdup(&d->arena, real)};
    char source[PATH_MAX];
    bool main = realpath(d->mend.source, source) && !strcmp(source, real);
    f.text = os_file_read(main && d->dialect.copy ? d->dialect.copy : real, NULL);
    if (!f.text)
        return NULL;
    vec_push(&d->mend.files, f);
    return &d->mend.files.data[d->mend.files.len - 1];
}

static bool text_replace(struct mended_file *f, char *text)
{
    bool changed = strcmp(f->text, text) != 0;
    free(f->text);
    f->text = text;
    f->changed |= changed;
    return changed;
}

static char *place_find(struct mended_file *f, const struct place *at)
{
    char *p = f->text;
    for (unsigned line = 1; line < at->line && p; line++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    return p && strcspn(p, "\n") + 1 >= at->column && at->column ? p + at->column - 1 : NULL;
}

static bool insert(struct mended_file *f, const char *at, const char *what, const char *later, const char *what_later)
{
    struct str out = {0};
    str_append_n(&out, f->text, (size_t)(at - f->text));
    str_append(&out, what);
    if (later) {
        str_append_n(&out, at, (size_t)(later - at));
        str_append(&out, what_later);
    }
    str_append(&out, later ? later : at);
    return text_replace(f, out.data);
}

// ---- what is mended
static bool word_put(struct driver *d, const struct place *at, const char *word)
{
    ptrdiff_t n = (ptrdiff_t)strlen(word);
    struct mended_file *f = file_find(d, at->file);
    char *p = f ? place_find(f, at) : NULL;
    return p && source_is_word(*p) && !(p - f->text > n && begins(p - n, word)) && insert(f, p, word, NULL, NULL);
}

static bool mend_template(struct driver *d, const struct place *at)
{
    return word_put(d, at, "template ");
}

static bool mend_typename(struct driver *d, const struct place *at)
{
    return word_put(d, at, "typename ");
}

// `A<T>::f<N>(x)` at the place, which clang read as comparisons.
static bool mend_template_call(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    const char *p = f ? place_find(f, at) : NULL, *name = NULL;
    int angles = 0;
    for (; p && *p && *p != ';' && *p != '(' && *p != '{'; p++) {
        angles += *p == '<' ? 1 : *p == '>' ? -1 : 0;
        if (begins(p, ">::") && !angles)
            name = p + 3;
    }
    size_t n = 0;
    while (name && source_is_word(name[n]))
        n++;
    return n && name[n] == '<' && insert(f, name, "template ", NULL, NULL);
}

// The end of the brackets at p; colon: one stands in them outside literals.
static const char *brackets_end(const char *p, bool *colon)
{
    int depth = 0;
    while (*p) {
        if (*p == '"' || *p == '\'') {
            p = source_skip_literal(p);
            continue;
        }
        depth += (*p == '(' || *p == '{' || *p == '[') - (*p == ')' || *p == '}' || *p == ']');
        *colon |= *p == ':';
        p++;
        if (!depth)
            break;
    }
    return p;
}

// The next asm statement with operands from *p on: what stands in its brackets; false: there is none.
static bool asm_next(const char *text, const char **p, const char **open, const char **end)
{
    while ((*p = strstr(*p, "asm"))) {
        const char *word = *p, *q = word + 3 + (begins(word + 3, "__") ? 2 : 0);
        *p = q;
        if (word > text && isalnum((unsigned char)word[-1]))
            continue;
        q += strspn(q, " \t\r\n");
        q += begins(q, "volatile") ? 8 : begins(q, "__volatile__") ? 12 : 0;
        q += strspn(q, " \t\r\n");
        bool operands = false;
        *end = *q == '(' ? brackets_end(q, &operands) : NULL;
        if (!*end || !operands)
            continue;
        *open = q;
        *p = *end;
        return true;
    }
    return false;
}

static bool mend_asm(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    struct str out = {0};
    const char *done = f ? f->text : NULL, *p = done, *open, *end;
    while (f && asm_next(f->text, &p, &open, &end)) {
        bool quoted = false;
        for (const char *q = open; q < end; q++) {
            if (*q == '\\' && quoted) {
                q++;
            } else if (*q == '"') {
                quoted = !quoted;
            } else if (quoted && *q == '%') {
                if (isalpha((unsigned char)q[1]) || q[1] == '_') {
                    str_append_n(&out, done, (size_t)(q - done));
                    str_append(&out, "%");
                    done = q;
                } else {
                    q++;
                }
            }
        }
    }
    if (!out.len)
        return false;
    str_append(&out, done);
    return text_replace(f, out.data);
}

// What stands in an asm statement's brackets, with operands that are texts of arrays ("C") written into the statement's
// own text by a function (heddle/asm_text.h); they stay as numbers, so that the others keep theirs. False: there are
// none.
static bool asm_write_arrays(struct str *out, const char *open, const char *end)
{
    struct str numbers = {0}, arrays = {0}, rest = {0};
    const char *text = open + 1, *text_end = NULL, *done = text;
    unsigned section = 0, operand = 0;
    bool ignored = false;
    for (const char *p = text; p < end - 1;) {
        bool is_array = section == 2 && begins(p, "\"C\"");
        const char *array = is_array ? p + 3 + strspn(p + 3, " \t\r\n\\") : NULL;
        if (is_array && *array == '(') {
            const char *after = brackets_end(array, &ignored);
            str_printf(&numbers, "%s%u", numbers.len ? ", " : "", operand++);
            str_printf(&arrays, ", %.*s", (int)(after - array), array);
            str_append_n(&rest, done, (size_t)(p - done));
            str_append(&rest, "\"n\"(0)");
            done = p = after;
        } else if (*p == '"' || *p == '\'') {
            p = source_skip_literal(p);
        } else if (*p == '(' || *p == '[' || *p == '{') {
            operand += *p == '(' && section;
            p = brackets_end(p, &ignored);
        } else {
            if (*p == ':' && !section++)
                text_end = done = p;
            p++;
        }
    }
    bool found = numbers.len;
    if (found) {
        str_append_n(&rest, done, (size_t)(end - done));
        str_printf(out, "((__heddle_asm_text<%s>(%.*s%s)) %s", numbers.data, (int)(text_end - text), text, arrays.data,
                   rest.data);
    }
    str_free(&numbers);
    str_free(&arrays);
    str_free(&rest);
    return found;
}

static bool mend_asm_arrays(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    struct str out = {0};
    const char *done = f ? f->text : NULL, *p = done, *open, *end;
    while (f && asm_next(f->text, &p, &open, &end)) {
        struct str one = {0};
        if (asm_write_arrays(&one, open, end)) {
            str_append_n(&out, done, (size_t)(open - done));
            str_append(&out, one.data);
            done = end;
        }
        str_free(&one);
    }
    if (!out.len)
        return false;
    str_append(&out, done);
    return text_replace(f, out.data);
}

// The words right before a deduction guide's name: attributes of a side, or macros of the user's for them. They mean nothing there. A
// guide with a clause of requirements, which ends in words too, stays as it is.
static bool mend_guide(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    char *name = f ? place_find(f, at) : NULL, *first = name;
    for (char *p = name; p && p > f->text;) {
        char *end = p;
        while (end > f->text && isspace((unsigned char)end[-1]))
            end--;
        for (p = end; p > f->text && source_is_word(p[-1]);)
            p--;
        if (p == end || (end - p == 8 && begins(p, "explicit")))
            break;
        if (end - p == 8 && begins(p, "requires"))
            return false;
        first = p;
    }
    if (first == name)
        return false;
    for (char *p = first; p < name; p++)
        *p = isspace((unsigned char)*p) ? *p : ' '; // lines stay
    return f->changed = true;
}

static bool word_is_one_of(const char *word, size_t n, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == n && !strncmp(word, list[i], n))
            return true;
    return false;
}

static const char *line_begin(const char *text, const char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

static bool is_in_comment(const char *text, const char *p)
{
    for (const char *q = line_begin(text, p); q + 1 < p; q++)
        if (q[0] == '/' && q[1] == '/')
            return true;
    return false;
}

static bool line_is_directive(const char *text, const char *p)
{
    const char *line = line_begin(text, p);
    return line[strspn(line, " \t")] == '#';
}

// Where a declaration begins of which only CUDA's words, or macros of the user's for them, stand before p; NULL: there is something else.
static const char *cuda_words_begin(const char *text, const char *p)
{
    static const char *const words[] = {"__device__", "__host__",    "__global__",   "__constant__",
                                        "__shared__", "__managed__", "__noinline__", "__forceinline__"};
    static const char *const sized[] = {"__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__",
                                        "__align__"};
    // Behind these NVIDIA's front end takes no attributes either.
    static const char *const others[] = {
        "static", "extern",   "inline",  "constexpr", "consteval", "constinit", "friend",   "virtual",
        "const",  "volatile", "typedef", "using",     "template",  "auto",      "explicit", "operator",
        "return", "else",     "do",      "case",      "new",       "throw",     "goto",     "struct",
        "class",  "union",    "enum",    "void",      "bool",      "char",      "short",    "int",
        "long",   "unsigned", "signed",  "float",     "double",    "mutable",   "register", "thread_local"};
    const char *first = p, *behind = p;
    bool macro = line_is_directive(text, p);
    while (p > text) {
        const char *end = p, *word;
        while (end > text && isspace((unsigned char)end[-1]))
            end--;
        if ((!macro && line_is_directive(text, end)) || is_in_comment(text, end))
            break;
        bool apart = first < behind && memchr(end, '\n', (size_t)(p - end));
        bool brackets = end > text && end[-1] == ')';
        if (brackets) {
            int depth = 0;
            do {
                end--;
                depth += (*end == ')') - (*end == '(');
            } while (depth && end > text);
            while (end > text && isspace((unsigned char)end[-1]))
                end--;
        }
        for (word = end; word > text && source_is_word(word[-1]);)
            word--;
        size_t n = (size_t)(end - word);
        bool ours = brackets ? word_is_one_of(word, n, sized, sizeof sized / sizeof *sized)
                             : word_is_one_of(word, n, words, sizeof words / sizeof *words);
        // A word on a line of its own may be a macro that has nothing to do with the declaration.
        if (!ours && (macro || apart || (!n && !brackets)))
            break;
        if (!ours && (brackets || isdigit((unsigned char)*word) ||
                      word_is_one_of(word, n, others, sizeof others / sizeof *others)))
            return NULL;
        first = p = word;
    }
    return first;
}

// The attributes at the place: in brackets, or `alignas`, or macros for them.
static bool mend_attributes(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    const char *p = f ? place_find(f, at) : NULL, *first = p ? cuda_words_begin(f->text, p) : NULL, *end = p;
    if (!first || first == p)
        return false;
    bool ignored = false;
    if (begins(end, "[[")) {
        end = brackets_end(end, &ignored);
    } else {
        end += source_word_length(end);
        const char *open = end + strspn(end, " \t");
        end = end > p && *open == '(' ? brackets_end(open, &ignored) : end;
    }
    if (end == p || memchr(p, '\n', (size_t)(end - p)))
        return false;
    struct str out = {0};
    str_append_n(&out, f->text, (size_t)(first - f->text));
    str_append_n(&out, p, (size_t)(end - p));
    str_append(&out, " ");
    str_append_n(&out, first, (size_t)(p - first));
    str_append(&out, end);
    return text_replace(f, out.data);
}

// Macros of that file that are directives.
static bool mend_pragma(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    struct str out = {0};
    const char *done = f ? f->text : NULL;
    for (const char *p = done; p && (p = strstr(p, "#pragma ")); p++) {
        const char *line = p, *rest = p + 8, *end = rest + strcspn(rest, "\r\n");
        while (line > f->text && line[-1] != '\n')
            line--;
        line += strspn(line, " \t");
        const char *word = line + 1 + strspn(line + (*line == '#'), " \t");
        if (line == p || *line != '#' || !begins(word, "define") || end[-1] == '\\')
            continue;
        str_append_n(&out, done, (size_t)(p - done));
        str_append(&out, "_Pragma(");
        char *text = strndup(rest, (size_t)(end - rest));
        str_append_quoted(&out, text ? text : "");
        free(text);
        str_append(&out, ")");
        done = end;
    }
    if (!out.len)
        return false;
    str_append(&out, done);
    return text_replace(f, out.data);
}

static bool mend_launches(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    char *text = f ? dialect_mend(d, f->text) : NULL;
    return text && text_replace(f, text);
}

static bool argument_add(struct driver *d, const char *argument)
{
    for (size_t i = 0; i < d->mend.arguments.len; i++)
        if (!strcmp(d->mend.arguments.data[i], argument))
            return false;
    vec_push(&d->mend.arguments, argument);
    return true;
}

static bool mend_builtin(struct driver *d, const char *name)
{
    int n = (int)strcspn(name, "'");
    return argument_add(d, arena_printf(&d->arena, "-D%.*s=__heddle_own_%.*s", n, name, n, name));
}

static const char both_begin[] = "_Pragma(\"clang force_cuda_host_device begin\") ";
static const char both_end[] = " _Pragma(\"clang force_cuda_host_device end\") ";

// A function whose body the device pass can do without: neither its type nor a constant comes from there, and it has no
// directives.
static bool body_is_unneeded(const char *text, const char *name, const char *brace, unsigned round)
{
    static const char *const words[] = {"auto", "constexpr", "consteval"};
    const char *head = name, *end;
    size_t close = *brace == '{' ? outline_body_end(text, (size_t)(brace - text)) : 0;
    if (!close || round < DEEP || (round < LAST && text + close - brace < SHORT))
        return false;
    while (head > text && !strchr(";{}", head[-1]))
        head--;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if ((end = strstr(head, words[i])) && end < brace)
            return false;
    for (const char *p = brace; p < text + close; p++)
        if (*p == '#')
            return false;
    return true;
}

// at: the function's name in its declaration.
static bool mend_host_function(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    char *p = f ? place_find(f, at) : NULL;
    bool colon = false;
    if (!p || (p - f->text >= (long)strlen(both_begin) && begins(p - strlen(both_begin), both_begin)))
        return false;
    const char *q = p;
    if (begins(q, "operator"))
        q += 8 + strspn(q + 8, " ") + (begins(q + 8 + strspn(q + 8, " "), "()") ? 2 : 0);
    while (*q && *q != '(' && *q != ';' && *q != '{')
        q++;
    if (*q != '(')
        return false;
    q = brackets_end(q, &colon);
    while (*q && *q != ';' && *q != '{')
        q = *q == '(' ? brackets_end(q, &colon) : q + 1;
    if (!*q)
        return false;
    size_t end = body_is_unneeded(f->text, p, q, d->mend.round) ? outline_body_end(f->text, (size_t)(q - f->text)) : 0;
    if (!end)
        return insert(f, p, both_begin, q + 1, both_end);
    struct str out = {0};
    str_append_n(&out, f->text, (size_t)(p - f->text));
    str_append(&out, both_begin);
    str_append_n(&out, p, (size_t)(q + 1 - p));
    str_append(&out, both_end);
    str_append(&out, "__HEDDLE_HOST_BODY(");
    str_append_n(&out, q + 1, end - (size_t)(q + 1 - f->text));
    str_append(&out, ")");
    str_append(&out, f->text + end);
    return text_replace(f, out.data);
}

// at: a place in the body of a function.
static bool mend_enclosing_function(struct driver *d, const struct place *at)
{
    struct mended_file *f = file_find(d, at->file);
    char *p = f ? place_find(f, at) : NULL;
    size_t head, brace;
    if (!p || !outline_function(f->text, (size_t)(p - f->text), &head, &brace))
        return false;
    const char *mark = strstr(f->text + head, both_begin);
    if (mark && mark < f->text + brace)
        return false;
    return insert(f, f->text + head, both_begin, f->text + brace + 1, both_end);
}

// ---- messages
static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p ? p + 1 : p;
}

// The next of the notes that belong to the error before p and begins or ends so, and its place; NULL: there is none.
static const char *note_next(struct driver *d, const char *p, const char *begin, const char *end, struct place *at)
{
    struct place other;
    for (p = next_line(p); *p && !message_read(d, p, ": error: ", &other); p = next_line(p)) {
        const char *note = message_read(d, p, ": note: ", at);
        size_t n = note ? strcspn(note, "\n") : 0;
        if (note && (!begin || begins(note, begin)) &&
            (!end || (n >= strlen(end) && !strncmp(note + n - strlen(end), end, strlen(end)))))
            return p;
    }
    return NULL;
}

struct edit {
    bool (*apply)(struct driver *, const struct place *);
    struct place at;
};
struct edits VEC(struct edit);

static void edit_add(struct edits *list, bool (*apply)(struct driver *, const struct place *), const struct place *at)
{
    struct edit e = {.apply = apply, .at = *at};
    vec_push(list, e);
}

// From the beginning of an expression to the name in it that the message ends with, which stands in the second quotes.
static void name_seek(struct driver *d, struct place *at, const char *text)
{
    const char *q = strchr(text, '\'');
    for (int i = 0; q && i < 2; i++)
        q = strchr(q + 1, '\'');
    size_t n = q ? strcspn(q + 1, "'\n") : 0;
    struct mended_file *f = n ? file_find(d, at->file) : NULL;
    const char *p = f ? place_find(f, at) : NULL;
    for (unsigned i = 0; p && p[i] && p[i] != '\n'; i++)
        if (!strncmp(p + i, q + 1, n) && !source_is_word(p[i + n]) && !(i && source_is_word(p[i - 1]))) {
            at->column += i;
            return;
        }
}

// What an error asks for; true: it was an argument of clang.
static bool error_read(struct driver *d, struct edits *list, const char *line, const struct place *at, const char *text,
                       bool host)
{
    struct place note;
    if (begins(text, "missing 'template' keyword prior to") || begins(text, "use 'template' keyword to treat")) {
        struct place name = *at;
        name_seek(d, &name, text);
        edit_add(list, mend_template, &name);
    } else if (begins(text, "missing 'typename' prior to dependent type")) {
        edit_add(list, mend_typename, at);
    } else if (begins(text, "in CUDA/HIP, deduction guides may only be annotated with")) {
        edit_add(list, mend_guide, at);
    } else if (begins(text, "an attribute list cannot appear here")) {
        bool macro = note_next(d, line, "expanded from macro", NULL, &note);
        edit_add(list, mend_attributes, at);
        if (macro)
            edit_add(list, mend_attributes, &note);
    } else if (begins(text, "reference to overloaded function could not be resolved")) {
        edit_add(list, mend_template_call, at);
    } else if (begins(text, "invalid % escape in inline assembly string")) {
        edit_add(list, mend_asm, at);
    } else if (begins(text, "invalid input constraint 'C' in asm") && d->toolkit.clang_version >= 20) {
        edit_add(list, mend_asm_arrays, at);
        if (note_next(d, line, "expanded from macro", NULL, &note))
            edit_add(list, mend_asm_arrays, &note);
    } else if (begins(text, "expected expression")) {
        if (note_next(d, line, "expanded from macro", NULL, &note))
            edit_add(list, mend_pragma, &note);
        edit_add(list, mend_launches, at);
    } else if (begins(text, "reference to __host__ function '") && strstr(text, "in __host__ __device__ function")) {
        if (note_next(d, line, NULL, "' declared here", &note))
            edit_add(list, mend_host_function, &note);
    } else if (begins(text, "static declaration of '") && note_next(d, line, "'", NULL, &note)) {
        const char *builtin = strstr(line, "' is a builtin with type");
        return builtin && mend_builtin(d, strchr(text, '\'') + 1);
    } else if (begins(text, "__host__ function '") && strstr(text, "cannot overload __host__ __device__ function")) {
        edit_add(list, mend_host_function, at); // its definition
    } else if (begins(text, "__host__ __device__ function '") && strstr(text, "cannot overload __host__ function")) {
        if (note_next(d, line, "previous declaration is here", NULL, &note))
            edit_add(list, mend_host_function, &note);
    } else if (begins(text, "no matching ") && host) {
        static const char kernel[] = "call to __host__ function from __global__ function";
        static const char function[] = "call to __host__ function from __device__ function";
        for (const char *p = line; (p = note_next(d, p, "candidate ", kernel, &note));)
            edit_add(list, mend_host_function, &note);
        for (const char *p = line; (p = note_next(d, p, "candidate ", function, &note));)
            edit_add(list, mend_host_function, &note);
    } else if (strstr(text, "is ambiguous") && strstr(text, "is ambiguous") < text + strcspn(text, "\n") && !host) {
        edit_add(list, mend_enclosing_function, at);
    } else if (begins(text, "use of undeclared identifier '") ||
               (begins(text, "no member named '") && strstr(text, "namespace"))) {
        if (!d->mend.unused)
            d->mend.unused = arena_printf(&d->arena, "%s:%u: %.*s", at->file, at->line, (int)strcspn(text, "\n"), text);
        return argument_add(d, "-fdelayed-template-parsing");
    }
    return false;
}

// Later places first, so that the earlier ones stay where they are.
static int edit_compare(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->at.line != y->at.line)
        return x->at.line < y->at.line ? 1 : -1;
    if (x->at.column != y->at.column)
        return x->at.column < y->at.column ? 1 : -1;
    return strcmp(x->at.file, y->at.file);
}

static bool overlay_write(struct driver *d)
{
    struct str s = {0};
    bool ok = true;
    str_append(&s, "{\"version\": 0, \"use-external-names\": false, \"roots\": [");
    for (size_t i = 0, n = 0; i < d->mend.files.len && ok; i++) {
        const struct mended_file *f = &d->mend.files.data[i];
        if (!f->changed)
            continue;
        const char *copy = job_temp(&d->arena, "mended", strrchr(f->path, '/') + 1);
        str_append(&s, n++ ? ", {\"type\": \"file\", \"name\": " : "{\"type\": \"file\", \"name\": ");
        str_append_quoted(&s, f->path);
        str_append(&s, ", \"external-contents\": ");
        str_append_quoted(&s, copy);
        str_append(&s, "}");
        ok = os_file_write(copy, f->text, strlen(f->text));
    }
    str_append(&s, "]}\n");
    d->mend.overlay = job_temp(&d->arena, "mended", ".yaml");
    ok = ok && os_file_write(d->mend.overlay, str_text(&s), s.len);
    str_free(&s);
    if (!ok)
        d->mend.overlay = NULL;
    return ok;
}

bool mend_found(struct driver *d, const struct job *j)
{
    struct edits list = {0};
    struct place at;
    bool changed = false;
    bool host = j->phase && strstr(j->phase, "host");
    char *text = d->mend.source && d->mend.round < ROUNDS ? job_errors(j) : NULL;
    for (const char *p = text; p && *p; p = next_line(p)) {
        const char *error = message_read(d, p, ": error: ", &at), *fatal = message_read(d, p, ": fatal error: ", &at);
        if (fatal && begins(fatal, "'omp.h' file not found") && openmp_header(d)) {
            changed |= argument_add(d, arena_printf(&d->arena, "-idirafter%s", openmp_before(d)));
            changed |= argument_add(d, arena_printf(&d->arena, "-idirafter%s", openmp_header(d)));
        }
        if (error)
            changed |= error_read(d, &list, p, &at, error, host);
    }
    if (list.len)
        qsort(list.data, list.len, sizeof list.data[0], edit_compare);
    for (size_t i = 0; i < list.len; i++)
        if (!i || edit_compare(&list.data[i - 1], &list.data[i]) || list.data[i - 1].apply != list.data[i].apply)
            changed |= list.data[i].apply(d, &list.data[i].at);
    vec_free(&list);
    if (text && !d->mend.first)
        d->mend.first = arena_strdup(&d->arena, text);
    free(text);
    d->mend.again = changed && overlay_write(d);
    return d->mend.again;
}

static unsigned errors_count(const char *text)
{
    unsigned n = 0;
    for (; text && (text = strstr(text, ": error: ")); text++)
        n++;
    return n;
}

void mend_print(const struct driver *d, const struct job *j)
{
    char *text = j->status ? job_errors(j) : NULL;
    if (text && d->mend.first && errors_count(text) > errors_count(d->mend.first))
        fputs(d->mend.first, stderr);
    else
        job_print_errors(j);
    if (text)
        hint_print(text);
    free(text);
}

void mend_begin(struct driver *d, const char *source)
{
    mend_end(d);
    d->mend.source = source;
}

bool mend_again(struct driver *d)
{
    bool again = d->mend.again;
    d->mend.again = false;
    d->mend.round++;
    return again;
}

void mend_warn(const struct driver *d)
{
    if (d->mend.unused && !options_has(&d->options, OPTION_NO_WARNINGS))
        nvcc_warning("%s, in a template that is not used", d->mend.unused);
}

void mend_end(struct driver *d)
{
    for (size_t i = 0; i < d->mend.files.len; i++)
        free(d->mend.files.data[i].text);
    vec_free(&d->mend.files);
    vec_free(&d->mend.arguments);
    memset(&d->mend, 0, sizeof d->mend);
}

void mend_add(struct driver *d, struct job *j)
{
    if (j->precompile || !d->mend.round)
        return;
    job_add(j, "-ferror-limit=0"); // all places at once
    job_add_all(j, &d->mend.arguments);
    if (d->mend.overlay) {
        job_add(j, "-ivfsoverlay");
        job_add(j, d->mend.overlay);
    }
}
