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
//  4. Other variables whose initialisers name them are written anew by a function that libcudart calls when the pointers
//     have been set. Where that is before constructors of the program run, they see it.
#include "base/map.h"
#include "front/front.h"
#include "front/ir/token.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct editor {
    struct arena arena;
    struct map names;    // of the variables, with @
    struct str *entry;   // instructions for the beginning of the function at hand
    struct map loaded;   // variables whose pointers it has
    unsigned count;      // of values made
    struct str values;   // of the function that writes initialisers anew: what it writes,
    struct str fixes;    // and where
    struct str key;      // of a look into a map
    struct str *message; // about initialisers that are not understood
};

static void append(struct str *out, const char *from, const char *to)
{
    str_append_n(out, from, (size_t)(to - from));
}

static void append_line(struct str *out, const char *from, const char *to)
{
    append(out, from, to);
    str_append(out, "\n");
}

static bool is_one(struct editor *e, const struct map *names, struct ir_token t)
{
    e->key.len = 0;
    append(&e->key, t.at, t.end);
    return t.kind == IR_GLOBAL && map_get_str(names, e->key.data);
}

static void add(struct editor *e, struct map *names, struct ir_token t)
{
    char *key = arena_strndup(&e->arena, t.at, (size_t)(t.end - t.at));
    map_put_str(names, key, key);
}

// The first managed variable that the text names; IR_END: none.
static struct ir_token variable_find(struct editor *e, const char *p, const char *end)
{
    struct ir_token t;
    while ((t = ir_token(p, end)).kind && !is_one(e, &e->names, t))
        p = t.end;
    return t;
}

static bool has_variable(struct editor *e, const char *p, const char *end)
{
    return variable_find(e, p, end).kind;
}

// "@x" and '@"x"' with the suffix, and perhaps another sigil.
static void pointer_write(struct str *out, struct ir_token t, char sigil)
{
    bool quoted = t.at[1] == '"';
    str_printf(out, "%c%.*s.managed%s", sigil, (int)(t.end - t.at) - 1 - quoted, t.at + 1, quoted ? "\"" : "");
}

// ---- variables
// The word "global" or "constant" of a definition at the beginning of a line; IR_END: it is no variable.
static struct ir_token kind_find(const char *line, const char *end)
{
    struct ir_token t = ir_token(line, end), none = {IR_END, end, end};
    if (t.kind != IR_GLOBAL || t.at != line || !ir_is(t = ir_token(t.end, end), "="))
        return none;
    do
        t = ir_token(t.end, end);
    while (t.kind && !ir_is(t, "global") && !ir_is(t, "constant") && !ir_is(t, "alias") && !ir_is(t, "ifunc"));
    return ir_is(t, "global") || ir_is(t, "constant") ? t : none;
}

static bool is_managed(const char *line, const char *end)
{
    struct ir_token kind = kind_find(line, end);
    const char *p = kind.end;
    if (!kind.kind || !ir_is(kind, "global"))
        return false;
    while ((p = ir_item_end(p, end)) < end) // behind the initialiser: section, comdat, align
        if (ir_match(++p, end, "align 8192"))
            return true;
    return false;
}

static void variable_write(struct str *out, const char *line, const char *end)
{
    struct ir_token name = ir_token(line, end), kind = kind_find(line, end), equals = ir_token(name.end, end);
    append_line(out, line, end);
    pointer_write(out, name, '@');
    append(out, name.end, kind.at);
    str_append(out, "global ptr");
    if (!ir_find(equals.end, kind.at, "external").kind)
        str_printf(out, " %.*s", (int)(name.end - name.at), name.at);
    if (ir_find(kind.end, end, "comdat").kind)
        str_printf(out, ", comdat($%.*s)", (int)(name.end - name.at) - 1, name.at + 1);
    str_append(out, ", align 8\n");
}

// ---- values
// Past a type at p.
static const char *type_end(const char *p, const char *end)
{
    struct ir_token t = ir_token(p, end);
    return t.kind == IR_MARK ? ir_group_end(t.at, end) : t.end;
}

// A constant expression: where the flags end that an instruction has too, and its brackets; two: operands of one type.
struct expression {
    const char *flags, *open, *close;
    bool two;
};

