// SPDX-License-Identifier: Apache-2.0
// An access a lane in place of a gather or a scatter, as one operation for every four lanes: the instructions of the processor, written
// out. As instructions of LLVM these are twenty, each of which goes through its optimiser, instruction selection and scheduling to become
// what stands here: a sparse product took twice the time to compile. Nothing is lost by it, since addresses come out of a vector, and values
// come out of one or go into one.
//
// Conditions: the access is neither volatile nor atomic, every lane may make it at its address, and elements have 4 or 8 bytes. Lanes are stored
// in their order. LLVM's optimiser is told whether it reads or writes; its code generator takes it for both and keeps it where it is.
#include "jit/gang/memory/access.h"
#include "jit/host/target.h"
#include "base/str.h"
#include <stdio.h>

enum { EACH = LANE_ACCESSES, VECTOR = 16 }; // lanes of one operation; bytes

// How elements of 4 and of 8 bytes, floats and integers, go into the first lane of a register, into others, and out of them; what the number
// of a lane is multiplied by where the instruction names it, 0: it does not.
static const struct form {
    const char *load, *load_next, *store, *store_next;
    unsigned load_lane, store_lane;
} forms[2][2] = {
    {{"vmovss", "vinsertps", "vmovss", "vextractps", 16, 1}, {"vmovsd", "vmovhps", "vmovsd", "vmovhps", 0, 0}},
    {{"vmovd", "vpinsrd", "vmovd", "vpextrd", 1, 1}, {"vmovq", "vpinsrq", "vmovq", "vpextrq", 1, 1}},
};

// Operands: what is loaded; two numbers in between, where the addresses come out of vectors; what is stored; what addresses are made of.
struct writer {
    const struct form *form;
    struct str text;
    bool store;
    unsigned registers; // that values take
    unsigned between, value, first;
};

static void write_lane(struct writer *w, unsigned lane, const char *address)
{
    unsigned each = EACH / w->registers, r = w->value + lane / each, at = lane % each;
    const struct form *f = w->form;
    unsigned number = at * (w->store ? f->store_lane : f->load_lane);
    str_printf(&w->text, "%s ", w->store ? at ? f->store_next : f->store : at ? f->load_next : f->load);
    if (number)
        str_printf(&w->text, "$$%u, ", number);
    if (w->store)
        str_printf(&w->text, "$%u, %s\n", r, address);
    else
        str_printf(&w->text, at ? "%s, $%u, $%u\n" : "%s, $%u\n", address, r, r);
}

// Two indices of 32 bits leave their vector at once.
static void write_indexed(struct writer *w, unsigned scale)
{
    unsigned t = w->between, u = t + 1, base = w->first, index = base + 1;
    char low[32], high[32];
    snprintf(low, sizeof low, "($%u,$%u,%u)", base, u, scale);
    snprintf(high, sizeof high, "($%u,$%u,%u)", base, t, scale);
    for (unsigned pair = 0; pair < EACH / 2; pair++) {
        str_printf(&w->text, pair ? "vpextrq $$1, $%u, $%u\n" : "vmovq $%u, $%u\n", index, t);
        str_printf(&w->text, "movslq ${%u:k}, $%u\n", t, u);
        write_lane(w, 2 * pair, low);
        str_printf(&w->text, "sarq $$32, $%u\n", t);
        write_lane(w, 2 * pair + 1, high);
    }
}

// Of two vectors with two pointers each.
static void write_pointers(struct writer *w)
{
    unsigned t = w->between, u = t + 1;
    char low[16], high[16];
    snprintf(low, sizeof low, "($%u)", t);
    snprintf(high, sizeof high, "($%u)", u);
    for (unsigned pair = 0; pair < EACH / 2; pair++) {
        str_printf(&w->text, "vmovq $%u, $%u\nvpextrq $$1, $%u, $%u\n", w->first + pair, t, w->first + pair, u);
        write_lane(w, 2 * pair, low);
        write_lane(w, 2 * pair + 1, high);
    }
}

static void write_strided(struct writer *w, const int64_t *offset)
{
    char address[32];
    for (unsigned l = 0; l < EACH; l++) {
        snprintf(address, sizeof address, "%d($%u)", (int)offset[l], w->first);
        write_lane(w, l, address);
    }
}

bool lane_access_fits(struct gang *g, const struct access *a)
{
    return target_writes_lanes() && g->width >= EACH && access_is_simple(a->inst) && (a->size == 4 || a->size == 8);
}

