// What can be known of a kernel from its PTX alone: reachable functions, static shared memory, whether it uses the warp.
#include "jit/jit.h"
#include "base/vec.h"
#include <string.h>

struct reach {
    const struct ptx_module *m;
    unsigned char *seen; // by function index
    struct VEC(const struct ptx_func *) list;
};

static void reach_add(struct reach *r, const struct ptx_func *f)
{
    while (f->alias)
        f = f->alias;
    if (!r->seen[f->index]) {
        r->seen[f->index] = 1;
        vec_push(&r->list, f);
    }
}

static void reach_operand(struct reach *r, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_FUNC && o->func)
        reach_add(r, o->func);
    for (uint32_t i = 0; i < o->nlist; i++)
        reach_operand(r, &o->list[i]);
}

// Every function that the kernel can call; with an indirect call, also every function whose address is taken.
static void reach_all(struct reach *r, const struct ptx_func *kernel)
{
    bool indirect = false;
    reach_add(r, kernel);
    for (size_t k = 0; k < r->list.len; k++) {
        const struct ptx_func *f = r->list.data[k];
        for (uint32_t i = 0; i < f->ninsns; i++) {
            const struct ptx_insn *n = &f->insns[i];
            for (uint32_t j = 0; j < n->noperands; j++)
                reach_operand(r, &n->operands[j]);
            if (n->op == PTX_OP_CALL && n->noperands > 1 && n->operands[1].kind == PTX_OPERAND_REG && !indirect) {
                indirect = true;
                for (uint32_t j = 0; j < r->m->nfuncs; j++)
                    if (r->m->funcs[j]->address_taken)
                        reach_add(r, r->m->funcs[j]);
            }
        }
    }
}

struct shared_sum {
    struct VEC(const struct ptx_var *) vars;
};

static void shared_operand(struct shared_sum *s, const struct ptx_operand *o)
{
    if (o->var && o->var->space == PTX_SPACE_SHARED && !o->var->unsized) {
        for (size_t i = 0; i < s->vars.len; i++)
            if (s->vars.data[i] == o->var)
                return;
        vec_push(&s->vars, o->var);
    }
    for (uint32_t i = 0; i < o->nlist; i++)
        shared_operand(s, &o->list[i]);
}

static bool is_collective(enum ptx_op op)
{
    return op == PTX_OP_SHFL || op == PTX_OP_VOTE || op == PTX_OP_MATCH || op == PTX_OP_REDUX || op == PTX_OP_ACTIVEMASK;
}

void jit_kernel_facts(const struct ptx_module *m, const struct ptx_func *kernel, struct jit_kernel_facts *out)
{
    *out = (struct jit_kernel_facts){0};
    struct reach r = {.m = m, .seen = xcalloc(m->nfuncs + 1, 1)};
    struct shared_sum s = {0};
    reach_all(&r, kernel);
    for (size_t k = 0; k < r.list.len; k++) {
        const struct ptx_func *f = r.list.data[k];
        uint64_t local = 0;
        for (uint32_t i = 0; i < f->nlocals; i++)
            if (f->locals[i]->space == PTX_SPACE_LOCAL)
                local += (f->locals[i]->size + 15) & ~15ull;
        out->local_bytes += (uint32_t)local;
        for (uint32_t i = 0; i < f->ninsns; i++) {
            out->warp_collectives |= is_collective(f->insns[i].op);
            for (uint32_t j = 0; j < f->insns[i].noperands; j++)
                shared_operand(&s, &f->insns[i].operands[j]);
        }
        if (f->nregs > out->registers)
            out->registers = f->nregs;
    }
    // Largest alignment first would waste least, but the order of first use is what the translator takes.
    uint64_t at = 0;
    for (size_t i = 0; i < s.vars.len; i++) {
        uint64_t align = s.vars.data[i]->align ? s.vars.data[i]->align : 1;
        at = (at + align - 1) / align * align + s.vars.data[i]->size;
    }
    out->shared_static = (uint32_t)((at + 15) & ~15ull);
    if (out->registers > 255)
        out->registers = 255;
    uint64_t limit = 1024;
    const uint32_t *b = kernel->reqntid[0] ? kernel->reqntid : kernel->maxntid;
    if (b[0]) {
        uint64_t n = (uint64_t)b[0] * (b[1] ? b[1] : 1) * (b[2] ? b[2] : 1);
        limit = n < limit ? n : limit;
    }
    out->max_threads = (uint32_t)limit;
    vec_free(&s.vars);
    vec_free(&r.list);
    free(r.seen);
}