static bool expression_read(struct expression *x, struct ir_token word, const char *end)
{
    static const char
        *const ones[] = {"getelementptr", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "trunc"},
               *const twos[] = {"add", "sub", "mul", "xor", "shl"}, *const flags[] = {"inbounds", "nuw", "nusw", "nsw"};
    size_t n = (size_t)(word.end - word.at);
    x->two = str_is_any(word.at, n, twos, sizeof twos / sizeof *twos);
    if (!x->two && !str_is_any(word.at, n, ones, sizeof ones / sizeof *ones))
        return false;
    x->flags = word.end;
    struct ir_token t = ir_token(word.end, end);
    for (; t.kind == IR_WORD; t = ir_token(t.end, end)) {
        if (ir_is(t, "inrange"))
            t.end = ir_group_end(ir_token(t.end, end).at, end);
        else if (str_is_any(t.at, (size_t)(t.end - t.at), flags, sizeof flags / sizeof *flags))
            x->flags = t.end;
        else
            return false;
    }
    x->open = t.at;
    x->close = ir_is(t, "(") ? ir_group_end(t.at, end) : end;
    return ir_is(t, "(");
}

static void variable_place(struct editor *e, struct str *out, struct ir_token t)
{
    pointer_write(out, t, '%');
    if (is_one(e, &e->loaded, t))
        return;
    add(e, &e->loaded, t);
    str_append(e->entry, "  ");
    pointer_write(e->entry, t, '%');
    str_append(e->entry, " = load ptr, ptr ");
    pointer_write(e->entry, t, '@');
    str_append(e->entry, ", align 8\n");
}

// Writes the text, in which values stand for the variables and for the expressions over them; the instructions that make the values
// go to e->entry. The memory may lie on less than 8192 bytes: on the 128 that PTX says.
static void values_place(struct editor *e, struct str *out, const char *p, const char *end)
{
    for (struct ir_token t; (t = ir_token(p, end)).kind; p = t.end) {
        struct expression x;
        append(out, p, t.at);
        if (is_one(e, &e->names, t)) {
            variable_place(e, out, t);
        } else if (expression_read(&x, t, end) && has_variable(e, x.open, x.close)) {
            struct str line = {0};
            const char *comma = x.two ? ir_item_end(x.open + 1, x.close) : NULL,
                       *rest = comma ? type_end(comma + 1, x.close) : x.open + 1;
            append(&line, t.at, x.flags);
            str_append(&line, " ");
            if (comma) // an instruction has the type once
                values_place(e, &line, x.open + 1, comma + 1);
            values_place(e, &line, rest, x.close - 1);
            str_printf(e->entry, "  %%managed.%u = %s\n", e->count, str_text(&line));
            str_printf(out, "%%managed.%u", e->count++);
            str_free(&line);
            t.end = x.close;
        } else if (ir_is(t, "align") && strtoul(ir_token(t.end, end).at, NULL, 10) > 128) {
            str_append(out, "align 128");
            t.end = ir_token(t.end, end).end;
        } else {
            append(out, t.at, t.end);
        }
    }
    append(out, p, end);
}

static void values_end(struct editor *e)
{
    map_free(&e->loaded);
    e->loaded = (struct map){0};
}

