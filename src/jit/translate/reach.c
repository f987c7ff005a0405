// Walks the calls of a kernel once and sums up what both the compiler and cuFuncGetAttribute ask.
#include "jit/translate/reach.h"
#include "jit/translate/device_call.h"
#include <string.h>

static const struct ptx_func *resolve(const struct ptx_func *f)
{
    while (f->alias)
        f = f->alias;
    return f;
}

bool reach_has_code(const struct ptx_func *f)
{
    return f->has_body && device_call_find(f->name) < 0;
}

const struct reach_func *reach_find(const struct reach *r, const struct ptx_func *f)
{
    uintptr_t i = (uintptr_t)map_get_ptr(&r->func_at, resolve(f));
    return i ? &r->funcs.data[i - 1] : NULL;
}

static void add_func(struct reach *r, const struct ptx_func *f)
{
    f = resolve(f);
    if (f->is_entry && r->funcs.len)
        return; // another kernel, of which only the address is used
    if (!reach_has_code(f) || map_get_ptr(&r->func_at, f))
        return;
    struct reach_func rf = {.f = f};
    vec_push(&r->funcs, rf);
    map_put_ptr(&r->func_at, f, (void *)(uintptr_t)r->funcs.len);
}

static uint32_t align_up(uint32_t x, uint32_t a)
{
    return a > 1 ? (x + a - 1) / a * a : x;
}

static void add_var(struct reach *r, struct map *dynamic, const struct ptx_var *v)
{
    if ((v->space != PTX_SPACE_SHARED && v->space != PTX_SPACE_SHARED_CLUSTER) || map_get_ptr(&r->shared_at, v))
        return;
    if (v->unsized) {
        map_put_ptr(dynamic, v, (void *)v);
        return;
    }
    r->shared_static = align_up(r->shared_static, v->align);
    map_put_ptr(&r->shared_at, v, (void *)(uintptr_t)(r->shared_static + 1));
    r->shared_static += (uint32_t)v->size;
}

static void add_operand(struct reach *r, struct map *dynamic, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_VAR && o->var)
        add_var(r, dynamic, o->var);
    if (o->kind == PTX_OPERAND_FUNC && o->func)
        add_func(r, o->func);
    if (o->kind == PTX_OPERAND_SREG && o->sreg >= PTX_SREG_RESERVED_SMEM_OFFSET_BEGIN &&
        o->sreg <= PTX_SREG_RESERVED_SMEM_OFFSET_1 && r->reserved_at == UINT32_MAX) {
        r->reserved_at = align_up(r->shared_static, 128);
        r->shared_static = r->reserved_at + REACH_RESERVED_BYTES;
    }
    for (uint32_t i = 0; i < o->nlist; i++)
        add_operand(r, dynamic, &o->list[i]);
    if (o->pair)
        add_operand(r, dynamic, o->pair);
}

static bool is_shared(enum ptx_space s)
{
    return s == PTX_SPACE_SHARED || s == PTX_SPACE_SHARED_CLUSTER;
}

static bool cvt_needs_denormals(const struct ptx_insn *in)
{
    enum ptx_type to = in->types[0], from = in->types[1];
    unsigned round = in->mods[PTX_MODCAT_ROUND];
    if (to == PTX_TYPE_F64 || from == PTX_TYPE_F64 || to == PTX_TYPE_BF16 || from == PTX_TYPE_BF16 ||
        to == PTX_TYPE_BF16X2)
        return true;
    if (from != PTX_TYPE_F32 || in->mods[PTX_MODCAT_FTZ] == PTX_MOD_FTZ)
        return false;
    // A subnormal is 0 as a half, and as an integer but for rounding away from 0.
    return to == PTX_TYPE_F32 || round == PTX_MOD_RMI || round == PTX_MOD_RPI;
}

