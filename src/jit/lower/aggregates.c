// SPDX-License-Identifier: Apache-2.0
// Results of cmpxchg and the like are structures, which frame slots and lanes do not hold: they are taken apart where they are
// made, and phis of them (instcombine makes such) become phis of their parts.
#include "jit/ir/pass.h"
#include "base/vec.h"

enum { PARTS_MAX = 8 };

struct parts {
    LLVMValueRef phi, part[PARTS_MAX];
    unsigned n;
};
struct parts_list VEC(struct parts);

static bool is_structure(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMStructTypeKind &&
           LLVMCountStructElementTypes(LLVMTypeOf(v)) <= PARTS_MAX;
}

static void replace_extracts(LLVMValueRef v, LLVMValueRef *part, LLVMBuilderRef b)
{
    struct VEC(LLVMValueRef) old = {0};
    FOR_USES (v, u)
        if (LLVMIsAExtractValueInst(LLVMGetUser(u)) && LLVMGetNumIndices(LLVMGetUser(u)) == 1)
            vec_push(&old, LLVMGetUser(u));
    for (size_t i = 0; i < old.len; i++) {
        unsigned k = LLVMGetIndices(old.data[i])[0];
        if (!part[k]) {
            LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(v));
            part[k] = LLVMBuildExtractValue(b, v, k, "");
        }
        LLVMReplaceAllUsesWith(old.data[i], part[k]);
        LLVMInstructionEraseFromParent(old.data[i]);
    }
    vec_free(&old);
}

static void connect_parts(const struct parts_list *list, const struct parts *p, LLVMBuilderRef b)
{
    for (unsigned i = 0; i < LLVMCountIncoming(p->phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(p->phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(p->phi, i);
        const struct parts *source = NULL;
        for (size_t k = 0; k < list->len && !source; k++)
            source = list->data[k].phi == v ? &list->data[k] : NULL;
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
        for (unsigned k = 0; k < p->n; k++) {
            LLVMValueRef x = source ? source->part[k] : LLVMBuildExtractValue(b, v, k, "");
            LLVMAddIncoming(p->part[k], &x, &from, 1);
        }
    }
}

static void split_structure_phis(LLVMValueRef function, LLVMBuilderRef b)
{
    struct parts_list list = {0};
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k; k = LLVMGetNextBasicBlock(k))
        FOR_PHIS (k, i) {
            if (!is_structure(i))
                continue;
            struct parts p = {.phi = i, .n = LLVMCountStructElementTypes(LLVMTypeOf(i))};
            LLVMPositionBuilderBefore(b, i);
            for (unsigned e = 0; e < p.n; e++)
                p.part[e] = LLVMBuildPhi(b, LLVMStructGetTypeAtIndex(LLVMTypeOf(i), e), "");
            vec_push(&list, p);
        }
    for (size_t i = 0; i < list.len; i++)
        connect_parts(&list, &list.data[i], b);
    for (size_t i = 0; i < list.len; i++)
        replace_extracts(list.data[i].phi, list.data[i].part, b);
    for (size_t i = 0; i < list.len; i++)
        LLVMReplaceAllUsesWith(list.data[i].phi, LLVMGetPoison(LLVMTypeOf(list.data[i].phi)));
    for (size_t i = 0; i < list.len; i++)
        LLVMInstructionEraseFromParent(list.data[i].phi);
    vec_free(&list);
}

bool pass_aggregates(struct compilation *c)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(c->module));
    FOR_MODULE (c->module, f) {
        split_structure_phis(f, b);
        FOR_FUNCTION (f, i)
            if (is_structure(i) && !LLVMIsATerminatorInst(i) && !LLVMIsAExtractValueInst(i))
                replace_extracts(i, (LLVMValueRef[PARTS_MAX]){0}, b);
    }
    LLVMDisposeBuilder(b);
    return true;
}
