// SPDX-License-Identifier: Apache-2.0
// Loads whose index is held within bounds: in[min(max(x + i, 0), n - 1)], as filters and stencils have it for the border of an image. What a
// bound does to a lane is not known, so the address varies, and a gather brings what lies side by side in all gangs but those at the border.
//
// The address is read once more, with every minimum and maximum of a value and a uniform bound taken for the value itself. That
// gives an affine form, base + offset[l], which is the address of every lane if
//  1. no bound changes any lane. With lo and hi the least and the greatest offset of the value: base + lo >= the bound of a maximum, base + hi
//     <= the bound of a minimum, in 64 bits, where sums of 32-bit numbers do not overflow. Where there is no bound on one side, the type's
//     own is taken: so no lane of the value has wrapped around, and the comparisons are of the lanes' very values;
//  2. no extension to 64 bits meets a lane that has wrapped around (gang_in_range, and gang_no_wrap of what is affine by itself).
// Both are tests of scalars. Where they hold, a vector load reads the bytes that the lanes would, no others; under a mask the processor's
// own masked load does, or it is not done. Where they do not hold, the access is made as any other of its kind. So nothing rests on
// how likely a border is, and nothing is read that was not.
#include "jit/gang/memory/access.h"
#include "jit/analysis/fold.h"
#include "jit/ir/remark.h"
#include <string.h>

enum { DEPTH = 10, BOUNDS_MAX = 4 };

// A value with its bounds taken away. base: only when code is emitted.
struct reading {
    LLVMValueRef base;
    int64_t offset[GANG_MAX];
};

struct reader {
    struct gang *g;
    bool emits;
    bool bounded;    // a bound was met
    LLVMValueRef ok; // of all tests
};

static bool read_value(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out);

static void require(struct reader *r, LLVMValueRef test)
{
    r->ok = gang_and(r->g, r->ok, test);
}

static void fit(const struct gang *g, struct reading *x, LLVMTypeRef t)
{
    for (unsigned l = 0; l < g->width; l++)
        x->offset[l] = fold_signed((uint64_t)x->offset[l], type_bits(t));
}

static bool read_affine(struct reader *r, LLVMValueRef x, const struct shape *s, struct reading *out)
{
    if (s->split)
        return false;
    memcpy(out->offset, s->offset, sizeof out->offset);
    if (r->emits) {
        out->base = gang_base(r->g, x, 0, s);
        require(r, gang_no_wrap(r->g, x));
    }
    return true;
}

// A minimum or maximum of integers, by LLVM's name for it.
static const struct bound_form {
    const char *name;
    bool is_signed, max;
} forms[] = {
    {"llvm.smax.", true, true}, {"llvm.smin.", true, false}, {"llvm.umax.", false, true}, {"llvm.umin.", false, false}};

static const struct bound_form *form_of(LLVMValueRef x)
{
    const char *name = LLVMIsACallInst(x) ? call_name(x) : "";
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strncmp(name, forms[i].name, strlen(forms[i].name)) && type_bits(LLVMTypeOf(x)) <= 32)
            return &forms[i];
    return NULL;
}

struct bounds {
    LLVMValueRef of[BOUNDS_MAX];
    bool max[BOUNDS_MAX];
    unsigned n;
};

// What the bounds are of: the operand of the innermost one that is not uniform. NULL: there are none, of one sign, with a uniform bound.
static LLVMValueRef read_bounds(struct gang *g, LLVMValueRef x, struct bounds *b, bool *is_signed)
{
    const struct bound_form *f;
    for (; (f = form_of(x)) != NULL && !gang_is_uniform(g, x) && b->n < BOUNDS_MAX; b->n++) {
        unsigned k = gang_is_uniform(g, LLVMGetOperand(x, 0)) ? 0 : 1;
        if (!gang_is_uniform(g, LLVMGetOperand(x, k)) || (b->n && f->is_signed != *is_signed))
            return NULL;
        *is_signed = f->is_signed;
        b->of[b->n] = LLVMGetOperand(x, k);
        b->max[b->n] = f->max;
        x = LLVMGetOperand(x, 1 - k);
    }
    return b->n ? x : NULL;
}

static LLVMValueRef widened(struct gang *g, LLVMValueRef x, bool is_signed)
{
    return is_signed ? LLVMBuildSExt(g->b, x, g->v->i64, "") : LLVMBuildZExt(g->b, x, g->v->i64, "");
}

static void require_bounds(struct reader *r, const struct reading *x, const struct bounds *b, bool is_signed)
{
    struct gang *g = r->g;
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x->base));
    int64_t lo, hi, least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    bool has[2] = {false, false};
    shape_range(g->lanes, x->offset, &lo, &hi);
    LLVMValueRef base = widened(g, x->base, is_signed), end[2] = {LLVMBuildAdd(g->b, base, gang_i64(g, hi), ""),
                                                                  LLVMBuildAdd(g->b, base, gang_i64(g, lo), "")};
    for (unsigned i = 0; i < b->n; i++) {
        LLVMValueRef bound = widened(g, gang_scalar(g, b->of[i]), is_signed);
        require(r, LLVMBuildICmp(g->b, b->max[i] ? LLVMIntSGE : LLVMIntSLE, end[b->max[i]], bound, "within"));
        has[b->max[i]] = true;
    }
    if (!has[0])
        require(r, LLVMBuildICmp(g->b, LLVMIntSLE, end[0], gang_i64(g, least + (INT64_C(1) << bits) - 1), ""));
    if (!has[1])
        require(r, LLVMBuildICmp(g->b, LLVMIntSGE, end[1], gang_i64(g, least), ""));
}

