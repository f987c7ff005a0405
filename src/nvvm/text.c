// SPDX-License-Identifier: Apache-2.0
// NVVM IR is LLVM's of long ago, with a few functions of its own. LLVM upgrades old modules itself, but for these:
//
//  1. Pointers with a type of what they point to: `i32*`, `float addrspace(3)*`, `void (i32)*`. Every operation names the
//     type that it needs beside its pointer, so that each becomes `ptr`. A star stands in no other place of the language
//     but in texts, names and comments.
//  2. Functions that only NVVM has: shfl.sync, vote.sync and match.all.sync take what is to be done as a number and give a
//     pair. Their names become those of functions which are appended and made of LLVM's own.
//  3. The layout of data and the triple, which are the target's business.
//  4. -ftz: an attribute of every function, and a flag of the module for the mathematics library. -fma: a flag of each
//     sum and product, so that the library's own stay as they are.
//  5. Functions and inline assembly may hold what threads do together: they are marked `convergent`, as NVVM takes them,
//     and LLVM takes the mark from those that do not.
//  6. Debug information that is not asked for.
#include "nvvm/text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_NODE "!1900000001" // of the module's metadata; compilers count from 0

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.$-", c));
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (is_word(p[n]))
        n++;
    return n;
}

static const char *skip_string(const char *p)
{
    const char *end = strchr(p + 1, '"');
    return end ? end + 1 : p + strlen(p);
}

static const char *skip_space(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n");
        if (*p != ';')
            return p;
        p += strcspn(p, "\n");
    }
}

// ---- types
static const char *type_read(const char *p, struct str *out);

// Types between brackets, up to the closing one, with commas: what stands behind it, NULL: something else is there.
static const char *list_read(const char *p, const char *close, struct str *out)
{
    p = skip_space(p);
    for (bool first = true; strncmp(p, close, strlen(close)); first = false) {
        if (!first && *p != ',')
            return NULL;
        p = skip_space(first ? p : p + 1);
        if (!first)
            str_append(out, ", ");
        if (!strncmp(p, "...", 3)) {
            str_append(out, "...");
            p += 3;
        } else if (!(p = type_read(p, out))) {
            return NULL;
        }
        p = skip_space(p);
    }
    str_append(out, close);
    return p + strlen(close);
}

// [4 x i32] and <4 x float>, behind the bracket
static const char *array_read(const char *p, const char *close, struct str *out)
{
    p = skip_space(p);
    size_t digits = strspn(p, "0123456789");
    const char *x = skip_space(p + digits);
    if (!digits || *x != 'x' || is_word(x[1]))
        return NULL;
    str_printf(out, "%.*s x ", (int)digits, p);
    p = type_read(skip_space(x + 1), out);
    p = p ? skip_space(p) : NULL;
    if (!p || *p != *close)
        return NULL;
    str_append(out, close);
    return p + 1;
}

static const char *base_read(const char *p, struct str *out)
{
    static const char *const words[] = {"void", "half",  "float",    "double", "bfloat",  "fp128",
                                        "ptr",  "label", "metadata", "token",  "x86_fp80"};
    const char *open = *p == '<' && p[1] == '{' ? "<{" : *p == '{' ? "{" : *p == '<' ? "<" : *p == '[' ? "[" : NULL;
    if (open) {
        str_append(out, open);
        p += strlen(open);
        return *open == '['   ? array_read(p, "]", out)
               : open[1]      ? list_read(p, "}>", out)
               : *open == '{' ? list_read(p, "}", out)
                              : array_read(p, ">", out);
    }
    if (*p == '%') {
        const char *end = p[1] == '"' ? skip_string(p + 1) : p + 1 + word_length(p + 1);
        str_append_n(out, p, (size_t)(end - p));
        return end;
    }
    size_t n = word_length(p);
    bool known = n > 1 && *p == 'i' && strspn(p + 1, "0123456789") == n - 1;
    if (!known && !str_is_any(p, n, words, sizeof words / sizeof words[0]))
        return NULL;
    str_append_n(out, p, n);
    return p + n;
}

// The text of "addrspace(3)" at p with what is behind it, NULL: there is none.
static const char *space_read(const char *p, const char **end)
{
    *end = p;
    if (strncmp(p, "addrspace", 9))
        return NULL;
    const char *q = p + strcspn(p, ")");
    *end = *q ? q + 1 : q;
    return p;
}

// A type at p: what stands behind it, NULL: there is none, and out may have a part of it.
static const char *type_read(const char *p, struct str *out)
{
    size_t start = out->len;
    const char *end = base_read(p, out);
    while (end) {
        const char *q = skip_space(end), *behind, *space = space_read(q, &behind);
        if (*q == '(') { // of a function: only a pointer to it, or a list of types, is one
            size_t before = out->len;
            str_append(out, " (");
            const char *close = list_read(q + 1, ")", out);
            if (!close) {
                out->len = before;
                return end;
            }
            end = close;
        } else if (*q == '*' || (space && *skip_space(behind) == '*')) {
            out->len = start;
            str_append(out, "ptr");
            if (space)
                str_printf(out, " %.*s", (int)(behind - space), space);
            end = skip_space(space ? behind : q) + 1;
        } else {
            break;
        }
    }
    return end;
}

