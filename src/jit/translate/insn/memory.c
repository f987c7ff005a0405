// SPDX-License-Identifier: Apache-2.0
// "Data Movement and Conversion Instructions" of the PTX manual, the part that moves data: mov, ld, st, cvta, prefetch,
// and cp.async, which here copies at once.
#include "jit/translate/emit.h"

enum { MAX_VECTOR = 8 };

// A scalar parameter of a call is an alloca of its own type; loads and stores in that type let mem2reg remove it.
static LLVMTypeRef access_type(struct translator *t, value p, enum ptx_type ty)
{
    LLVMTypeRef want = tr_type_of(t, ty);
    if (!LLVMIsAAllocaInst(p))
        return want;
    LLVMTypeRef own = LLVMGetAllocatedType(p);
    if (LLVMGetTypeKind(own) == LLVMArrayTypeKind)
        return want;
    unsigned bits = own == t->f32 ? 32 : own == t->f64 ? 64 : LLVMGetIntTypeWidth(own);
    return bits == tr_type_bits(ty) ? own : want;
}

static unsigned element_align(const struct ptx_insn *in, unsigned i)
{
    unsigned size = ptx_type_bytes(in->types[0]), align = size * (in->vec ? in->vec : 1), at = i * size;
    if (align > 16)
        align = 16;
    while (at % align)
        align /= 2;
    return align;
}

// "Memory Consistency Model": volatile and mmio stay volatile; relaxed and stronger accesses are atomic. Volatile ones
// of 128 bits are atomic too, or LLVM makes two of them. A load past the caches (cv: fetch again; cg: from the cache that
// all blocks share) is volatile too: loops wait by it for what other blocks store, and no GPU takes it out of them.
static void set_order(struct translator *t, value access, unsigned bits, bool is_load)
{
    const struct ptx_insn *in = t->in;
    unsigned sem = MOD_OF(in, SEM);
    unsigned cache = MOD_OF(in, CACHE);
    bool anew = is_load && (cache == PTX_MOD_CV || (cache == PTX_MOD_CG && !MOD_OF(in, NC)));
    bool is_volatile = sem == PTX_MOD_VOLATILE || sem == PTX_MOD_MMIO || anew;
    LLVMSetVolatile(access, is_volatile);
    tr_mark_scope(t, access);
    if (sem == PTX_MOD_RELAXED || (is_volatile && bits > 64))
        LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    if (sem == PTX_MOD_ACQUIRE || sem == PTX_MOD_RELEASE)
        LLVMSetOrdering(access, is_load ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingRelease);
}

static value element_pointer(struct translator *t, const struct ptx_insn *in, value p, unsigned i)
{
    return tr_step(t, p, (int64_t)i * ptx_type_bytes(in->types[0]));
}

// Whether a vector is one access, not one for each element. Differs from PTX, which promises nothing of the elements
// together: no GPU takes an aligned vector apart, and programs hand over a value and its flag that way.
static bool is_whole(const struct ptx_insn *in, unsigned n)
{
    unsigned sem = MOD_OF(in, SEM);
    return n > 1 && sem && sem != PTX_MOD_WEAK && n * ptx_type_bytes(in->types[0]) <= 16 &&
           (in->space == PTX_SPACE_GLOBAL || in->space == PTX_SPACE_GENERIC);
}

static bool load_whole(struct translator *t, const struct ptx_insn *in, value p)
{
    enum ptx_type ty = in->types[0];
    const struct ptx_operand *to = &in->operands[0];
    unsigned n = to->nlist, bits = tr_type_bits(ty);
    LLVMTypeRef type = tr_type_int(t, n * bits);
    value v = ir_load(t->b, type, p, n * bits / 8);
    set_order(t, v, n * bits, true);
    for (unsigned i = 0; i < n; i++)
        tr_put(t, &to->list[i], tr_split(t, v, i, bits, tr_type_of(t, ty)), ty);
    return true;
}