// Elements that lie at constant distances, no two of which meet or are neighbours: of others LLVM may make one access.
bool lane_access_strided(struct gang *g, const struct access *a)
{
    const int64_t *o = a->shape.offset, size = (int64_t)a->size;
    if (!access_is_exact(a) || a->shape.split || !lane_access_fits(g, a))
        return false;
    for (unsigned l = 0; l < g->width; l++) {
        if (o[l] != (int32_t)o[l])
            return false;
        for (unsigned m = 0; m < l; m++)
            if (o[l] - o[m] <= size && o[m] - o[l] <= size)
                return false;
    }
    return true;
}

struct operands {
    struct str names;
    LLVMTypeRef out[4], in[4];
    LLVMValueRef value[4];
    unsigned nout, nin;
};

static void add_out(struct operands *o, const char *name, LLVMTypeRef t)
{
    str_printf(&o->names, "=&%s,", name);
    o->out[o->nout++] = t;
}

static void add_in(struct operands *o, const char *name, LLVMValueRef x)
{
    str_printf(&o->names, "%s,", name);
    o->in[o->nin] = LLVMTypeOf(x);
    o->value[o->nin++] = x;
}

static LLVMValueRef build(struct gang *g, const struct access *a, struct operands *o, const struct writer *w,
                          unsigned memory)
{
    LLVMTypeRef r = o->nout == 0   ? g->v->void_type
                    : o->nout == 1 ? o->out[0]
                                   : LLVMStructTypeInContext(g->v->context, o->out, o->nout, 0);
    LLVMTypeRef type = LLVMFunctionType(r, o->in, o->nin, 0);
    str_append(&o->names, "~{memory},~{flags}");
    LLVMValueRef text = LLVMGetInlineAsm(type, (char *)str_text(&w->text), w->text.len, (char *)str_text(&o->names),
                                         o->names.len, 0, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef x = LLVMBuildCall2(g->b, type, text, o->value, o->nin, "");
    access_mark(g, a, x);
    ir_call_accesses(x, memory);
    return x;
}

// Lanes first ... first + EACH - 1 of what is stored; returns what is loaded (stored NULL).
static LLVMValueRef access_four(struct gang *g, const struct access *a, const struct lane_addresses *p,
                                LLVMValueRef stored, unsigned first)
{
    struct operands o = {.nout = 0};
    unsigned n = EACH * (unsigned)a->size / VECTOR, each = EACH / n, memory = stored ? MEMORY_WRITE : MEMORY_READ;
    struct writer w = {.form = &forms[!type_is_float(a->type)][a->size == 8], .store = stored, .registers = n};
    LLVMValueRef part[EACH];
    for (unsigned i = 0; i < n && !stored; i++)
        add_out(&o, "x", LLVMVectorType(a->type, each));
    w.between = o.nout;
    for (unsigned i = 0; i < 2 && p->lanes; i++)
        add_out(&o, "r", g->v->i64);
    w.value = stored ? o.nout : 0;
    for (unsigned i = 0; i < n && stored; i++)
        add_in(&o, "x", gang_slice(g, stored, first + i * each, each));
    w.first = o.nout + o.nin;
    if (p->base) {
        add_in(&o, "r", p->base);
        memory &= MEMORY_ARGUMENTS;
    }
    if (p->base && p->lanes)
        add_in(&o, "x", gang_slice(g, p->lanes, first, EACH));
    for (unsigned i = 0; i < 2 && !p->base; i++)
        add_in(&o, "x", gang_slice(g, p->lanes, first + i * EACH / 2, EACH / 2));
    if (!p->lanes)
        write_strided(&w, p->offset + first);
    else if (p->base)
        write_indexed(&w, p->scale);
    else
        write_pointers(&w);
    LLVMValueRef x = build(g, a, &o, &w, memory);
    for (unsigned i = 0; i < n && !stored; i++)
        part[i] = o.nout == 1 ? x : LLVMBuildExtractValue(g->b, x, i, "");
    str_free(&w.text);
    str_free(&o.names);
    return stored ? NULL : gang_concat(g, part, n);
}

LLVMValueRef lane_access_load(struct gang *g, const struct access *a, const struct lane_addresses *p, unsigned first,
                              unsigned n)
{
    LLVMValueRef part[GANG_MAX / EACH];
    for (unsigned k = 0; k < n / EACH; k++)
        part[k] = access_four(g, a, p, NULL, first + k * EACH);
    return gang_concat(g, part, n / EACH);
}

void lane_access_store(struct gang *g, const struct access *a, const struct lane_addresses *p, LLVMValueRef x)
{
    for (unsigned l = 0; l < g->width; l += EACH)
        access_four(g, a, p, x, l);
}