// Does the instruction speak against flush-to-zero as a mode of the whole kernel? Arithmetic in f64 and bf16 does, and
// any f32 operation without .ftz that computes with the value rather than moving its bits.
static bool needs_denormals(const struct ptx_insn *in)
{
    switch (in->op) {
    case PTX_OP_CVT:
        return cvt_needs_denormals(in);
    case PTX_OP_ATOM: // adds f32 with subnormals flushed in any case
    case PTX_OP_RED:
        return in->types[in->ntypes - 1] == PTX_TYPE_F64;
    case PTX_OP_MOV:
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_SELP:
    case PTX_OP_ABS:
    case PTX_OP_NEG:
    case PTX_OP_COPYSIGN:
    case PTX_OP_TESTP:
    case PTX_OP_TEX:
        return false;
    default:
        break;
    }
    for (unsigned i = 0; i < in->ntypes; i++) {
        switch (in->types[i]) {
        case PTX_TYPE_F64:
        case PTX_TYPE_BF16:
        case PTX_TYPE_BF16X2:
            return true;
        case PTX_TYPE_F32:
            if (in->mods[PTX_MODCAT_FTZ] != PTX_MOD_FTZ)
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

// Reaches, or may be reached by, other blocks of the cluster.
static bool uses_cluster(const struct ptx_insn *in)
{
    return in->space == PTX_SPACE_SHARED_CLUSTER || in->space2 == PTX_SPACE_SHARED_CLUSTER || in->op == PTX_OP_MAPA ||
           in->op == PTX_OP_GETCTARANK || in->mods[PTX_MODCAT_LEVEL_OF] == PTX_MOD_CLUSTER;
}

static void add_facts(struct reach *r, struct reach_func *rf, const struct ptx_insn *in)
{
    r->cluster |= uses_cluster(in);
    switch (in->op) {
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
    case PTX_OP_MATCH:
    case PTX_OP_REDUX:
    case PTX_OP_ACTIVEMASK:
    case PTX_OP_ELECT:
    case PTX_OP_MMA:
    case PTX_OP_WMMA:
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
    case PTX_OP_MOVMATRIX:
        r->warp_collectives = rf->waits = true;
        break;
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        rf->waits = true;
        if (in->mods[PTX_MODCAT_LEVEL_OF] == PTX_MOD_WARP)
            r->warp_collectives = true;
        break;
    case PTX_OP_NANOSLEEP:
    case PTX_OP_MBARRIER:
        rf->waits = true;
        break;
    case PTX_OP_CALL:
        if (in->operands[1].kind == PTX_OPERAND_FUNC && device_call_waits(device_call_find(resolve(in->operands[1].func)->name)))
            rf->waits = true;
        break;
    case PTX_OP_LD:
    case PTX_OP_ST:
        if (in->mods[PTX_MODCAT_SEM] == PTX_MOD_VOLATILE && is_shared(in->space))
            r->volatile_shared = true;
        break;
    default:
        break;
    }
    if (needs_denormals(in))
        r->flush_denormals = false;
}

static bool ends_thread(const struct ptx_insn *in)
{
    if (in->op == PTX_OP_EXIT || in->op == PTX_OP_TRAP)
        return true;
    if (in->op != PTX_OP_CALL)
        return false;
    if (in->operands[1].kind != PTX_OPERAND_FUNC)
        return true; // a pointer to no function traps
    const struct ptx_func *f = resolve(in->operands[1].func);
    return !f->has_body && (f->proto.noreturn || !strcmp(f->name, "__assertfail"));
}

// Calls `visit` for each callee that has a body.
static bool any_callee(const struct reach *r, const struct ptx_func *f,
                       bool (*visit)(const struct reach *, const struct ptx_func *, void *), void *arg)
{
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *in = &f->insns[i];
        if (in->op != PTX_OP_CALL)
            continue;
        if (in->operands[1].kind == PTX_OPERAND_FUNC) {
            const struct ptx_func *g = resolve(in->operands[1].func);
            if (reach_has_code(g) && visit(r, g, arg))
                return true;
        } else {
            for (size_t k = 0; k < r->taken.len; k++) {
                if (visit(r, r->taken.data[k], arg))
                    return true;
            }
        }
    }
    return false;
}

static bool callee_exits(const struct reach *r, const struct ptx_func *g, void *arg)
{
    (void)arg;
    return reach_find(r, g)->may_exit;
}

static bool callee_waits(const struct reach *r, const struct ptx_func *g, void *arg)
{
    (void)arg;
    return reach_find(r, g)->waits;
}

struct cycle {
    const struct ptx_func *start;
    struct map seen;
};

static bool callee_cycles(const struct reach *r, const struct ptx_func *g, void *arg)
{
    struct cycle *c = arg;
    if (g == c->start)
        return true;
    if (map_get_ptr(&c->seen, g))
        return false;
    map_put_ptr(&c->seen, g, (void *)g);
    return any_callee(r, g, callee_cycles, c);
}

// Code that is inlined into a kernel beyond this many instructions is called instead, where it can be.
enum { INLINE_LIMIT = 60000, CALL_SIZE = 300 };

static bool add_callee_size(const struct reach *r, const struct ptx_func *g, void *arg)
{
    const struct reach_func *rf = reach_find(r, g);
    *(uint64_t *)arg += rf->is_call ? 1 : rf->size;
    return false;
}

// Sizes with everything inlined, callees before callers: as many rounds as the calls are deep, sizes only grow.
static void find_sizes(struct reach *r)
{
    for (size_t round = 0, changed = 1; changed && round <= r->funcs.len; round++) {
        changed = 0;
        for (size_t i = 0; i < r->funcs.len; i++) {
            uint64_t size = r->funcs.data[i].f->ninsns;
            any_callee(r, r->funcs.data[i].f, add_callee_size, &size);
            size = size < UINT32_MAX ? size : UINT32_MAX;
            changed |= size != r->funcs.data[i].size;
            r->funcs.data[i].size = size;
        }
    }
}

static void choose_calls(struct reach *r)
{
    for (size_t i = 0; i < r->funcs.len; i++)
        r->funcs.data[i].is_call = r->funcs.data[i].recursive;
    find_sizes(r);
    if (r->funcs.data[0].size <= INLINE_LIMIT)
        return;
    for (size_t i = 1; i < r->funcs.len; i++)
        r->funcs.data[i].is_call |= r->funcs.data[i].size > CALL_SIZE && !r->funcs.data[i].waits;
    find_sizes(r);
}

static void find_exits(struct reach *r)
{
    for (size_t i = 0; i < r->funcs.len; i++) {
        const struct ptx_func *f = r->funcs.data[i].f;
        for (uint32_t k = 0; k < f->ninsns; k++)
            r->funcs.data[i].may_exit |= ends_thread(&f->insns[k]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < r->funcs.len; i++) {
            if (!r->funcs.data[i].may_exit && any_callee(r, r->funcs.data[i].f, callee_exits, NULL))
                r->funcs.data[i].may_exit = changed = true;
            if (!r->funcs.data[i].waits && any_callee(r, r->funcs.data[i].f, callee_waits, NULL))
                r->funcs.data[i].waits = changed = true;
        }
    }
}

// The dynamic part follows the static one at the strictest alignment asked for, at least 16.
static void place_dynamic(struct reach *r, const struct map *dynamic)
{
    uint32_t align = 16;
    for (size_t i = 0; i < dynamic->cap; i++) {
        const struct ptx_var *v = dynamic->values ? dynamic->values[i] : NULL;
        if (v && v->align > align)
            align = v->align;
    }
    r->shared_static = align_up(r->shared_static, align);
    for (size_t i = 0; i < dynamic->cap; i++) {
        const struct ptx_var *v = dynamic->values ? dynamic->values[i] : NULL;
        if (v)
            map_put_ptr(&r->shared_at, v, (void *)(uintptr_t)(r->shared_static + 1));
    }
}

void reach_init(struct reach *r, const struct ptx_module *m, const struct ptx_func *kernel)
{
    memset(r, 0, sizeof *r);
    r->flush_denormals = true;
    r->reserved_at = UINT32_MAX;
    struct map dynamic = {0};
    bool indirect = false;
    add_func(r, kernel);
    for (size_t i = 0; i < r->funcs.len; i++) {
        const struct ptx_func *f = r->funcs.data[i].f;
        for (uint32_t k = 0; k < f->ninsns; k++) {
            const struct ptx_insn *in = &f->insns[k];
            for (uint32_t o = 0; o < in->noperands; o++)
                add_operand(r, &dynamic, &in->operands[o]);
            add_facts(r, &r->funcs.data[i], in);
            if (in->op == PTX_OP_CALL && in->operands[1].kind != PTX_OPERAND_FUNC && !indirect) {
                indirect = true;
                for (uint32_t g = 0; g < m->nfuncs; g++) {
                    if (m->funcs[g]->address_taken && reach_has_code(m->funcs[g]) && !m->funcs[g]->is_entry) {
                        vec_push(&r->taken, (const struct ptx_func *)m->funcs[g]);
                        add_func(r, m->funcs[g]);
                    }
                }
            }
        }
        for (uint32_t k = 0; k < f->nlocals; k++) {
            if (f->locals[k]->space == PTX_SPACE_LOCAL)
                r->local_bytes += align_up((uint32_t)f->locals[k]->size, 16);
        }
        r->instructions += f->ninsns;
    }
    place_dynamic(r, &dynamic);
    map_free(&dynamic);
    find_exits(r);
    for (size_t i = 0; i < r->funcs.len; i++) {
        struct cycle c = {r->funcs.data[i].f, {0}};
        r->funcs.data[i].recursive = any_callee(r, c.start, callee_cycles, &c);
        map_free(&c.seen);
    }
    choose_calls(r);
    r->waits = r->funcs.data[0].waits;
}

void reach_fini(struct reach *r)
{
    vec_free(&r->funcs);
    vec_free(&r->taken);
    map_free(&r->func_at);
    map_free(&r->shared_at);
}