static bool store_whole(struct translator *t, const struct ptx_insn *in, value p)
{
    enum ptx_type ty = in->types[0];
    const struct ptx_operand *from = &in->operands[1];
    unsigned n = from->nlist, bits = tr_type_bits(ty);
    value v[MAX_VECTOR];
    for (unsigned i = 0; i < n; i++)
        v[i] = tr_get(t, &from->list[i], ty);
    set_order(t, ir_store(t->b, tr_join(t, v, n, bits), p, n * bits / 8), n * bits, false);
    return true;
}

// ld, ldu. A vector is loaded element by element, all before the first register changes.
bool tr_emit_ld(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    const struct ptx_operand *to = &in->operands[0];
    unsigned n = tr_elements(to);
    value p = tr_address(t, &in->operands[1], in->space), v[MAX_VECTOR];
    if (n > MAX_VECTOR)
        return tr_fail(t, "vector of %u elements", n);
    tr_check_align(t, &in->operands[1], in->space, p, n * ptx_type_bytes(ty));
    tr_count_access(t, in, COUNT_ACCESS, p);
    if (is_whole(in, n))
        return load_whole(t, in, p);
    bool args = LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_CONST;
    for (unsigned i = 0; i < n; i++) {
        value q = element_pointer(t, in, p, i);
        v[i] = ir_load(t->b, access_type(t, q, ty), q, element_align(in, i));
        set_order(t, v[i], tr_type_bits(ty), true);
        if (args || MOD_OF(in, NC))
            ir_mark_invariant(v[i]);
        v[i] = tr_bits_cast(t, v[i], tr_type_of(t, ty));
    }
    for (unsigned i = 0; i < n; i++)
        tr_put(t, tr_element(to, i), v[i], ty);
    return true;
}

bool tr_emit_st(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    const struct ptx_operand *from = &in->operands[1];
    value p = tr_address(t, &in->operands[0], in->space);
    tr_check_align(t, &in->operands[0], in->space, p, tr_elements(from) * ptx_type_bytes(ty));
    tr_count_access(t, in, COUNT_ACCESS, p);
    if (is_whole(in, tr_elements(from)))
        return store_whole(t, in, p);
    for (unsigned i = 0; i < tr_elements(from); i++) {
        value q = element_pointer(t, in, p, i);
        value v = tr_get(t, tr_element(from, i), ty);
        value s = ir_store(t->b, tr_bits_cast(t, v, access_type(t, q, ty)), q, element_align(in, i));
        set_order(t, s, tr_type_bits(ty), false);
    }
    if (MOD_OF(in, ASYNC) && in->noperands > 2) // st.async: stored at once, then the bytes are reported
        tr_mbarrier_complete(t, tr_address(t, &in->operands[2], in->space),
                             tr_const_i32(t, tr_elements(from) * ptx_type_bytes(ty)));
    return true;
}

static enum ptx_type bits_type(unsigned bits)
{
    static const enum ptx_type of[] = {[1] = PTX_TYPE_B8, [2] = PTX_TYPE_B16, [4] = PTX_TYPE_B32, [8] = PTX_TYPE_B64};
    return bits < 128 ? of[bits / 8] : PTX_TYPE_B128;
}

static bool mov_pack(struct translator *t, const struct ptx_insn *in)
{
    const struct ptx_operand *from = &in->operands[1];
    unsigned total = tr_type_bits(in->types[0]), bits = total / from->nlist;
    value v[MAX_VECTOR];
    if (from->nlist > MAX_VECTOR)
        return tr_fail(t, "vector of %u elements", from->nlist);
    for (unsigned i = 0; i < from->nlist; i++)
        v[i] = tr_get(t, &from->list[i], bits_type(bits));
    return tr_put(t, &in->operands[0], tr_join(t, v, from->nlist, bits), bits_type(total));
}

static bool mov_unpack(struct translator *t, const struct ptx_insn *in)
{
    const struct ptx_operand *to = &in->operands[0];
    unsigned total = tr_type_bits(in->types[0]), bits = total / to->nlist;
    value v = tr_get(t, &in->operands[1], bits_type(total));
    for (unsigned i = 0; i < to->nlist; i++)
        tr_put(t, &to->list[i], tr_split(t, v, i, bits, tr_type_int(t, bits)), bits_type(bits));
    return true;
}