// ---- functions of NVVM's own
static const struct own {
    const char *name, *ours, *body;
} owns[] = {
    {"llvm.nvvm.shfl.sync.i32", "__nvvm_shfl_sync",
     "define internal {i32, i1} @__nvvm_shfl_sync(i32 %m, i32 %k, i32 %a, i32 %b, i32 %c) alwaysinline convergent {\n"
     "  switch i32 %k, label %bfly [ i32 0, label %idx i32 1, label %up i32 2, label %down ]\n"
     "idx:\n"
     "  %r0 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 %m, i32 %a, i32 %b, i32 %c)\n"
     "  ret {i32, i1} %r0\n"
     "up:\n"
     "  %r1 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 %m, i32 %a, i32 %b, i32 %c)\n"
     "  ret {i32, i1} %r1\n"
     "down:\n"
     "  %r2 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 %m, i32 %a, i32 %b, i32 %c)\n"
     "  ret {i32, i1} %r2\n"
     "bfly:\n"
     "  %r3 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 %m, i32 %a, i32 %b, i32 %c)\n"
     "  ret {i32, i1} %r3\n"
     "}\n"
     "declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)\n"
     "declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)\n"
     "declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)\n"
     "declare {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)\n"},
    {"llvm.nvvm.vote.sync", "__nvvm_vote_sync",
     "define internal {i32, i1} @__nvvm_vote_sync(i32 %m, i32 %k, i1 %p) alwaysinline convergent {\n"
     "  switch i32 %k, label %ballot [ i32 0, label %all i32 1, label %any i32 2, label %uni ]\n"
     "all:\n"
     "  %v0 = call i1 @llvm.nvvm.vote.all.sync(i32 %m, i1 %p)\n"
     "  br label %end\n"
     "any:\n"
     "  %v1 = call i1 @llvm.nvvm.vote.any.sync(i32 %m, i1 %p)\n"
     "  br label %end\n"
     "uni:\n"
     "  %v2 = call i1 @llvm.nvvm.vote.uni.sync(i32 %m, i1 %p)\n"
     "  br label %end\n"
     "ballot:\n"
     "  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 %m, i1 %p)\n"
     "  br label %end\n"
     "end:\n"
     "  %i = phi i32 [ 0, %all ], [ 0, %any ], [ 0, %uni ], [ %b, %ballot ]\n"
     "  %o = phi i1 [ %v0, %all ], [ %v1, %any ], [ %v2, %uni ], [ false, %ballot ]\n"
     "  %r0 = insertvalue {i32, i1} undef, i32 %i, 0\n"
     "  %r1 = insertvalue {i32, i1} %r0, i1 %o, 1\n"
     "  ret {i32, i1} %r1\n"
     "}\n"
     "declare i1 @llvm.nvvm.vote.all.sync(i32, i1)\n"
     "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)\n"
     "declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)\n"
     "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"},
    {"llvm.nvvm.match.all.sync.i32", "__nvvm_match_all_sync_i32",
     "define internal {i32, i1} @__nvvm_match_all_sync_i32(i32 %m, i32 %v) alwaysinline convergent {\n"
     "  %r = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 %m, i32 %v)\n"
     "  ret {i32, i1} %r\n"
     "}\n"
     "declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)\n"},
    {"llvm.nvvm.match.all.sync.i64", "__nvvm_match_all_sync_i64",
     "define internal {i32, i1} @__nvvm_match_all_sync_i64(i32 %m, i64 %v) alwaysinline convergent {\n"
     "  %r = call {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32 %m, i64 %v)\n"
     "  ret {i32, i1} %r\n"
     "}\n"
     "declare {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32, i64)\n"},
};
enum { OWN_COUNT = sizeof owns / sizeof owns[0] };

// The function of NVVM's that "@name" or "@\"name\"" at p is, and what stands behind it.
static const struct own *own_find(const char *p, const char **end)
{
    const char *name = p[1] == '"' ? p + 2 : p + 1;
    size_t n = p[1] == '"' ? strcspn(name, "\"") : word_length(name);
    *end = name + n + (p[1] == '"' && name[n]);
    for (size_t i = 0; i < OWN_COUNT; i++)
        if (str_is(name, n, owns[i].name))
            return &owns[i];
    return NULL;
}

// ---- the module
struct pass {
    struct str *out;
    const struct ir_options *options;
    bool used[OWN_COUNT];
    // What gets attributes behind its closing bracket: the parameters of a function, the arguments of inline assembly.
    enum { NOTHING, DECLARATION, DEFINITION, ASSEMBLY } open;
    int depth;
};

static bool line_begins(const char *text, const char *p)
{
    return p == text || p[-1] == '\n';
}

