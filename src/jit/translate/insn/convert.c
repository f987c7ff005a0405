// SPDX-License-Identifier: Apache-2.0
// cvt and cvt.pack: "Data Movement and Conversion Instructions: cvt" of the PTX manual.
#include "jit/translate/emit.h"

static bool is_small_float(enum ptx_type ty)
{
    return ty == PTX_TYPE_F16 || ty == PTX_TYPE_BF16;
}

static bool is_integer(enum ptx_type ty)
{
    enum ptx_type_class c = ptx_type_class(ty);
    return (c == PTX_CLASS_SIGNED || c == PTX_CLASS_UNSIGNED || c == PTX_CLASS_BITS) && tr_type_bits(ty) >= 8;
}

static bool is_integer_round(unsigned round)
{
    return round == PTX_MOD_RNI || round == PTX_MOD_RZI || round == PTX_MOD_RMI || round == PTX_MOD_RPI;
}

static uint64_t max_of(enum ptx_type ty)
{
    unsigned bits = tr_type_bits(ty) - (tr_type_is_signed(ty) ? 1 : 0);
    return bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
}

// Integer to integer; .sat clamps to the destination's range, in the source's type.
static value int_to_int(struct translator *t, const struct ptx_insn *in, enum ptx_type to, enum ptx_type from, value v)
{
    LLVMTypeRef type = tr_type_of(t, from);
    bool s = tr_type_is_signed(from);
    if (MOD_OF(in, SAT)) {
        if (s && !tr_type_is_signed(to))
            v = tr_intrinsic(t, "llvm.smax", type, v, tr_const_int(type, 0));
        else if (s && tr_type_bits(to) < tr_type_bits(from))
            v = tr_intrinsic(t, "llvm.smax", type, v, LLVMConstInt(type, ~max_of(to), true));
        if (max_of(to) < max_of(from))
            v = tr_intrinsic(t, s ? "llvm.smin" : "llvm.umin", type, v, tr_const_int(type, max_of(to)));
    }
    return tr_bits_resize(t, v, tr_type_of(t, to), s);
}

static value round_integral(struct translator *t, unsigned round, value v)
{
    const char *name = round == PTX_MOD_RZI   ? "llvm.trunc"
                       : round == PTX_MOD_RMI ? "llvm.floor"
                       : round == PTX_MOD_RPI ? "llvm.ceil"
                                              : "llvm.roundeven";
    return tr_intrinsic(t, name, LLVMTypeOf(v), v);
}

// Float to integer clamps. A NaN gives 0, but 2^(bits-1) when one of the two types has 64 bits.
static value float_to_int(struct translator *t, const struct ptx_insn *in, enum ptx_type to, enum ptx_type from,
                          value v)
{
    LLVMTypeRef overloads[2] = {tr_type_of(t, to), LLVMTypeOf(v)};
    unsigned round = MOD_OF(in, ROUND);
    value x = round == PTX_MOD_RZI ? v : round_integral(t, round, v);
    value d = tr_call_intrinsic(t, tr_type_is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat", overloads, 2, &x, 1);
    if (from != PTX_TYPE_F64 && tr_type_bits(to) != 64)
        return d;
    value nan = LLVMBuildFCmp(t->b, LLVMRealUNO, v, v, "");
    return LLVMBuildSelect(t->b, nan, tr_const_int(overloads[0], 1ull << (tr_type_bits(to) - 1)), d, "");
}

// What .sat leaves of an integer that becomes a float: 0 or 1.
static value zero_or_one(struct translator *t, value v, bool is_signed)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (is_signed)
        v = tr_intrinsic(t, "llvm.smax", type, v, tr_const_int(type, 0));
    return tr_intrinsic(t, "llvm.umin", type, v, tr_const_int(type, 1));
}

// Integer to float. Directed rounding, and halves (which must not be rounded twice), go through builtins on 64 bits.
static value int_to_float(struct translator *t, const struct ptx_insn *in, enum ptx_type to, enum ptx_type from,
                          value v)
{
    const char *round = tr_directed(in);
    bool s = tr_type_is_signed(from), exact = tr_type_bits(from) < (to == PTX_TYPE_F64   ? 64
                                                                    : to == PTX_TYPE_F32 ? 32
                                                                                         : 0);
    if (MOD_OF(in, SAT))
        v = zero_or_one(t, v, s);
    if (!is_small_float(to) && (!round || exact))
        return s ? LLVMBuildSIToFP(t->b, v, tr_type_of(t, to), "") : LLVMBuildUIToFP(t->b, v, tr_type_of(t, to), "");
    value wide = tr_bits_resize(t, v, t->i64, s);
    return tr_call_lib(t, tr_type_of(t, to), &wide, 1, "heddle_%s%s%s_from_%s64", ptx_type_name(to), round ? "_" : "",
                       round ? round : "", s ? "s" : "u");
}