// Register vectors and whole special registers: %tid to a .v4 register.
static bool mov_vector(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value v[MAX_VECTOR];
    for (unsigned i = 0; i < in->vec; i++) {
        struct ptx_operand o = in->operands[1];
        if (o.kind == PTX_OPERAND_SREG) {
            o.sreg = (enum ptx_sreg)(o.sreg + 1 + i);
            v[i] = tr_get(t, &o, ty);
        } else {
            o.component = (int8_t)i;
            v[i] = tr_get(t, o.kind == PTX_OPERAND_VECTOR ? &o.list[i] : &o, ty);
        }
    }
    for (unsigned i = 0; i < in->vec; i++) {
        struct ptx_operand o = in->operands[0];
        o.component = (int8_t)i;
        tr_put(t, o.kind == PTX_OPERAND_VECTOR ? &o.list[i] : &o, v[i], ty);
    }
    return true;
}

bool tr_emit_mov(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    if (in->vec > 1)
        return mov_vector(t, in);
    if (in->operands[1].kind == PTX_OPERAND_VECTOR)
        return mov_pack(t, in);
    if (in->operands[0].kind == PTX_OPERAND_VECTOR)
        return mov_unpack(t, in);
    value v = ty == PTX_TYPE_PRED ? tr_get_pred(t, &in->operands[1]) : tr_get(t, &in->operands[1], ty);
    return tr_put(t, &in->operands[0], v, ty);
}

static value shared_base(struct translator *t)
{
    return LLVMBuildPtrToInt(t->b, tr_shared_base(t), t->i64, "");
}

// cvta: only shared addresses differ from generic ones.
bool tr_emit_cvta(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    const struct ptx_operand *from = &in->operands[1];
    value a = from->kind == PTX_OPERAND_ADDRESS ? LLVMBuildAdd(t->b, tr_get(t, &from->list[0], ty),
                                                               tr_const_int(tr_type_of(t, ty), (uint64_t)from->i), "")
                                                : tr_get(t, from, ty);
    if (ptx_space_is_shared(in->space))
        a = MOD_OF(in, TO) ? LLVMBuildSub(t->b, a, shared_base(t), "") : LLVMBuildAdd(t->b, a, shared_base(t), "");
    return tr_put(t, &in->operands[0], a, ty);
}

static value in_window(struct translator *t, value a, value base, value size)
{
    return LLVMBuildICmp(t->b, LLVMIntULT, LLVMBuildSub(t->b, a, base, ""), size, "");
}

static value is_shared(struct translator *t, value a)
{
    value size = tr_op(t, OP_TOTAL_SMEM_SIZE, NULL, 0);
    return in_window(t, a, LLVMBuildPtrToInt(t->b, tr_shared_own(t), t->i64, ""),
                     LLVMBuildZExt(t->b, size, t->i64, ""));
}

static value is_cluster(struct translator *t, value a)
{
    return t->reach->cluster ? in_window(t, a, shared_base(t), tr_cluster_bytes(t)) : is_shared(t, a);
}

static value is_local(struct translator *t, value a)
{
    value w = tr_hook(t, t->i32, "isspacep_local", &a, 1);
    return LLVMBuildICmp(t->b, LLVMIntNE, w, tr_const_i32(t, 0), "");
}

static value is_const(struct translator *t, value a)
{
    value p = tr_const_int(t->i1, 0);
    for (uint32_t i = 0; i < t->m->nvars; i++) {
        const struct ptx_var *v = t->m->vars[i];
        if (v->space == PTX_SPACE_CONST)
            p = LLVMBuildOr(t->b, p, in_window(t, a, tr_var_address(t, v, 0), tr_const_i64(t, v->size)), "");
    }
    return p;
}

// isspacep. Differs from PTX: .global is what is neither shared nor local nor constant.
value tr_value_isspacep(struct translator *t, const struct ptx_insn *in, value *a)
{
    value p;
    switch (in->space) {
    case PTX_SPACE_SHARED:
        return is_shared(t, a[0]);
    case PTX_SPACE_SHARED_CLUSTER:
        return is_cluster(t, a[0]);
    case PTX_SPACE_LOCAL:
        return is_local(t, a[0]);
    case PTX_SPACE_GLOBAL:
        p = LLVMBuildOr(t->b, is_const(t, a[0]), LLVMBuildOr(t->b, is_cluster(t, a[0]), is_local(t, a[0]), ""), "");
        return LLVMBuildNot(t->b, p, "");
    case PTX_SPACE_CONST:
        return is_const(t, a[0]);
    default: // .param
        p = LLVMBuildPtrToInt(t->b, tr_op(t, OP_ARGS, NULL, 0), t->i64, "");
        return in_window(t, a[0], p, tr_const_i64(t, t->reach->funcs.data[0].f->param_bytes));
    }
}