static bool read_clamped(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out)
{
    struct bounds b = {.n = 0};
    bool is_signed = false;
    LLVMValueRef of = read_bounds(r->g, x, &b, &is_signed);
    if (!of || !read_value(r, of, depth, out))
        return false;
    r->bounded = true;
    if (r->emits)
        require_bounds(r, out, &b, is_signed);
    return true;
}

static bool read_sum(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out)
{
    struct gang *g = r->g;
    struct reading b;
    bool less = ir_is_opcode(x, LLVMSub);
    if (!read_value(r, LLVMGetOperand(x, 0), depth, out) || !read_value(r, LLVMGetOperand(x, 1), depth, &b))
        return false;
    for (unsigned l = 0; l < g->width; l++)
        out->offset[l] = (int64_t)((uint64_t)out->offset[l] + (uint64_t)(less ? -b.offset[l] : b.offset[l]));
    if (r->emits)
        out->base = LLVMIsAGetElementPtrInst(x) ? gang_gep(g, out->base, b.base)
                    : less                      ? LLVMBuildSub(g->b, out->base, b.base, "")
                                                : LLVMBuildAdd(g->b, out->base, b.base, "");
    return true;
}

static bool read_product(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out)
{
    int64_t c;
    unsigned bits = type_bits(LLVMTypeOf(x));
    if (!value_constant(LLVMGetOperand(x, 1), &c) || !read_value(r, LLVMGetOperand(x, 0), depth, out))
        return false;
    if (ir_is_opcode(x, LLVMShl)) {
        if (c < 0 || c >= (int64_t)bits)
            return false;
        c = (int64_t)(UINT64_C(1) << c);
    }
    for (unsigned l = 0; l < r->g->width; l++)
        out->offset[l] = (int64_t)((uint64_t)out->offset[l] * (uint64_t)c);
    if (r->emits)
        out->base =
            LLVMBuildMul(r->g->b, out->base, gang_int(LLVMTypeOf(out->base), fold_signed((uint64_t)c, bits)), "");
    return true;
}

static bool read_extension(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out)
{
    struct gang *g = r->g;
    bool is_signed = ir_is_opcode(x, LLVMSExt);
    if (type_bits(LLVMTypeOf(x)) != 64 || type_bits(LLVMTypeOf(LLVMGetOperand(x, 0))) != 32 ||
        !read_value(r, LLVMGetOperand(x, 0), depth, out))
        return false;
    if (r->emits) {
        require(r, gang_in_range(g, out->base, out->offset, is_signed));
        out->base = widened(g, out->base, is_signed);
    }
    return true;
}

static bool read_any(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out)
{
    if (IR_IS(x, LLVMAdd, LLVMSub) || (ir_is_byte_gep(x) && type_bits(LLVMTypeOf(LLVMGetOperand(x, 1))) == 64))
        return read_sum(r, x, depth, out);
    if (IR_IS(x, LLVMMul, LLVMShl))
        return read_product(r, x, depth, out);
    if (IR_IS(x, LLVMSExt, LLVMZExt))
        return read_extension(r, x, depth, out);
    if (!ir_is_opcode(x, LLVMIntToPtr) || type_bits(LLVMTypeOf(LLVMGetOperand(x, 0))) != 64)
        return read_clamped(r, x, depth, out);
    if (!read_value(r, LLVMGetOperand(x, 0), depth, out))
        return false;
    if (r->emits)
        out->base = LLVMBuildIntToPtr(r->g->b, out->base, r->g->v->ptr, "");
    return true;
}

static bool read_value(struct reader *r, LLVMValueRef x, unsigned depth, struct reading *out)
{
    struct shape s = gang_shape(r->g, x);
    if (s.kind == SHAPE_AFFINE)
        return read_affine(r, x, &s, out);
    if (!depth || !LLVMIsAInstruction(x) || !read_any(r, x, depth - 1, out))
        return false;
    fit(r->g, out, LLVMTypeOf(x));
    return true;
}

LLVMValueRef clamped_begin(struct gang *g, const struct access *a, LLVMValueRef *pointer)
{
    struct reader r = {.g = g};
    struct reading x;
    int64_t step;
    if (g->width < 4 || a->shape.kind != SHAPE_VARYING || !access_is_simple(a->inst) || a->own || g->v->plan->lean ||
        (a->mask && !masked_fits(g, a)) || !read_value(&r, a->address, DEPTH, &x) || !r.bounded ||
        !shape_offsets_step(g->lanes, x.offset, &step) || step != (int64_t)a->size)
        return NULL;
    r.emits = true;
    read_value(&r, a->address, DEPTH, &x);
    *pointer = gang_step(g, x.base, x.offset[0]);
    remark(a->inst, "one vector where no lane's index is at its bounds");
    return LLVMBuildFreeze(g->b, r.ok, "");
}
