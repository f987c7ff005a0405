// SPDX-License-Identifier: Apache-2.0
// The table of operations: names find their rows, suffixes their families, and declarations get the attributes of their kinds.
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include "test.h"
#include <string.h>

static const char *const hooks[] = {
#define HOOK(name, ...) #name,
#include "jit/abi/hooks.def"
};

static void test_names(void)
{
    char name[64];
    for (unsigned op = OP_NONE + 1; op < OP_COUNT; op++) {
        const char *row = op_rows[op].name;
        bool family = row[strlen(row) - 1] == '.';
        CHECK(op_of_name(row) == (enum heddle_op)op);
        snprintf(name, sizeof name, "%si32", row);
        enum heddle_op longer = op_rows[op].kinds & IS_HOOK ? OP_RT : OP_NONE; // any other name is one of hooks.def
        CHECK(op_of_name(name) == (family ? (enum heddle_op)op : longer));
        snprintf(name, sizeof name, "%.*s", (int)strlen(row) - 1, row);
        CHECK(op_of_name(name) != (enum heddle_op)op);
    }
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        snprintf(name, sizeof name, "heddle.rt.%s", hooks[i]);
        CHECK(op_rows[op_of_name(name)].kinds & IS_HOOK);
    }
    CHECK(op_of_name("heddle.rt.image.3") == OP_RT_IMAGE && op_of_name("heddle.rt.matrix.17") == OP_RT_MATRIX);
    CHECK(op_of_name("heddle.rt.malloc") == OP_RT && op_of_name("heddle.frame.get.double") == OP_FRAME_GET);
    CHECK(!op_of_name("") && !op_of_name("heddle.") && !op_of_name("heddle.gang") &&
          !op_of_name("heddle_ex2_approx_f32"));
    CHECK(!op_of_name("llvm.fma.f32") && !op_of_name("tid.x") && !op_of_name("heddle.tid") &&
          !op_of_name("heddle.tid."));
    CHECK(op_printf("vote.%s", "any") == OP_VOTE_ANY && op_printf("redux.%s%s", "min", ".u32") == OP_REDUX_MIN_U32);
}

// What one kind says must not contradict another.
static void test_kinds(void)
{
    for (unsigned op = OP_NONE + 1; op < OP_COUNT; op++) {
        const struct op_row *r = &op_rows[op];
        unsigned k = r->kinds;
        CHECK(!(k & IS_PURE) || !(k & (IS_RETURNS | IS_CONVERGENT | IS_INACCESSIBLE)));
        CHECK(!(k & (IS_PURE | IS_RETURNS | IS_HOOK)) || r->wait == RESUME_RUN);
        CHECK(r->wait == RESUME_RUN || (k & IS_CONVERGENT));
        CHECK(!(k & IS_THREAD) || (k & IS_SREG));
        CHECK(!(k & IS_TID) || (k & IS_THREAD));
        CHECK(!(k & (IS_EXCHANGE | IS_AGREED | IS_MATCH_ANY)) || (k & IS_WARP_WAIT));
        CHECK(((k & IS_WARP_WAIT) != 0) == (r->wait == RESUME_WARP));
        CHECK(!(k & IS_BARRIER) || (k & IS_BLOCK_WAIT));
        CHECK(((k & IS_BARRIER) != 0) == (r->wait == RESUME_BARRIER || r->wait == RESUME_ARRIVE));
        CHECK(!(k & IS_BARRIER_RED) || r->resume != RESUME_NONE);
    }
    CHECK(OP_TID_Z == OP_TID_X + 2 && op_rows[OP_TID_Y].variant == 1 && op_rows[OP_NCTAID_Z].variant == 2);
}

static bool has(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) != NULL;
}