// To nearest, as cvt does it: every NaN of an f32 becomes 0x7fff, as on GPUs. (Arithmetic leaves the host's NaN, since
// this would slow it down.) A float is blended with fewer instructions than a half.
static value nearest_half(struct translator *t, enum ptx_type to, value v)
{
    value nan = tr_bits_cast(t, tr_const_i32(t, 0x7fffffff), t->f32);
    if (to == PTX_TYPE_F16)
        v = LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, LLVMRealUNO, v, v, ""), nan, v, "");
    return tr_half_put(t, v, to);
}

// A NaN of an f64 keeps the first bits of its fraction.
static value keep_nan(struct translator *t, enum ptx_type to, value v, value d)
{
    value cut = to == PTX_TYPE_F16 ? tr_half_put(t, v, to) : tr_part(t, tr_bits_cast(t, v, t->i32), 16, t->i16);
    return LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, LLVMRealUNO, v, v, ""), cut, d, "");
}

// f32 or f64 to a half in the asked rounding, as bits.
static value to_half(struct translator *t, const struct ptx_insn *in, enum ptx_type to, value v)
{
    const char *round = tr_directed(in);
    bool satfinite = MOD_OF(in, SAT) == PTX_MOD_SATFINITE, wide = LLVMTypeOf(v) == t->f64;
    if (wide)
        v = tr_call_lib(t, t->f32, &v, 1, "heddle_f32_odd_from_f64");
    if (MOD_OF(in, RELU))
        v = tr_relu(t, v);
    value d = round ? tr_call_lib(t, t->i16, &v, 1, "heddle_%s_%s_from_f32", ptx_type_name(to), round)
                    : nearest_half(t, to, v);
    if (wide)
        d = keep_nan(t, to, v, d);
    return satfinite ? tr_call_lib(t, t->i16, &d, 1, "heddle_finite_%s", ptx_type_name(to)) : d;
}

static value float_to_float(struct translator *t, const struct ptx_insn *in, enum ptx_type to, enum ptx_type from,
                            value v)
{
    unsigned round = MOD_OF(in, ROUND);
    if (is_integer_round(round))
        v = round_integral(t, round, v);
    if (MOD_OF(in, SAT) == PTX_MOD_SAT)
        v = tr_saturate(t, v);
    if (is_small_float(to))
        return to_half(t, in, to, v);
    if (to == PTX_TYPE_F64)
        return LLVMTypeOf(v) == t->f64 ? v : LLVMBuildFPExt(t->b, v, t->f64, "");
    if (from != PTX_TYPE_F64)
        return v;
    const char *d = tr_directed(in);
    return d ? tr_call_lib(t, t->f32, &v, 1, "heddle_f32_%s_from_f64", d) : LLVMBuildFPTrunc(t->b, v, t->f32, "");
}

// Two values into a pair of narrow ones: the first goes to the high part.
static bool cvt_pair(struct translator *t, const struct ptx_insn *in, enum ptx_type to, enum ptx_type from)
{
    enum ptx_type part = to == PTX_TYPE_F16X2 ? PTX_TYPE_F16 : PTX_TYPE_BF16;
    value v[2];
    for (unsigned i = 2; i-- > 0;)
        v[i] = to_half(t, in, part, tr_get(t, &in->operands[2 - i], from));
    return tr_put(t, &in->operands[0], tr_join(t, v, 2, 16), PTX_TYPE_B32);
}

// The formats of a byte and less, of which PTX converts pairs; NULL: another type.
static const char *narrow_format(enum ptx_type ty)
{
#define PAIR(type, name) [PTX_TYPE_##type] = name
    static const char *const of[PTX_TYPE_COUNT] = {PAIR(E4M3X2, "e4m3"), PAIR(E5M2X2, "e5m2"), PAIR(E2M3X2, "e2m3"),
                                                   PAIR(E3M2X2, "e3m2"), PAIR(E2M1X2, "e2m1"), PAIR(UE8M0X2, "ue8m0")};
    return of[ty];
}

// The function that rounds an f32 to such a format. All but powers of two are to nearest, and finite.
static value round_narrow(struct translator *t, const struct ptx_insn *in, const char *format, value v)
{
    if (in->types[0] != PTX_TYPE_UE8M0X2)
        return tr_call_lib(t, t->i8, &v, 1, "heddle_%s_from_f32", format);
    return tr_call_lib(t, t->i8, &v, 1, "heddle_%s_%s%s_from_f32", format, tr_directed(in),
                       MOD_OF(in, SAT) ? "_finite" : "");
}

// From two f32 and from a pair of halves. e2m1x2 are the halves of one byte.
static bool cvt_to_narrow(struct translator *t, const struct ptx_insn *in, enum ptx_type to, const char *format,
                          enum ptx_type from)
{
    unsigned bits = tr_type_bits(to) / 2;
    value part[2];
    for (unsigned i = 0; i < 2; i++) {
        value v = tr_get(t, &in->operands[from == PTX_TYPE_F32 ? 2 - i : 1], from);
        if (from != PTX_TYPE_F32)
            v = tr_half_get(t, tr_part(t, v, 16 * i, t->i16), from == PTX_TYPE_F16X2 ? PTX_TYPE_F16 : PTX_TYPE_BF16);
        if (MOD_OF(in, RELU))
            v = tr_relu(t, v);
        part[i] = round_narrow(t, in, format, v);
        if (bits < 8)
            part[i] = tr_part(t, part[i], 0, tr_type_int(t, bits));
    }
    return tr_put(t, &in->operands[0], tr_join(t, part, 2, bits), bits == 8 ? PTX_TYPE_B16 : PTX_TYPE_B8);
}

