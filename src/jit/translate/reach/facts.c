// SPDX-License-Identifier: Apache-2.0
// What can be known of a kernel from its PTX alone, without compiling it.
#include "jit/jit.h"
#include "jit/translate/reach/device_call.h"
#include "jit/translate/reach/reach.h"
#include "jit/translate/reach/support.h"
#include <string.h>

enum { MAX_THREADS = 1024, MIN_REGISTERS = 8, MAX_REGISTERS = 255 };

// The engine answers the call, and remembers it.
static bool is_remembered(const struct ptx_insn *in)
{
    if (in->op != PTX_OP_CALL || in->operands[1].kind != PTX_OPERAND_FUNC)
        return false;
    const char *name = in->operands[1].func->name;
    bool said = !strcmp(name, "vprintf") || !strcmp(name, "__assertfail");
    return !said && (engine_call_find(name) || device_call_find(name) >= 0);
}

static bool keeps_state(const struct reach *r)
{
    for (size_t i = 0; i < r->funcs.len; i++)
        for (uint32_t k = 0; k < r->funcs.data[i].f->ninsns; k++)
            if (is_remembered(&r->funcs.data[i].f->insns[k]))
                return true;
    return false;
}

void jit_kernel_facts(const struct ptx_module *m, const struct ptx_func *kernel, struct jit_kernel_facts *out)
{
    struct reach r;
    *out = (struct jit_kernel_facts){0};
    reach_init(&r, m, kernel);
    out->shared_static = r.shared_static;
    out->local_bytes = r.local_bytes;
    out->warp_collectives = r.warp_collectives;
    out->may_wait = r.waits;
    out->keeps_state = keeps_state(&r);
    for (size_t i = 0; i < r.funcs.len; i++) {
        uint32_t n = pressure_of(r.funcs.data[i].f);
        out->registers = n > out->registers ? n : out->registers;
    }
    out->registers = out->registers < MIN_REGISTERS ? MIN_REGISTERS : out->registers;
    uint32_t most = kernel->maxnreg && kernel->maxnreg < MAX_REGISTERS ? kernel->maxnreg : MAX_REGISTERS;
    out->registers = out->registers > most ? most : out->registers;
    const uint32_t *b = kernel->reqntid[0] ? kernel->reqntid : kernel->maxntid;
    uint64_t limit = b[0] ? (uint64_t)b[0] * (b[1] ? b[1] : 1) * (b[2] ? b[2] : 1) : MAX_THREADS;
    out->max_threads = limit < MAX_THREADS ? (uint32_t)limit : MAX_THREADS;
    reach_fini(&r);
}

static uint64_t shared_sum(struct ptx_var *const *vars, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += vars[i]->space == PTX_SPACE_SHARED ? vars[i]->size : 0;
    return sum;
}

bool jit_shared_check(const struct ptx_module *m, uint32_t limit, struct diag *d)
{
    uint64_t all = shared_sum(m->vars, m->nvars);
    for (uint32_t i = 0; i < m->nfuncs; i++)
        all += shared_sum(m->funcs[i]->locals, m->funcs[i]->nlocals);
    bool ok = true;
    for (uint32_t i = 0; all > limit && i < m->nfuncs; i++) {
        if (!m->funcs[i]->is_entry || !m->funcs[i]->has_body)
            continue;
        struct reach r;
        reach_init(&r, m, m->funcs[i]);
        if (r.shared_static > limit)
            ok = diag_error(d, 0, 0, "Entry function '%s' uses too much shared data (0x%x bytes, 0x%x max)",
                            m->funcs[i]->name, (unsigned)r.shared_static, limit);
        reach_fini(&r);
    }
    return ok;
}

bool jit_function_check(const struct ptx_func *f, bool whole, struct diag *d)
{
    return support_check(f, whole, d);
}

bool jit_kernel_check(const struct ptx_module *m, const struct ptx_func *kernel, struct diag *d)
{
    struct reach r;
    bool ok = true;
    reach_init(&r, m, kernel);
    for (size_t i = 0; i < r.funcs.len; i++)
        ok &= support_check(r.funcs.data[i].f, true, d);
    reach_fini(&r);
    return ok;
}
