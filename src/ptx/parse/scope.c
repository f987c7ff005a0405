// SPDX-License-Identifier: Apache-2.0
// Names and their scopes. Registers come into being when they are first used, so that %r<4000000000> costs nothing and
// ptx_func.regs holds the used ones only.
#include "ptx/parse/parse.h"
#include <string.h>

// Prefixes of ranges are names of their own kind: %r<9> does not clash with %r. Their hashes differ by this much.
#define RANGE_SALT 0x9e3779b9u

void ptx_scope_open(struct ptx_parser *p)
{
    struct ptx_scope *s = arena_new(&p->m->arena, struct ptx_scope);
    s->parent = p->scope;
    s->first_ref = p->refs.len;
    p->scope = s;
}

bool ptx_reference_add(struct ptx_parser *p, const struct ptx_token *name, struct ptx_operand *o)
{
    struct ptx_ref r = {.name = name->text, .len = name->len, .loc = name->loc, .open = true};
    *o = (struct ptx_operand){
        .kind = PTX_OPERAND_LABEL, .component = -1, .label = (uint32_t)p->refs.len, .loc = name->loc};
    vec_push(&p->refs, r);
    return true;
}

static struct ptx_symbol *find_in(const struct ptx_scope *s, const char *name, uint32_t len, uint32_t hash)
{
    if (!s->cap)
        return NULL;
    for (uint32_t i = hash & (s->cap - 1); s->table[i]; i = (i + 1) & (s->cap - 1)) {
        struct ptx_symbol *y = s->table[i];
        if (y->hash == hash && y->len == len && !memcmp(y->name, name, len))
            return y;
    }
    return NULL;
}

// References that this scope answers are closed; at the end of the function none may be open.
bool ptx_scope_close(struct ptx_parser *p)
{
    struct ptx_scope *s = p->scope;
    bool ok = true;
    for (size_t i = s->first_ref; i < p->refs.len; i++) {
        struct ptx_ref *r = &p->refs.data[i];
        if (!r->open)
            continue;
        struct ptx_symbol *y = find_in(s, r->name, r->len, ptx_hash(r->name, r->len));
        if (y && (y->kind == PTX_SYMBOL_LABEL || y->kind == PTX_SYMBOL_TARGETS || y->kind == PTX_SYMBOL_CALLTARGETS ||
                  y->kind == PTX_SYMBOL_PROTO)) {
            r->symbol = y;
            r->open = false;
        } else if (s->parent == p->module_scope) {
            ok = ptx_parse_error(p, r->loc, "unknown label '%.*s'", (int)r->len, r->name);
            r->open = false;
        }
    }
    p->scope = s->parent;
    free(s->table);
    s->table = NULL;
    s->cap = 0;
    return ok;
}

struct ptx_symbol *ptx_scope_find_range(const struct ptx_parser *p, const struct ptx_token *prefix)
{
    return find_in(p->scope, prefix->text, prefix->len, ptx_hash(prefix->text, prefix->len) ^ RANGE_SALT);
}

struct ptx_symbol *ptx_scope_find_here(const struct ptx_parser *p, const struct ptx_token *name)
{
    return find_in(p->scope, name->text, name->len, ptx_hash(name->text, name->len));
}

struct ptx_symbol *ptx_scope_find(const struct ptx_parser *p, const struct ptx_token *name)
{
    uint32_t hash = ptx_hash(name->text, name->len);
    for (const struct ptx_scope *s = p->scope; s; s = s->parent) {
        struct ptx_symbol *y = find_in(s, name->text, name->len, hash);
        if (y)
            return y;
    }
    return NULL;
}

static struct ptx_symbol *add_to(struct ptx_parser *p, struct ptx_scope *s, const char *name, uint32_t len,
                                 uint32_t salt)
{
    if (s->len * 2 >= s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 32;
        struct ptx_symbol **table = xcalloc(cap, sizeof *table);
        for (uint32_t i = 0; i < s->cap; i++) {
            if (!s->table[i])
                continue;
            uint32_t h = s->table[i]->hash & (cap - 1);
            while (table[h])
                h = (h + 1) & (cap - 1);
            table[h] = s->table[i];
        }
        free(s->table);
        s->table = table;
        s->cap = cap;
    }
    struct ptx_symbol *y = arena_new(&p->m->arena, struct ptx_symbol);
    y->name = name;
    y->len = len;
    y->hash = ptx_hash(name, len) ^ salt;
    uint32_t h = y->hash & (s->cap - 1);
    while (s->table[h])
        h = (h + 1) & (s->cap - 1);
    s->table[h] = y;
    s->len++;
    return y;
}

struct ptx_symbol *ptx_scope_add(struct ptx_parser *p, const struct ptx_token *name, enum ptx_symbol_kind kind)
{
    bool range = kind == PTX_SYMBOL_REG_RANGE;
    struct ptx_symbol *y = add_to(p, p->scope, name->text, name->len, range ? RANGE_SALT : 0);
    y->kind = kind;
    p->scope->has_ranges |= range;
    return y;
}

static uint32_t reg_new(struct ptx_parser *p, const struct ptx_symbol *y, int32_t number)
{
    struct ptx_reg r = {
        .type = y->type, .width = y->width, .name = arena_strndup(&p->m->arena, y->name, y->len), .number = number};
    vec_push(&p->regs, r);
    return (uint32_t)p->regs.len - 1;
}

// The number at the end of a name, and the length of what stands before; false where it has none or a leading zero.
static bool split_number(const struct ptx_token *name, uint32_t *prefix, uint64_t *number)
{
    uint32_t n = name->len;
    while (n > 1 && name->text[n - 1] >= '0' && name->text[n - 1] <= '9')
        n--;
    uint32_t digits = name->len - n;
    if (!digits || digits > 9 || (digits > 1 && name->text[n] == '0'))
        return false;
    *number = 0;
    for (uint32_t i = n; i < name->len; i++)
        *number = *number * 10 + (uint64_t)(name->text[i] - '0');
    *prefix = n;
    return true;
}

bool ptx_scope_reg(struct ptx_parser *p, const struct ptx_token *name, uint32_t *reg)
{
    uint32_t hash = ptx_hash(name->text, name->len), prefix = 0, prefix_hash = 0;
    uint64_t number = 0;
    bool numbered = split_number(name, &prefix, &number);
    if (numbered)
        prefix_hash = ptx_hash(name->text, prefix) ^ RANGE_SALT;
    for (struct ptx_scope *s = p->scope; s; s = s->parent) {
        struct ptx_symbol *y = find_in(s, name->text, name->len, hash);
        if (y && y->kind == PTX_SYMBOL_REG_LATE) {
            y->index = reg_new(p, y, -1);
            y->kind = PTX_SYMBOL_REG;
        }
        if (y) {
            *reg = y->index;
            return y->kind == PTX_SYMBOL_REG;
        }
        if (!numbered || !s->has_ranges)
            continue;
        y = find_in(s, name->text, prefix, prefix_hash);
        if (y && number < y->count) {
            uint32_t index = reg_new(p, y, (int32_t)number);
            struct ptx_symbol *made = add_to(p, s, name->text, name->len, 0);
            made->kind = PTX_SYMBOL_REG;
            made->index = index;
            *reg = index;
            return true;
        }
    }
    return false;
}