static void test_calls(void)
{
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("m", c);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), &i32, 1, 0);
    LLVMValueRef f = LLVMAddFunction(m, "k", type), zero = LLVMConstInt(i32, 0, 0), one = LLVMConstInt(i32, 1, 0);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, f, ""));
    CHECK(!op_find(m, OP_TID_X));
    LLVMValueRef tid = op_build(b, OP_TID_X, NULL, 0);
    CHECK(op_of(tid) == OP_TID_X && LLVMTypeOf(tid) == i32 && op_find(m, OP_TID_X) == LLVMGetCalledValue(tid));
    CHECK(op_is(tid, IS_TID | IS_CTAID) && !op_is(tid, IS_CTAID) && !op_waits(tid) && !op_is_fixed(tid));
    CHECK(ir_touches_no_memory(LLVMGetCalledValue(tid)) && has(LLVMGetCalledValue(tid), "willreturn"));
    CHECK(LLVMGetCalledValue(op_build(b, OP_TID_X, NULL, 0)) == LLVMGetCalledValue(tid));
    LLVMValueRef all = op_build(b, OP_BARRIER, (LLVMValueRef[]){zero, zero}, 2);
    LLVMValueRef some = op_build(b, OP_BARRIER, (LLVMValueRef[]){one, zero}, 2);
    LLVMValueRef arrive = op_build(b, OP_BARRIER_ARRIVE, (LLVMValueRef[]){zero, one}, 2);
    CHECK(op_is_syncthreads(all) && !op_is_syncthreads(some) && !op_is_syncthreads(arrive) && !op_is_syncthreads(tid));
    CHECK(op_is_barrier(all) && op_is_barrier(arrive) && op_waits(all) && !op_is_collective(all));
    CHECK(has(LLVMGetCalledValue(all), "convergent") && !has(LLVMGetCalledValue(all), "willreturn"));
    LLVMValueRef elect = op_build(b, OP_ELECT, &one, 1);
    CHECK(op_is_collective(elect) && op_waits(elect) && LLVMGetIntTypeWidth(LLVMTypeOf(elect)) == 1);
    LLVMValueRef slot = op_build_typed(b, OP_FRAME_GET, "float", LLVMFloatTypeInContext(c), &zero, 1);
    CHECK(op_of(slot) == OP_FRAME_GET && !strcmp(call_name(slot), "heddle.frame.get.float") && !op_waits(slot));
    LLVMValueRef hook = op_build_typed(b, OP_RT, "trap", LLVMVoidTypeInContext(c), NULL, 0);
    CHECK(op_is(hook, IS_HOOK) && !strcmp(op_hook(hook), "trap") && !op_is_harmless(hook));
    LLVMValueRef low = LLVMConstInt(LLVMInt64TypeInContext(c), 0, 0), check = op_build(b, OP_RT_MISALIGNED, &low, 1);
    CHECK(op_is_harmless(check) && !strcmp(op_hook(check), "misaligned") && !access_may_write(check));
    LLVMValueRef sum = LLVMBuildAdd(b, LLVMGetParam(f, 0), one, "");
    CHECK(!op_of(sum) && !op_of(one) && !op_of(LLVMGetParam(f, 0)));
    LLVMValueRef self = LLVMBuildCall2(b, type, f, &one, 1, "");
    LLVMValueRef pointer = LLVMBuildIntToPtr(b, low, LLVMPointerTypeInContext(c, 0), "");
    CHECK(!op_of(self) && !op_of(LLVMBuildCall2(b, type, pointer, &one, 1, "")) && !op_is_harmless(self));
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
}

// A function that stands where another one stood, or takes another name, is what its name says.
static void test_renamed(void)
{
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("m", c);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(m, "f", type);
    static const char *const names[] = {"heddle.rt.trap",    "heddle.rt.misaligned", "heddle.rt.image.1",
                                        "heddle.rt.x",       "heddle.frame.get.i32", "heddle.frame.set.i32",
                                        "heddle.frame.lane", "heddle.frame.lanes",   "heddle.frame.get.float",
                                        "heddle.tid.x",      "heddle.tid.xy",        "main"};
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            LLVMSetValueName2(f, names[i], strlen(names[i]));
            CHECK(op_of_function(f) == op_of_name(names[i]) && op_of_function(f) == op_of_name(names[i]));
        }
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
}

int main(void)
{
    test_renamed();
    test_names();
    test_kinds();
    test_calls();
    return test_summary();
}