// Behind the closing bracket at p: the attributes.
static const char *attributes_add(struct pass *w, const char *p)
{
    const char *q = skip_space(p);
    size_t n = word_length(q);
    if (str_is(q, n, "unnamed_addr") || str_is(q, n, "local_unnamed_addr")) {
        str_printf(w->out, " %.*s", (int)n, q);
        p = q + n;
    }
    str_append(w->out, " convergent");
    if (w->open == DEFINITION && w->options->ftz)
        str_append(w->out, " \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"");
    str_append(w->out, " ");
    return p;
}

static const char *word_copy(struct pass *w, const char *text, const char *p)
{
    size_t n = word_length(p);
    const struct ir_options *o = w->options;
    if (str_is(p, n, "target") && line_begins(text, p))
        return p + strcspn(p, "\n");
    w->depth = w->open ? w->depth : 0;
    if (str_is(p, n, "define") && line_begins(text, p))
        w->open = DEFINITION;
    if (str_is(p, n, "asm"))
        w->open = ASSEMBLY;
    if (str_is(p, n, "declare") && line_begins(text, p)) {
        const char *at = p + strcspn(p, "@\n"), *end;
        if (*at == '@' && own_find(at, &end)) { // defined below
            w->used[own_find(at, &end) - owns] = true;
            return p + strcspn(p, "\n");
        }
        if (strncmp(at, "@llvm.", 6) && strncmp(at, "@\"llvm.", 7))
            w->open = DECLARATION;
    }
    if (!o->debug && (str_is(p, n, "FullDebug") || str_is(p, n, "LineTablesOnly"))) {
        str_append(w->out, o->line_info ? "DebugDirectivesOnly" : "NoDebug");
        return p + n;
    }
    size_t start = w->out->len;
    const char *end = type_read(p, w->out);
    if (end)
        return end;
    w->out->len = start;
    str_append_n(w->out, p, n);
    if (o->fma && (str_is(p, n, "fadd") || str_is(p, n, "fsub") || str_is(p, n, "fmul")) && p[n] == ' ' &&
        *skip_space(p + n) != '(')
        str_append(w->out, " contract");
    return p + n;
}

static const char *step(struct pass *w, const char *text, const char *p)
{
    const char *end = p + 1;
    size_t start = w->out->len;
    if (*p == '"') {
        end = skip_string(p);
    } else if (*p == ';') {
        end = p + strcspn(p, "\n");
    } else if (*p == '@') {
        const struct own *own = own_find(p, &end);
        if (own) {
            str_printf(w->out, "@%s", own->ours);
            return end;
        }
    } else if (*p == '!' && is_word(p[1])) { // metadata: !dbg, !42, !DILocation
        end = p + 1 + word_length(p + 1);
    } else if (*p && strchr("%{<[", *p)) {
        const char *behind = type_read(p, w->out);
        if (behind)
            return behind;
        w->out->len = start;
    } else if (is_word(*p)) {
        return word_copy(w, text, p);
    }
    str_append_n(w->out, p, (size_t)(end - p));
    if (w->open && (*p == '(' || *p == ')')) {
        w->depth += *p == '(' ? 1 : -1;
        if (!w->depth) {
            end = attributes_add(w, end);
            w->open = NOTHING;
        }
    }
    return end;
}

static bool declares(const char *text, const char *name, size_t n)
{
    for (const char *p = text; (p = strchr(p, '@')); p++) {
        const char *q = p[1] == '"' ? p + 2 : p + 1;
        if (!strncmp(q, name, n) && !is_word(q[n]))
            return true;
    }
    return false;
}

// Without the declarations that the module has already.
static void body_append(struct str *out, const char *text, const char *body)
{
    for (const char *next; *body; body = next) {
        size_t n = strcspn(body, "\n");
        const char *name = body + strcspn(body, "@") + 1;
        next = body + n + 1;
        if (strncmp(body, "declare ", 8) || !declares(text, name, word_length(name)))
            str_append_n(out, body, n + 1);
    }
}

void ir_upgrade(struct str *out, const char *text, const struct ir_options *o)
{
    struct pass w = {.out = out, .options = o};
    for (const char *p = text; *p;)
        p = step(&w, text, p);
    str_append(out, "\n");
    for (size_t i = 0; i < OWN_COUNT; i++)
        if (w.used[i])
            body_append(out, text, owns[i].body);
    if (o->ftz)
        str_append(out,
                   "!llvm.module.flags = !{" FLAG_NODE "}\n" FLAG_NODE " = !{i32 4, !\"nvvm-reflect-ftz\", i32 1}\n");
}

void ir_version(const char *text, unsigned *major, unsigned *minor)
{
    const char *p = strstr(text, "\n!nvvmir.version");
    unsigned node, a, b;
    char head[32];
    *major = 1;
    *minor = 0;
    if (!p || sscanf(p + 16, " = ! { !%u", &node) != 1)
        return;
    snprintf(head, sizeof head, "\n!%u =", node);
    p = strstr(text, head);
    if (p && sscanf(p + strlen(head), " ! { i32 %u , i32 %u", &a, &b) == 2) {
        *major = a;
        *minor = b;
    }
}
