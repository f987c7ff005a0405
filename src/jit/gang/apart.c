// Accesses at a constant distance from lane to lane that are made by a function of the engine (jit/apart.h): a few instructions in place of two
// accesses under masks or the addresses of all lanes, on paths that are hardly ever taken and stand behind most accesses.
// The function keeps all registers, so that the hot path does not know of the call. Elements go through memory.
#include "jit/apart.h"
#include "jit/gang/access.h"
#include "jit/gang/batch.h"
#include "jit/ir.h"
#include <llvm-c/Core.h>
#include <stddef.h>
#include <string.h>

// What the functions read and write, as ir_set_memory takes it: what arguments point to, then all else.
enum { ARGUMENTS_BOTH_OTHERS_READ = 0x57, ARGUMENTS_READ_OTHERS_WRITTEN = 0xa9 };

static int64_t stride_of(const struct access *a)
{
    return (a->shape.offset[1] - a->shape.offset[0]) / (int64_t)a->size;
}

static bool is_regular(struct gang *g, const struct access *a)
{
    int64_t stride = stride_of(a);
    bool regular = a->shape.kind == SHAPE_AFFINE && !a->shape.split && stride == (int8_t)stride;
    for (unsigned l = 0; l < g->width && regular; l++)
        regular = a->shape.offset[l] - a->shape.offset[0] == (int64_t)a->size * stride * l;
    return regular;
}

static bool is_row(const struct shape_wrap *w, unsigned width)
{
    int64_t first = w->offset[0], step = width > 1 ? w->offset[1] - first : 0;
    bool row = first == (int8_t)first && step == (int8_t)step && w->scale == (uint8_t)w->scale;
    for (unsigned l = 0; l < width; l++)
        row &= w->offset[l] == first + l * step;
    return row;
}

bool apart_fits(struct gang *g, const struct access *a)
{
    return !g->v->arm && access_is_plain(g, a) && a->size <= APART_SIZE_MAX && is_regular(g, a) &&
           (a->shape.wrap.kind == WRAP_NONE || (a->shape.wrap.bits == 32 && is_row(&a->shape.wrap, g->width)));
}

static LLVMValueRef declare(struct gang *g, const char *name, LLVMTypeRef type, unsigned memory)
{
    LLVMValueRef f = LLVMGetNamedFunction(g->v->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(g->v->module, name, type);
    ir_add_attribute(f, "nounwind");
    ir_add_attribute(f, "cold");
    ir_set_memory(f, memory);
    bool old = LLVMGetEnumAttributeKindForName("captures", 8) == 0; // before LLVM 21
    ir_add_parameter_attribute(f, 0, old ? "nocapture" : "captures");
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->v->context, "no_caller_saved_registers", 25, "", 0));
    return f;
}

static LLVMValueRef buffer(struct gang *g, size_t offset)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->v->context);
    LLVMValueRef at = gang_i64(g, (int64_t)offset);
    if (!g->apart)
        g->apart = gang_alloca(g, LLVMArrayType2(byte, BATCH_MAX * apart_bytes(g->width)), 64);
    return offset ? LLVMBuildGEP2(g->b, byte, g->apart, &at, 1, "") : g->apart;
}

static void put(struct gang *g, LLVMValueRef x, size_t offset)
{
    LLVMSetAlignment(LLVMBuildStore(g->b, x, buffer(g, offset)), 1);
}

// What does not change from launch to launch.
static uint64_t fixed_word(struct gang *g, const struct access *a, unsigned more)
{
    const struct shape_wrap *w = &a->shape.wrap;
    struct apart fixed = {.width = (uint8_t)g->width, .size = (uint8_t)a->size, .is_signed = w->kind == WRAP_SEXT};
    fixed.more = (uint8_t)more;
    fixed.stride = (int8_t)stride_of(a);
    uint64_t word;
    if (w->kind != WRAP_NONE) {
        fixed.first = (int8_t)w->offset[0];
        fixed.step = (int8_t)(w->offset[1] - w->offset[0]);
        fixed.scale = (uint8_t)w->scale;
    }
    memcpy(&word, &fixed.width, sizeof word);
    return word;
}

