// See compat.h.
#include "jit/compat/compat.h"
#include "jit/compat/lockstep.h"
#include "jit/compat/order.h"
#include "jit/resume/resume.h"
#include <string.h>

static const char yield_name[] = "heddle.yield.block";

bool compat_is_yield(LLVMValueRef v)
{
    return LLVMIsACallInst(v) && !strcmp(resume_callee(v), yield_name);
}

void compat_build_yield(LLVMValueRef before)
{
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(before)));
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderBefore(b, before);
    LLVMBuildCall2(b, type, resume_declare(m, yield_name, type), NULL, 0, "");
    LLVMDisposeBuilder(b);
}

unsigned compat_insert_yields(LLVMValueRef kernel, const unsigned block[3])
{
    unsigned threads = block[0] * block[1] * block[2];
    if (threads <= 1)
        return 0;
    unsigned n = lockstep_insert_yields(kernel, threads);
    return n + order_insert_yields(kernel, block);
}