// ---- functions
// The function __cuda_register_globals. What libcudart calls when the pointers have been set is registered at the end.
static void registrations_write(struct editor *e, struct str *out, const char *p, const char *close)
{
    struct ir_token handle = ir_token(ir_find(p, close, "ptr").end, close);
    for (const char *end; p <= close; p = end + 1) {
        end = ir_line_end(p);
        struct ir_token call = ir_find(p, end, "@__cudaRegisterVar"), t = variable_find(e, p, end);
        if (e->fixes.len && ir_match(p, end, "ret void"))
            str_printf(out, "  call void @__cudaRegisterManagedInit(ptr %.*s, ptr @__heddle_managed_init)\n",
                       (int)(handle.end - handle.at), handle.at);
        if (call.kind && t.kind) {
            append(out, p, call.at);
            str_append(out, "@__cudaRegisterManagedVar");
            append(out, call.end, t.at);
            pointer_write(out, t, '@');
            p = t.end;
        }
        append_line(out, p, end);
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
    values_end(e); // of what was before it
    e->entry = &entry;
    for (const char *end; p <= close; p = end + 1) {
        end = ir_line_end(p);
        if (has_variable(e, p, end)) {
            values_place(e, &body, p, end);
            str_append(&body, "\n");
        } else {
            append_line(&body, p, end);
        }
    }
    str_append(out, str_text(&entry));
    str_append(out, str_text(&body));
    str_free(&entry);
    str_free(&body);
    values_end(e);
}

// From the line "define" to the one before the closing bracket; the place behind it.
static const char *function_write(struct editor *e, struct str *out, const char *p)
{
    const char *first = ir_line_end(p), *close = strstr(p, "\n}");
    if (!*first || !close) {
        str_append(out, p);
        return p + strlen(p);
    }
    if (ir_find(p, first, "@__cuda_register_globals").kind) {
        registrations_write(e, out, p, close);
    } else if (!has_variable(e, first, close)) {
        append(out, p, close + 1);
    } else {
        const char *line = ir_line_end(first + 1);
        if (ir_is(ir_token(ir_token(first, line).end, line), ":")) // a label
            first = line;
        append(out, p, first + 1);
        body_write(e, out, first + 1, close);
    }
    return close + 1;
}

// ---- initialisers of other variables
// "type value" at p: writes the scalars that name managed variables. outer and indices: the type, and what leads there.
static bool initialiser_fix(struct editor *e, const char *p, const char *end, const char *outer, struct ir_token global,
                            const char *indices)
{
    const char *type_stop = type_end(p, end), *stop = ir_item_end(type_stop, end);
    struct ir_token value = ir_token(type_stop, stop);
    if (!has_variable(e, type_stop, stop))
        return true;
    bool packed = ir_match(value.at, stop, "< {") != NULL;
    if (ir_is(value, "[") || ir_is(value, "{") || packed) {
        const char *q = value.end + packed;
        for (unsigned i = 0; q < stop && *q != ']' && *q != '}'; i++) {
            char more[512];
            int n = snprintf(more, sizeof more, "%s, i32 %u", indices, i);
            const char *next = ir_item_end(type_end(q, stop), stop);
            if (n < 0 || (size_t)n >= sizeof more ||
                !initialiser_fix(e, ir_token(q, next).at, next, outer, global, more))
                return false;
            q = next + (*next == ',');
        }
        return true;
    }
    if (value.kind != IR_GLOBAL && value.kind != IR_WORD)
        return false;
    struct str text = {0};
    e->entry = &e->values;
    values_place(e, &text, value.at, stop);
    str_printf(&e->fixes, "  %%managed.%u = getelementptr inbounds %s, ptr %.*s%s\n", e->count, outer,
               (int)(global.end - global.at), global.at, indices);
    str_printf(&e->fixes, "  store %.*s %s, ptr %%managed.%u\n", (int)(type_stop - p), p, str_text(&text), e->count++);
    str_free(&text);
    return true;
}

// A variable whose initialiser names managed ones: it may be written.
static void initialised_write(struct editor *e, struct str *out, const char *line, const char *end, bool registers)
{
    struct ir_token name = ir_token(line, end), kind = kind_find(line, end), type = ir_token(kind.end, end);
    const char *type_stop = type_end(type.at, end);
    size_t fixed = e->fixes.len;
    char *outer = arena_strndup(&e->arena, type.at, (size_t)(type_stop - type.at));
    if (registers && !ir_find(line, kind.at, "thread_local").kind &&
        initialiser_fix(e, type.at, ir_item_end(type_stop, end), outer, name, ", i32 0")) {
        append(out, line, kind.at);
        str_append(out, "global");
        append_line(out, kind.end, end);
        return;
    }
    append_line(out, line, end);
    if (e->fixes.len > fixed)
        e->fixes.data[e->fixes.len = fixed] = 0;
    str_printf(e->message, "%s'%.*s'", e->message->len ? ", " : "", (int)(name.end - name.at) - 1, name.at + 1);
}

static bool is_initialised(struct editor *e, const char *line, const char *end)
{
    struct ir_token kind = kind_find(line, end);
    return kind.kind && has_variable(e, kind.end, end) && strncmp(line, "@llvm.", 6) != 0 &&
           strncmp(line, "@__clang_gpu_used", 17) != 0; // a list that nobody reads
}

char *front_ir_managed(const char *ir, size_t *size, struct str *unsure)
{
    struct editor e = {.message = unsure};
    struct str out = {0};
    arena_init(&e.arena);
    for (const char *p = ir, *end; *p; p = end + (*end != 0)) {
        end = ir_line_end(p);
        if (*p == '@' && is_managed(p, end))
            add(&e, &e.names, ir_token(p, end));
    }
    // Without device code of its own a unit registers nothing.
    bool registers = strstr(ir, "@__cuda_register_globals(ptr ");
    for (const char *p = ir, *end; e.names.len && *p; p = *end ? end + 1 : end) {
        end = ir_line_end(p);
        if (ir_match(p, end, "define")) {
            end = function_write(&e, &out, p);
            if (*end)
                end--;
        } else if (ir_match(p, end, "declare void @__cudaRegisterManagedVar")) {
            str_append(&out, "declare void @__cudaRegisterManagedVar(ptr, ptr, ptr, ptr, i32, i64, i32, i32)\n");
        } else if (*p == '@' && is_managed(p, end)) {
            variable_write(&out, p, end);
        } else if (*p == '@' && is_initialised(&e, p, end)) {
            initialised_write(&e, &out, p, end, registers);
        } else {
            append_line(&out, p, end);
        }
    }
    map_free(&e.names);
    values_end(&e);
    str_free(&e.values);
    str_free(&e.fixes);
    str_free(&e.key);
    arena_fini(&e.arena);
    *size = out.len;
    return out.data;
}
