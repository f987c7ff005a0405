// SPDX-License-Identifier: Apache-2.0
// Results of cmpxchg and the like are structures, which frame slots and lanes do not hold: they are taken apart where they are
// made, and phis of them (instcombine makes such) become phis of their parts.
#include "jit/lower/aggregate.h"
#include "jit/ir/ir.h"
#include "base/vec.h"
#include <stdbool.h>
#include <string.h>

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
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
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
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i && LLVMGetInstructionOpcode(i) == LLVMPHI;
             i = LLVMGetNextInstruction(i)) {
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

// "max(a, b) < c" as "a < c and b < c", and the like: where one of the two is uniform and the other an index, each then is
// tested by scalars. Clang makes one comparison out of two bounds. Three of them may hang together; more are no bounds but
// data (networks of minima and maxima that sort), of which each level would double the code.
enum { UNFOLD_LEVELS = 2 };

static void unfold_compare(LLVMValueRef i, LLVMBuilderRef b, unsigned level)
{
    static const struct {
        const char *name;
        bool is_signed, max;
    } table[] = {{"llvm.smax.", true, true},
                 {"llvm.smin.", true, false},
                 {"llvm.umax.", false, true},
                 {"llvm.umin.", false, false}};
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    bool is_signed = p >= LLVMIntSGT, less = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
    if (p == LLVMIntEQ || p == LLVMIntNE || level == UNFOLD_LEVELS)
        return;
    for (unsigned k = 0; k < 2; k++, less = !less) {
        LLVMValueRef m = LLVMGetOperand(i, k), other = LLVMGetOperand(i, 1 - k);
        LLVMValueRef f = LLVMIsACallInst(m) ? LLVMGetCalledValue(m) : NULL;
        size_t n;
        const char *name = f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
        for (unsigned e = 0; e < sizeof table / sizeof *table; e++) {
            if (strncmp(name, table[e].name, strlen(table[e].name)) || table[e].is_signed != is_signed ||
                LLVMGetTypeKind(LLVMTypeOf(m)) != LLVMIntegerTypeKind)
                continue;
            LLVMPositionBuilderBefore(b, i);
            LLVMValueRef c[2];
            for (unsigned o = 0; o < 2; o++) {
                LLVMValueRef x = LLVMGetOperand(m, o);
                c[o] = k ? LLVMBuildICmp(b, p, other, x, "") : LLVMBuildICmp(b, p, x, other, "");
            }
            bool both = less == table[e].max;
            LLVMReplaceAllUsesWith(i, both ? LLVMBuildAnd(b, c[0], c[1], "") : LLVMBuildOr(b, c[0], c[1], ""));
            LLVMInstructionEraseFromParent(i);
            if (!LLVMGetFirstUse(m))
                LLVMInstructionEraseFromParent(m);
            for (unsigned o = 0; o < 2; o++)
                if (LLVMIsAICmpInst(c[o]) && (!o || c[1] != c[0]))
                    unfold_compare(c[o], b, level + 1);
            return;
        }
    }
}

void structure_unfold(LLVMValueRef function)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
            next = LLVMGetNextInstruction(i); // what is made stands before it
            if (LLVMIsAICmpInst(i))
                unfold_compare(i, b, 0);
        }
    LLVMDisposeBuilder(b);
}

void structure_split(LLVMValueRef function)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    split_structure_phis(function, b);
    FOR_FUNCTION (function, i)
        if (is_structure(i) && !LLVMIsATerminatorInst(i) && !LLVMIsAExtractValueInst(i))
            replace_extracts(i, (LLVMValueRef[PARTS_MAX]){0}, b);
    LLVMDisposeBuilder(b);
}
