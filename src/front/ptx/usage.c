// SPDX-License-Identifier: Apache-2.0
// What kernels need of a device, as -Xptxas -v and -res-usage ask (nvcc on stderr, NVRTC in its log): in the words of
// CUDA's own assembler, since build systems and people read them. Memory is exact. Registers are those that hold values
// at the same time in the PTX (jit/translate/reach/pressure.c): machine code is made only on the device.
#include "front/front.h"
#include "base/diag.h"
#include "jit/jit.h"
#include "ptx/form.h"
#include "ptx/ptx.h"
#include <inttypes.h>
#include <string.h>

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

static void kernel_print(struct str *out, const struct ptx_module *m, const struct ptx_func *f, const struct target *t)
{
    struct jit_kernel_facts facts;
    jit_kernel_facts(m, f, &facts);
    str_printf(out,
               "ptxas info    : Compiling entry function '%s' for 'sm_%u%s'\n"
               "ptxas info    : Function properties for %s\n"
               "    %u bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
               "ptxas info    : Used %u registers, used %u barriers",
               f->name, t->sm, t->suffix, f->name, facts.local_bytes, facts.registers, barriers_of(f));
    if (facts.local_bytes)
        str_printf(out, ", %u bytes cumulative stack size, %u bytes lmem", facts.local_bytes, facts.local_bytes);
    if (facts.shared_static)
        str_printf(out, ", %u bytes smem", facts.shared_static);
    str_printf(out, ", %u bytes cmem[0]\n", bank_head(t->sm) + f->param_bytes);
}

void front_usage(struct str *out, const char *ptx, size_t size, const struct target *t)
{
    struct diag d;
    diag_init(&d, NULL);
    struct ptx_module *m = ptx_module_parse(ptx, size, &d);
    if (!m) {
        str_printf(out, "ptxas warning : the kernels' needs are not known: %s", str_text(&d.text));
        diag_fini(&d);
        return;
    }
    uint64_t global = 0, constant = 0;
    for (uint32_t i = 0; i < m->nvars; i++) {
        global += m->vars[i]->space == PTX_SPACE_GLOBAL ? m->vars[i]->size : 0;
        constant += m->vars[i]->space == PTX_SPACE_CONST ? m->vars[i]->size : 0;
    }
    str_printf(out, "ptxas info    : %" PRIu64 " bytes gmem", global);
    if (constant)
        str_printf(out, ", %" PRIu64 " bytes cmem[3]", constant);
    str_append(out, "\n");
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (m->funcs[i]->is_entry && m->funcs[i]->has_body)
            kernel_print(out, m, m->funcs[i], t);
    ptx_module_destroy(m);
    diag_fini(&d);
}

bool front_usage_wanted(const struct texts *ptxas_options)
{
    for (size_t i = 0; i < ptxas_options->len; i++)
        if (!strcmp(ptxas_options->data[i], "-v") || !strcmp(ptxas_options->data[i], "--verbose"))
            return true;
    return false;
}