static LLVMValueRef source_of(struct gang *g, const struct access *a)
{
    return a->shape.wrap.kind == WRAP_NONE ? NULL : gang_source(g, a->address, 0, &a->shape);
}

static void call(struct gang *g, unsigned place, bool store)
{
    struct vectoriser *v = g->v;
    LLVMValueRef argument = buffer(g, place * apart_bytes(g->width)), f;
    LLVMTypeRef type = LLVMFunctionType(v->void_type, &v->ptr, 1, 0);
    if (store)
        f = declare(g, "heddle_apart_store", type, ARGUMENTS_READ_OTHERS_WRITTEN);
    else
        f = declare(g, "heddle_apart_load", type, ARGUMENTS_BOTH_OTHERS_READ);
    LLVMSetMetadata(LLVMBuildCall2(g->b, type, f, &argument, 1, ""), v->noalias_kind, v->frame_scope);
}

LLVMValueRef apart_place(struct gang *g, unsigned i)
{
    return buffer(g, i * apart_bytes(g->width) + offsetof(struct apart, lanes));
}

// Those from here on that differ in their addresses alone.
static unsigned count_alike(struct gang *g, const struct apart_access *x, unsigned n)
{
    unsigned k = 1;
    uint64_t word = fixed_word(g, x->access, 0);
    while (k < n && fixed_word(g, x[k].access, 0) == word && source_of(g, x[k].access) == source_of(g, x->access))
        k++;
    return k;
}

void apart_call(struct gang *g, const struct apart_access *x, unsigned n, bool store)
{
    LLVMValueRef mask = x->access->mask, active = mask ? gang_ballot(g, mask) : gang_i32(g, -1);
    for (unsigned i = 0, k; i < n; i += k) {
        size_t at = i * apart_bytes(g->width);
        k = count_alike(g, x + i, n - i);
        put(g, active, at + offsetof(struct apart, active));
        put(g, gang_i64(g, (int64_t)fixed_word(g, x[i].access, k - 1)), at + offsetof(struct apart, width));
        if (source_of(g, x[i].access))
            put(g, source_of(g, x[i].access), at + offsetof(struct apart, source));
        for (unsigned e = i; e < i + k; e++, at += apart_bytes(g->width)) {
            LLVMValueRef p = gang_lane_pointer(g, x[e].access->address, 0);
            put(g, gang_step(g, p, x[e].step), at + offsetof(struct apart, address));
        }
        call(g, i, store);
    }
}

static bool all_fit(struct gang *g, const struct apart_access *x, unsigned n)
{
    bool fit = true;
    for (unsigned i = 0; i < n && fit; i++)
        fit = apart_fits(g, x[i].access);
    return fit;
}

// Those that are alike next to each other; the numbers they had.
static void sort(struct gang *g, const struct apart_access *x, unsigned n, struct apart_access *out, unsigned *number)
{
    for (unsigned i = 0, k = 0; i < n; i++)
        for (unsigned e = i; e < n; e++) {
            bool done = false;
            for (unsigned j = 0; j < k; j++)
                done |= number[j] == e;
            struct apart_access two[2] = {x[i], x[e]};
            if (done || (e > i && count_alike(g, two, 2) == 1))
                continue;
            out[k] = x[e];
            number[k++] = e;
        }
}

bool apart_load(struct gang *g, struct apart_access *x, unsigned n)
{
    struct apart_access sorted[BATCH_MAX] = {0};
    unsigned number[BATCH_MAX] = {0};
    if (!all_fit(g, x, n))
        return false;
    sort(g, x, n, sorted, number);
    apart_call(g, sorted, n, false);
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef t = LLVMVectorType(sorted[i].access->type, g->width);
        x[number[i]].value = LLVMBuildLoad2(g->b, t, apart_place(g, i), "");
        LLVMSetAlignment(x[number[i]].value, 64);
    }
    return true;
}

bool apart_store(struct gang *g, const struct apart_access *x, unsigned n)
{
    if (!all_fit(g, x, n))
        return false;
    for (unsigned i = 0; i < n; i++)
        LLVMSetAlignment(LLVMBuildStore(g->b, x[i].value, apart_place(g, i)), 64);
    apart_call(g, x, n, true);
    return true;
}
