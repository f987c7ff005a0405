// What can be known of a kernel from its PTX alone, without compiling it.
#include "jit/jit.h"
#include "jit/pressure.h"
#include "jit/translate/reach.h"
#include "jit/translate/support.h"

enum { MAX_THREADS = 1024, MIN_REGISTERS = 8, MAX_REGISTERS = 255 };

void jit_kernel_facts(const struct ptx_module *m, const struct ptx_func *kernel, struct jit_kernel_facts *out)
{
    struct reach r;
    *out = (struct jit_kernel_facts){0};
    reach_init(&r, m, kernel);
    out->shared_static = r.shared_static;
    out->local_bytes = r.local_bytes;
    out->warp_collectives = r.warp_collectives;
    out->may_wait = r.waits;
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