// To f16x2 and, of ue8m0, to bf16x2: always exact. e2m1x2 are the halves of one byte.
static bool cvt_from_narrow(struct translator *t, const struct ptx_insn *in, enum ptx_type to, const char *format,
                            enum ptx_type from)
{
    unsigned bits = tr_type_bits(from) / 2;
    value pair = tr_get(t, &in->operands[1], bits == 8 ? PTX_TYPE_B16 : PTX_TYPE_B8), part[2];
    for (unsigned i = 0; i < 2; i++) {
        value b = tr_part(t, pair, bits * i, t->i8), v = tr_call_lib(t, t->f32, &b, 1, "heddle_f32_from_%s", format);
        if (MOD_OF(in, RELU))
            v = tr_relu(t, v);
        part[i] = nearest_half(t, to == PTX_TYPE_F16X2 ? PTX_TYPE_F16 : PTX_TYPE_BF16, v);
    }
    return tr_put(t, &in->operands[0], tr_join(t, part, 2, 16), PTX_TYPE_B32);
}

static bool cvt_tf32(struct translator *t, const struct ptx_insn *in)
{
    value v = tr_get(t, &in->operands[1], PTX_TYPE_F32);
    unsigned round = MOD_OF(in, ROUND) ? MOD_OF(in, ROUND) : PTX_MOD_RN;
    if (MOD_OF(in, RELU))
        v = tr_relu(t, v);
    return tr_put(t, &in->operands[0], tr_call_lib(t, t->i32, &v, 1, "heddle_tf32_%s", ptx_mod_name(round)),
                  PTX_TYPE_B32);
}

// cvt.pack.sat: two values clamped and packed; of c the low part moves up. Types: result, source, type of c.
static bool cvt_pack(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type to = in->types[0], from = in->types[1];
    unsigned bits = tr_type_bits(to) ? tr_type_bits(to) : to == PTX_TYPE_U4 || to == PTX_TYPE_S4 ? 4 : 2;
    bool s = ptx_type_class(to) == PTX_CLASS_SIGNED;
    uint64_t top = (1ull << (bits - (s ? 1 : 0))) - 1;
    value d = tr_const_i32(t, 0);
    if (in->noperands > 3)
        d = LLVMBuildShl(t->b, tr_get(t, &in->operands[3], PTX_TYPE_B32), tr_const_i32(t, bits * 2), "");
    for (unsigned i = 0; i < 2; i++) {
        value v = tr_get(t, &in->operands[2 - i], from);
        v = tr_intrinsic(t, "llvm.smax", t->i32, v, tr_const_i32(t, s ? (uint32_t)~top : 0));
        v = tr_intrinsic(t, "llvm.smin", t->i32, v, tr_const_i32(t, (uint32_t)top));
        v = LLVMBuildAnd(t->b, v, tr_const_i32(t, (uint32_t)((1ull << bits) - 1)), "");
        d = LLVMBuildOr(t->b, d, LLVMBuildShl(t->b, v, tr_const_i32(t, i * bits), ""), "");
    }
    return tr_put(t, &in->operands[0], d, PTX_TYPE_B32);
}

bool tr_emit_cvt(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type to = in->types[0], from = in->types[1];
    if (MOD_OF(in, PACK))
        return cvt_pack(t, in);
    if (narrow_format(from))
        return cvt_from_narrow(t, in, to, narrow_format(from), from);
    if (narrow_format(to))
        return cvt_to_narrow(t, in, to, narrow_format(to), from);
    if (ptx_type_is_half_pair(to))
        return cvt_pair(t, in, to, from);
    if (to == PTX_TYPE_TF32)
        return cvt_tf32(t, in);
    value v = tr_get(t, &in->operands[1], from), d;
    if (is_small_float(from))
        v = tr_half_get(t, v, from);
    else if (from == PTX_TYPE_F32 && MOD_OF(in, FTZ) == PTX_MOD_FTZ)
        v = tr_call_lib(t, t->f32, &v, 1, "heddle_ftz_f32");
    if (is_integer(from))
        d = is_integer(to) ? int_to_int(t, in, to, from, v) : int_to_float(t, in, to, from, v);
    else
        d = is_integer(to) ? float_to_int(t, in, to, from, v) : float_to_float(t, in, to, from, v);
    if (to == PTX_TYPE_F32 && MOD_OF(in, FTZ) == PTX_MOD_FTZ && (from == PTX_TYPE_F64 || from == PTX_TYPE_BF16))
        d = tr_call_lib(t, t->f32, &d, 1, "heddle_ftz_f32");
    return tr_put(t, &in->operands[0], d, to);
}