// prefetch, prefetchu, discard, applypriority, pmevent, setmaxnreg, griddepcontrol: hints, without effect here.
bool tr_emit_nothing(struct translator *t, const struct ptx_insn *in)
{
    (void)t, (void)in;
    return true;
}

value tr_value_createpolicy(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in, (void)a;
    return tr_const_i64(t, 0);
}

static void copy_chunks(struct translator *t, value to, value from, uint64_t size)
{
    LLVMTypeRef type = size >= 8 ? t->i64 : t->i32;
    uint64_t step = size >= 8 ? 8 : 4;
    value v[2];
    unsigned n = 0;
    for (uint64_t at = 0; at < size; at += step)
        v[n++] = LLVMBuildLoad2(t->b, type, tr_step(t, from, (int64_t)at), "");
    for (unsigned i = 0; i < n; i++)
        LLVMBuildStore(t->b, v[i], tr_step(t, to, (int64_t)(i * step)));
}

static bool cp_async(struct translator *t, const struct ptx_insn *in)
{
    value to = tr_address(t, &in->operands[0], PTX_SPACE_SHARED),
          from = tr_address(t, &in->operands[1], PTX_SPACE_GLOBAL);
    uint64_t size = (uint64_t)in->operands[2].i;
    if (size != 4 && size != 8 && size != 16)
        return tr_fail(t, "cp-size must be 4, 8 or 16");
    tr_check_align(t, &in->operands[0], PTX_SPACE_SHARED, to, (unsigned)size);
    tr_check_align(t, &in->operands[1], PTX_SPACE_GLOBAL, from, (unsigned)size);
    tr_count_access(t, in, COUNT_ACCESS, from);
    tr_count_access(t, in, COUNT_TARGET, to);
    tr_tell_object(t, COPY_BEGIN, NULL, NULL);
    unsigned extra = in->noperands - 3 - (MOD_OF(in, CACHE_HINT) ? 1 : 0);
    if (!extra) {
        copy_chunks(t, to, from, size);
        tr_tell_object(t, COPY_END, NULL, NULL);
        return true;
    }
    // The last bytes, beyond src-size or all where ignore-src holds, become zero.
    const struct ptx_operand *o = &in->operands[3];
    value used;
    if (tr_operand_type(t, o) == PTX_TYPE_PRED)
        used = LLVMBuildSelect(t->b, tr_get_pred(t, o), tr_const_i32(t, 0), tr_const_i32(t, (uint32_t)size), "");
    else
        used = tr_get(t, o, PTX_TYPE_U32);
    value args[4] = {LLVMBuildAddrSpaceCast(t->b, to, t->ptr, ""), LLVMBuildAddrSpaceCast(t->b, from, t->ptr, ""),
                     tr_const_i32(t, (uint32_t)size), used};
    tr_call_lib(t, t->void_type, args, 4, "heddle_copy_fill");
    tr_tell_object(t, COPY_END, NULL, NULL);
    return true;
}

// cp.async: the copy is made at once, so that committing and waiting have nothing to do.
bool tr_emit_cp(struct translator *t, const struct ptx_insn *in)
{
    if (MOD_OF(in, TENSOR))
        return tr_copy_tensor(t, in);
    if (MOD_OF(in, BULK))
        return MOD_OF(in, ACTION) == PTX_MOD_REDUCE ? tr_reduce_bulk(t, in) : tr_copy_bulk(t, in);
    if (MOD_OF(in, MBARRIER))
        return tr_copy_arrive(t, in);
    return MOD_OF(in, ACTION) ? tr_tell_groups(t, COPY_COMMIT, COPY_WAIT) : cp_async(t, in);
}
