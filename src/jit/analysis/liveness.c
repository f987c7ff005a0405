// SPDX-License-Identifier: Apache-2.0
// See liveness.h.
#include "jit/analysis/liveness.h"
#include "base/xmalloc.h"
#include "jit/ir/ir.h"
#include <stdlib.h>

void liveness_init(struct liveness *l, const struct cfg *c, bool (*cuts)(const void *with, LLVMValueRef x),
                   const void *with)
{
    struct VEC(int) block = {0};
    *l = (struct liveness){.cfg = c};
    l->first = xcalloc(c->nblocks + 1, sizeof *l->first);
    l->last = xcalloc(c->nblocks + 1, sizeof *l->last);
    for (unsigned k = 0; k < c->nblocks; k++) {
        l->first[k] = (unsigned)block.len;
        vec_push(&block, (int)k);
        FOR_INSTRUCTIONS (c->blocks[k].block, x) {
            map_put_ptr(&l->at, x, (void *)(uintptr_t)block.len);
            if (cuts && cuts(with, x))
                vec_push(&block, (int)k);
        }
        l->last[k] = (unsigned)block.len - 1;
    }
    l->block = block.data;
    l->n = (unsigned)block.len;
    l->seen = xcalloc(l->n + 1, sizeof *l->seen);
}

void liveness_fini(struct liveness *l)
{
    free(l->first);
    free(l->last);
    free(l->block);
    free(l->seen);
    map_free(&l->at);
    vec_free(&l->worklist);
}

unsigned liveness_stretch(const struct liveness *l, LLVMValueRef instruction)
{
    return (unsigned)(uintptr_t)map_get_ptr(&l->at, instruction) - 1;
}

static void push_last(struct liveness *l, int block)
{
    if (l->cfg->blocks[block].rpo >= 0)
        vec_push(&l->worklist, l->last[block]);
}

// A phi uses a value at the end of the edge's source.
static void push_use(struct liveness *l, LLVMValueRef x, LLVMValueRef user)
{
    if (l->cfg->blocks[cfg_index(l->cfg, LLVMGetInstructionParent(user))].rpo < 0)
        return;
    if (!LLVMIsAPHINode(user)) {
        vec_push(&l->worklist, liveness_stretch(l, user));
        return;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == x)
            push_last(l, cfg_index(l->cfg, LLVMGetIncomingBlock(user, i)));
}

void liveness_visit(struct liveness *l, LLVMValueRef x, void (*lives)(void *with, unsigned stretch), void *with)
{
    unsigned home = liveness_stretch(l, x);
    l->value++;
    LLVMValueRef last = NULL;
    FOR_USES (x, u) {
        if (LLVMGetUser(u) != last)
            push_use(l, x, LLVMGetUser(u));
        last = LLVMGetUser(u);
    }
    while (l->worklist.len) {
        unsigned n = l->worklist.data[--l->worklist.len];
        if (n == home || l->seen[n] == l->value)
            continue;
        l->seen[n] = l->value;
        lives(with, n);
        const struct cfg_block *b = &l->cfg->blocks[l->block[n]];
        if (n != l->first[l->block[n]])
            vec_push(&l->worklist, n - 1);
        else
            for (unsigned i = 0; i < b->npred; i++)
                push_last(l, b->pred[i]);
    }
}
