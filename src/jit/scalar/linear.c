#include "jit/scalar/linear.h"
#include "jit/gang/vectorise.h"
#include <string.h>

enum { DEPTH = 16 };

static void add_term(struct linear *l, LLVMValueRef leaf, int64_t by)
{
    unsigned i = 0;
    while (i < l->n && l->term[i].leaf != leaf)
        i++;
    if (i == LINEAR_TERMS) {
        l->lost = true;
        return;
    }
    if (i == l->n)
        l->term[l->n++] = (struct linear_term){leaf, 0};
    l->term[i].by = (int64_t)((uint64_t)l->term[i].by + (uint64_t)by);
    if (!l->term[i].by)
        l->term[i] = l->term[--l->n];
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add(struct linear *l, LLVMValueRef x, int64_t by, unsigned depth)
{
    int64_t c;
    if (value_constant(x, &c)) {
        l->plus = (int64_t)((uint64_t)l->plus + (uint64_t)times(c, by));
        return;
    }
    LLVMOpcode op = LLVMIsAInstruction(x) && depth ? LLVMGetInstructionOpcode(x) : LLVMRet;
    LLVMValueRef a = op != LLVMRet && LLVMGetNumOperands(x) > 0 ? LLVMGetOperand(x, 0) : NULL;
    LLVMValueRef b = op != LLVMRet && LLVMGetNumOperands(x) > 1 ? LLVMGetOperand(x, 1) : NULL;
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        add(l, a, by, depth - 1);
        add(l, b, op == LLVMSub ? times(by, -1) : by, depth - 1);
        return;
    case LLVMShl:
        if (value_constant(b, &c) && c >= 0 && c < 63) {
            add(l, a, times(by, INT64_C(1) << c), depth - 1);
            return;
        }
        break;
    case LLVMMul:
        if (value_constant(b, &c)) {
            add(l, a, times(by, c), depth - 1);
            return;
        }
        break;
    case LLVMGetElementPtr:
        if (LLVMGetNumOperands(x) == 2 && type_bits(LLVMGetGEPSourceElementType(x)) == 8) {
            add(l, a, by, depth - 1);
            add(l, b, by, depth - 1);
            return;
        }
        break;
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        add(l, a, by, depth - 1);
        return;
    default:
        break;
    }
    add_term(l, x, by);
}

struct linear linear_of(LLVMValueRef x)
{
    struct linear l = {0};
    add(&l, x, 1, DEPTH);
    return l;
}

struct linear linear_add(const struct linear *a, const struct linear *b, int64_t by)
{
    struct linear l = *a;
    l.lost |= b->lost;
    l.plus = (int64_t)((uint64_t)l.plus + (uint64_t)times(b->plus, by));
    for (unsigned i = 0; i < b->n; i++)
        add_term(&l, b->term[i].leaf, times(b->term[i].by, by));
    return l;
}

static bool in_loop(const struct cfg *c, int loop, LLVMValueRef x)
{
    return LLVMIsAInstruction(x) && cfg_loop_contains(c, loop, cfg_index(c, LLVMGetInstructionParent(x)));
}

static bool is_variable(const struct cfg *c, int loop, LLVMValueRef x)
{
    return LLVMIsAPHINode(x) && cfg_index(c, LLVMGetInstructionParent(x)) == c->loops[loop].header;
}

// What is added to a variable of the loop on each turn, on whichever way it comes round.
static struct linear variable_step(const struct cfg *c, int loop, LLVMValueRef phi)
{
    struct linear lost = {.lost = true}, found = lost, one = {.n = 1, .term = {{phi, 1}}};
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!cfg_loop_contains(c, loop, cfg_index(c, LLVMGetIncomingBlock(phi, i))))
            continue;
        struct linear next = linear_of(LLVMGetIncomingValue(phi, i)), by = linear_add(&next, &one, -1);
        for (unsigned k = 0; k < by.n; k++)
            if (in_loop(c, loop, by.term[k].leaf))
                return lost;
        if (!found.lost) {
            struct linear d = linear_add(&found, &by, -1);
            if (d.lost || d.n || d.plus)
                return lost;
        }
        found = by;
    }
    return found;
}

struct linear linear_step(const struct cfg *c, int loop, const struct linear *x)
{
    struct linear step = {.lost = x->lost};
    for (unsigned i = 0; i < x->n && !step.lost; i++) {
        LLVMValueRef leaf = x->term[i].leaf;
        if (!in_loop(c, loop, leaf))
            continue;
        struct linear by = {.lost = true};
        if (is_variable(c, loop, leaf))
            by = variable_step(c, loop, leaf);
        step = linear_add(&step, &by, x->term[i].by);
    }
    return step;
}

int64_t linear_lane(const struct cfg *c, int loop, const struct linear *x)
{
    int64_t factor = 0;
    for (unsigned i = 0; i < x->n; i++) {
        LLVMValueRef leaf = x->term[i].leaf;
        if (LLVMIsACallInst(leaf) &&
            (!strcmp(call_name(leaf), "heddle.tid.x") || !strcmp(call_name(leaf), "heddle.laneid")))
            factor += x->term[i].by;
        if (loop == CFG_NONE || !is_variable(c, loop, leaf))
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(leaf); k++)
            if (!cfg_loop_contains(c, loop, cfg_index(c, LLVMGetIncomingBlock(leaf, k)))) {
                struct linear first = linear_of(LLVMGetIncomingValue(leaf, k));
                factor += times(x->term[i].by, linear_lane(c, c->loops[loop].parent, &first));
                break;
            }
    }
    return factor;
}

LLVMValueRef linear_build(LLVMBuilderRef b, LLVMTypeRef i64, const struct linear *x)
{
    LLVMValueRef sum = LLVMConstInt(i64, (unsigned long long)x->plus, 1);
    for (unsigned i = 0; i < x->n; i++) {
        LLVMValueRef v = x->term[i].leaf, by = LLVMConstInt(i64, (unsigned long long)x->term[i].by, 1);
        v = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(b, v, i64, "")
                                                                  : LLVMBuildIntCast2(b, v, i64, 1, "");
        sum = LLVMBuildAdd(b, sum, LLVMBuildMul(b, v, by, ""), "");
    }
    return sum;
}
