// SPDX-License-Identifier: Apache-2.0
// Accesses at a constant distance from lane to lane that are made by a function of the engine (jit/abi/wrapped.h): a few instructions in place of two
// accesses under masks or the addresses of all lanes, on paths that are hardly ever taken and stand behind most accesses.
// The function keeps all registers, so that the hot path does not know of the call. Elements go through memory.
#include "jit/abi/wrapped.h"
#include "jit/gang/memory/access.h"
#include <string.h>

// What the functions read and write, as ir_set_memory takes it: what arguments point to, then all else.
enum { ARGUMENTS_BOTH_OTHERS_READ = 0x57, ARGUMENTS_READ_OTHERS_WRITTEN = 0xa9 };

static int64_t stride_of(const struct access *a)
{
    return (a->shape.offset[1] - a->shape.offset[0]) / (int64_t)a->size;
}

static bool is_regular(struct gang *g, const struct access *a)
{
    int64_t step, stride = stride_of(a);
    return shape_step(g->lanes, &a->shape, &step) && step == stride * (int64_t)a->size && stride == (int8_t)stride;
}

static bool is_row(const struct lanes *n, const struct shape_wrap *w)
{
    int64_t first = w->offset[0], step;
    return shape_offsets_step(n, w->offset, &step) && first == (int8_t)first && step == (int8_t)step &&
           w->scale == (uint8_t)w->scale;
}

bool outlined_fits(struct gang *g, const struct access *a)
{
    return !g->v->arm && access_is_plain(g, a) && a->size <= OUTLINED_SIZE_MAX && is_regular(g, a) &&
           (a->shape.wrap.kind == WRAP_NONE || (a->shape.wrap.bits == 32 && is_row(g->lanes, &a->shape.wrap)));
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
    ir_add_parameter_attribute(f, 0, ir_no_capture(), 0);
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->v->context, "no_caller_saved_registers", 25, "", 0));
    return f;
}

static LLVMValueRef buffer(struct gang *g, size_t offset)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->v->context);
    LLVMValueRef at = gang_i64(g, (int64_t)offset);
    if (!g->outlined)
        g->outlined = gang_alloca(g, LLVMArrayType2(byte, sizeof(struct outlined) + g->width * OUTLINED_SIZE_MAX), 64);
    return offset ? LLVMBuildGEP2(g->b, byte, g->outlined, &at, 1, "") : g->outlined;
}

static void put(struct gang *g, LLVMValueRef x, size_t offset)
{
    ir_store(g->b, x, buffer(g, offset), 1);
}

// What does not change from launch to launch.
static uint64_t fixed_word(struct gang *g, const struct access *a)
{
    const struct shape_wrap *w = &a->shape.wrap;
    struct outlined fixed = {.width = (uint8_t)g->width, .size = (uint8_t)a->size, .is_signed = w->kind == WRAP_SEXT};
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

LLVMValueRef outlined_buffer(struct gang *g)
{
    return buffer(g, offsetof(struct outlined, lanes));
}

void outlined_call(struct gang *g, const struct outlined_access *x, const struct outlined_access *before, bool store)
{
    struct vectoriser *v = g->v;
    const struct access *a = x->access;
    if (a->shape.wrap.kind != WRAP_NONE)
        put(g, gang_source(g, a->address, 0, &a->shape), offsetof(struct outlined, source));
    put(g, gang_step(g, gang_lane_pointer(g, a->address, 0), x->step), offsetof(struct outlined, address));
    if (!before)
        put(g, a->mask ? gang_ballot(g, a->mask) : gang_i32(g, -1), offsetof(struct outlined, active));
    if (!before || fixed_word(g, before->access) != fixed_word(g, a))
        put(g, gang_i64(g, (int64_t)fixed_word(g, a)), offsetof(struct outlined, width));
    LLVMTypeRef type = LLVMFunctionType(v->void_type, &v->ptr, 1, 0);
    LLVMValueRef argument = buffer(g, 0);
    LLVMValueRef f = declare(g, store ? "heddle_outlined_store" : "heddle_outlined_load", type,
                             store ? ARGUMENTS_READ_OTHERS_WRITTEN : ARGUMENTS_BOTH_OTHERS_READ);
    LLVMSetMetadata(LLVMBuildCall2(g->b, type, f, &argument, 1, ""), v->noalias_kind, v->frame_scope);
}

bool outlined_make(struct gang *g, struct outlined_access *x, unsigned n, bool store)
{
    for (unsigned i = 0; i < n; i++)
        if (!outlined_fits(g, x[i].access))
            return false;
    for (unsigned i = 0; i < n; i++) {
        if (store)
            ir_store(g->b, x[i].value, outlined_buffer(g), 64);
        outlined_call(g, &x[i], i ? &x[i - 1] : NULL, store);
        if (!store)
            x[i].value = ir_load(g->b, gang_lanes(g, x[i].access->type), outlined_buffer(g), 64);
    }
    return true;
}
