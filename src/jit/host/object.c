// SPDX-License-Identifier: Apache-2.0
// The end of the pipeline: machine code, and what launches have to know of it.
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill_variant(const struct compilation *c, struct jit_variant *v)
{
    v->width = c->plan.width;
    v->shared_static = c->t.shared_static;
    v->shared_align = c->t.shared_align > 128 ? c->t.shared_align : 0;
    v->flush_denormals = c->t.flush_denormals;
    v->cluster = c->t.cluster;
    v->calls = c->calls;
    v->privatises = c->plan.privatises;
    memcpy(v->block, c->options->block, sizeof v->block);
    memcpy(v->grid_max, c->plan.grid_max, sizeof v->grid_max);
    v->nassumed = c->plan.nassumed;
    memcpy(v->assumed, c->plan.assumed, sizeof v->assumed);
    v->stores = c->stores;
}

bool pass_object(struct compilation *c)
{
    struct jit_object *out = c->out;
    char *message = NULL;
    LLVMMemoryBufferRef buffer;
    fill_variant(c, &out->variant);
    if (pass_dump_asked("asm")) {
        LLVMMemoryBufferRef text;
        if (!LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->module, LLVMAssemblyFile, &message, &text)) {
            fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stderr);
            LLVMDisposeMemoryBuffer(text);
        }
    }
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->module, LLVMObjectFile, &message, &buffer)) {
        diag_fail(c->d, DIAG_INTERNAL, "no code: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    out->size = LLVMGetBufferSize(buffer);
    out->data = malloc(out->size);
    if (out->data)
        memcpy(out->data, LLVMGetBufferStart(buffer), out->size);
    LLVMDisposeMemoryBuffer(buffer);
    return out->data ? true : diag_lacks_memory(c->d);
}
