// What kernels need of a device, as -Xptxas -v and -res-usage ask: in the words of CUDA's own assembler, since build
// systems and people read them. Memory is exact. Registers are those that hold values at the same time in the PTX
// (jit/pressure.h): machine code is made only on the device.
#include "nvcc/driver.h"
#include "base/diag.h"
#include "jit/jit.h"
#include "ptx/form.h"
#include "ptx/ptx.h"
#include <stdio.h>

// Constant bank 0 has the parameters behind the launch's own values.
static unsigned bank_head(unsigned sm)
{
    return sm >= 100 ? 896 : sm >= 90 ? 528 : 352;
}

static unsigned barriers_of(const struct ptx_func *f)
{
    unsigned used = 0;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if ((insn->op != PTX_OP_BAR && insn->op != PTX_OP_BARRIER) || !(ptx_forms[insn->form].flags & PTX_FORM_BLOCK))
            continue;
        unsigned number =
            insn->noperands && insn->operands[0].kind == PTX_OPERAND_INT ? (unsigned)insn->operands[0].i : 0;
        used = number < 16 && number + 1 > used ? number + 1 : used;
    }
    return used;
}

static void kernel_print(const struct ptx_module *m, const struct ptx_func *f, const struct target *t)
{
    struct jit_kernel_facts facts;
    jit_kernel_facts(m, f, &facts);
    fprintf(stderr,
            "ptxas info    : Compiling entry function '%s' for 'sm_%u%s'\n"
            "ptxas info    : Function properties for %s\n"
            "    %u bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used %u registers, used %u barriers",
            f->name, t->sm, t->suffix, f->name, facts.local_bytes, facts.registers, barriers_of(f));
    if (facts.local_bytes)
        fprintf(stderr, ", %u bytes cumulative stack size, %u bytes lmem", facts.local_bytes, facts.local_bytes);
    if (facts.shared_static)
        fprintf(stderr, ", %u bytes smem", facts.shared_static);
    fprintf(stderr, ", %u bytes cmem[0]\n", bank_head(t->sm) + f->param_bytes);
}

void usage_print(const char *ptx, size_t size, const struct target *t)
{
    struct diag d;
    diag_init(&d, NULL);
    struct ptx_module *m = ptx_module_parse(ptx, size, &d);
    if (!m) {
        fprintf(stderr, "nvcc: warning: the kernels' needs are not known: %s", str_text(&d.text));
        diag_fini(&d);
        return;
    }
    uint64_t global = 0, constant = 0;
    for (uint32_t i = 0; i < m->nvars; i++) {
        global += m->vars[i]->space == PTX_SPACE_GLOBAL ? m->vars[i]->size : 0;
        constant += m->vars[i]->space == PTX_SPACE_CONST ? m->vars[i]->size : 0;
    }
    fprintf(stderr, "ptxas info    : %llu bytes gmem", (unsigned long long)global);
    if (constant)
        fprintf(stderr, ", %llu bytes cmem[3]", (unsigned long long)constant);
    fputc('\n', stderr);
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (m->funcs[i]->is_entry && m->funcs[i]->has_body)
            kernel_print(m, m->funcs[i], t);
    ptx_module_destroy(m);
    diag_fini(&d);
}
