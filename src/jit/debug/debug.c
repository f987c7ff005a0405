// SPDX-License-Identifier: Apache-2.0
// See debug.h. The code of a kernel ends up in several functions: one for each region, with and without a mask, which
// may be inlined into the function that runs blocks. LLVM wants a subprogram for each function, and the outermost scope
// of its instructions to be that one. So each function gets a copy of the subprogram that its code came from, under the
// same name: a debugger shows the kernel, inlined into its entry.
#include "jit/ir/pass.h"
#include "jit/debug/debug.h"
#include "base/map.h"
#include <string.h>

struct debug {
    LLVMContextRef context;
    LLVMDIBuilderRef builder;
    LLVMMetadataRef original, own; // subprograms: of the scalar code, of the function
    struct map moved;              // locations of the scalar code -> of the function
};

static LLVMMetadataRef operand_of(LLVMContextRef context, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef v = LLVMMetadataAsValue(context, node), operands[32];
    int n = LLVMGetMDNodeNumOperands(v);
    if (n <= (int)i || n > 32)
        return NULL;
    LLVMGetMDNodeOperands(v, operands);
    return operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
}

// Scopes are subprograms, or blocks that only name another file: operand 1 is
// what they are part of.
LLVMMetadataRef debug_subprogram(LLVMContextRef context, LLVMMetadataRef scope)
{
    while (scope && LLVMGetMetadataKind(scope) == LLVMDILexicalBlockFileMetadataKind)
        scope = operand_of(context, scope, 1);
    return scope;
}

static LLVMMetadataRef outermost(struct debug *g, LLVMMetadataRef location)
{
    for (LLVMMetadataRef at; (at = LLVMDILocationGetInlinedAt(location));)
        location = at;
    return debug_subprogram(g->context, LLVMDILocationGetScope(location));
}

static const char *text_of(struct debug *g, LLVMMetadataRef node, unsigned i, size_t *len)
{
    LLVMMetadataRef m = operand_of(g->context, node, i);
    unsigned n = 0;
    const char *s = m ? LLVMGetMDString(LLVMMetadataAsValue(g->context, m), &n) : NULL;
    *len = s ? n : 0;
    return s ? s : "";
}

static LLVMMetadataRef subprogram_make(struct debug *g, const char *name, size_t name_len, const char *linkage,
                                       size_t linkage_len, LLVMMetadataRef file, unsigned line, LLVMDIFlags flags)
{
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(g->builder, file, NULL, 0, LLVMDIFlagZero);
    return LLVMDIBuilderCreateFunction(g->builder, file, name, name_len, linkage, linkage_len, file, line, type, true,
                                       true, line, flags, true);
}

// Operands 2 and 3 of a subprogram are its name and linkage name.
static LLVMMetadataRef subprogram_copy(struct debug *g, LLVMMetadataRef of)
{
    size_t name_len, linkage_len;
    const char *name = text_of(g, of, 2, &name_len), *linkage = text_of(g, of, 3, &linkage_len);
    return subprogram_make(g, name, name_len, linkage, linkage_len, LLVMDIScopeGetFile(of), LLVMDISubprogramGetLine(of),
                           LLVMDIFlagPrototyped);
}

static LLVMMetadataRef move_scope(struct debug *g, LLVMMetadataRef scope)
{
    if (scope == g->original)
        return g->own;
    return LLVMDIBuilderCreateLexicalBlockFile(g->builder, g->own, LLVMDIScopeGetFile(scope), 0);
}

static LLVMMetadataRef move_location(struct debug *g, LLVMMetadataRef l)
{
    LLVMMetadataRef done = map_get_ptr(&g->moved, l);
    if (done)
        return done;
    LLVMMetadataRef at = LLVMDILocationGetInlinedAt(l), scope = LLVMDILocationGetScope(l);
    done = LLVMDIBuilderCreateDebugLocation(g->context, LLVMDILocationGetLine(l), LLVMDILocationGetColumn(l),
                                            at ? scope : move_scope(g, scope), at ? move_location(g, at) : NULL);
    map_put_ptr(&g->moved, l, done);
    return done;
}

static LLVMMetadataRef find_original(struct debug *g, LLVMValueRef f)
{
    FOR_FUNCTION (f, x) {
        LLVMMetadataRef l = LLVMInstructionGetDebugLoc(x);
        if (l)
            return outermost(g, l);
    }
    return NULL;
}

static void finish_function(struct debug *g, LLVMValueRef f, LLVMMetadataRef file)
{
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    g->original = find_original(g, f);
    g->own = g->original ? subprogram_copy(g, g->original)
                         : subprogram_make(g, name, len, "", 0, file, 0, LLVMDIFlagArtificial);
    LLVMMetadataRef nowhere = LLVMDIBuilderCreateDebugLocation(g->context, 0, 0, g->own, NULL);
    g->moved = (struct map){0};
    FOR_FUNCTION (f, x) {
        LLVMMetadataRef l = LLVMInstructionGetDebugLoc(x);
        if (l && outermost(g, l) == g->original)
            LLVMInstructionSetDebugLoc(x, move_location(g, l));
        else if (l || LLVMGetInstructionOpcode(x) == LLVMCall)
            LLVMInstructionSetDebugLoc(x, nowhere);
    }
    map_free(&g->moved);
    LLVMSetSubprogram(f, g->own);
}

// ---- threadIdx and the like, for debuggers: variables of each region, in memory. Their stores are volatile, so that
// they stay whatever is optimised.

static LLVMMetadataRef uint3_type(struct debug *g, LLVMMetadataRef file)
{
    LLVMMetadataRef u =
        LLVMDIBuilderCreateBasicType(g->builder, "unsigned int", 12, 32, 7 /* unsigned */, LLVMDIFlagZero);
    LLVMMetadataRef members[3];
    for (unsigned i = 0; i < 3; i++)
        members[i] =
            LLVMDIBuilderCreateMemberType(g->builder, file, &"xyz"[i], 1, file, 0, 32, 32, 32 * i, LLVMDIFlagZero, u);
    return LLVMDIBuilderCreateStructType(g->builder, file, "uint3", 5, file, 0, 96, 32, LLVMDIFlagZero, NULL, members,
                                         3, 0, NULL, "", 0);
}

static LLVMValueRef load_word(struct debug *g, LLVMBuilderRef b, LLVMValueRef p, size_t offset)
{
    LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(g->context), offset, 0);
    p = LLVMBuildGEP2(b, LLVMInt8TypeInContext(g->context), p, &at, 1, "");
    return LLVMBuildLoad2(b, LLVMInt32TypeInContext(g->context), p, "");
}

static void add_variable(struct debug *g, LLVMBuilderRef b, LLVMValueRef before, const char *name, LLVMMetadataRef type,
                         LLVMValueRef *xyz)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    LLVMMetadataRef file = LLVMDIScopeGetFile(g->own), where, variable;
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetInstructionParent(before)));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef memory = LLVMBuildAlloca(b, LLVMArrayType2(i32, 3), name);
    LLVMPositionBuilderBefore(b, before);
    LLVMSetCurrentDebugLocation2(b, NULL);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef at = LLVMConstInt(i32, i, 0);
        LLVMValueRef p = LLVMBuildGEP2(b, i32, memory, &at, 1, "");
        LLVMSetVolatile(LLVMBuildStore(b, xyz[i], p), true);
    }
    variable = LLVMDIBuilderCreateAutoVariable(g->builder, g->own, name, strlen(name), file,
                                               LLVMDISubprogramGetLine(g->own), type, true, LLVMDIFlagArtificial, 0);
    where = LLVMDIBuilderCreateDebugLocation(g->context, LLVMDISubprogramGetLine(g->own), 0, g->own, NULL);
    LLVMDIBuilderInsertDeclareRecordBefore(g->builder, memory, variable,
                                           LLVMDIBuilderCreateExpression(g->builder, NULL, 0), where, before);
}

static LLVMValueRef first_statement(LLVMValueRef f)
{
    LLVMValueRef x = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(x))
        x = LLVMGetNextInstruction(x);
    return x;
}

static void add_local_base(struct debug *g, LLVMValueRef f)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->context);
    LLVMValueRef launch = LLVMGetParam(f, PARAM_LAUNCH), block = LLVMGetParam(f, PARAM_BLOCK);
    LLVMValueRef rest = LLVMGetParam(f, PARAM_FIRST);
    LLVMValueRef tid[3], ctaid[3], ntid[3], nctaid[3], before = first_statement(f);
    LLVMPositionBuilderBefore(b, before);
    LLVMSetCurrentDebugLocation2(b, NULL);
    for (unsigned i = 0; i < 3; i++) {
        ntid[i] = load_word(g, b, launch, offsetof(struct jit_launch, block) + 4 * i);
        nctaid[i] = load_word(g, b, launch, offsetof(struct jit_launch, grid) + 4 * i);
        ctaid[i] = load_word(g, b, block, offsetof(struct jit_block, ctaid) + 4 * i);
    }
    for (unsigned i = 0; i < 2; i++) {
        tid[i] = LLVMBuildURem(b, rest, ntid[i], "");
        rest = LLVMBuildUDiv(b, rest, ntid[i], "");
    }
    tid[2] = rest;
    LLVMMetadataRef type = uint3_type(g, LLVMDIScopeGetFile(g->own));
    add_variable(g, b, before, "threadIdx", type, tid);
    add_variable(g, b, before, "blockIdx", type, ctaid);
    add_variable(g, b, before, "blockDim", type, ntid);
    add_variable(g, b, before, "gridDim", type, nctaid);
    LLVMDisposeBuilder(b);
}

static bool is_region(const struct region_plan *p, LLVMValueRef f)
{
    for (size_t i = 0; i < p->regions.len; i++)
        if (p->regions.data[i].full == f || p->regions.data[i].masked == f)
            return true;
    return false;
}

// Gives every function of the module a subprogram and makes the locations of its instructions, which name the scalar code
// that they came from, part of it. Finalises the builder.
bool pass_debug(struct compilation *c)
{
    const struct region_plan *plan = &c->plan;
    LLVMDIBuilderRef builder = c->t.debug;
    struct debug g = {.context = LLVMGetModuleContext(plan->module), .builder = builder};
    LLVMMetadataRef file = NULL;
    FOR_MODULE (plan->module, f) {
        LLVMMetadataRef original = file ? NULL : find_original(&g, f);
        file = original ? LLVMDIScopeGetFile(original) : file;
    }
    struct debug_variables *variables = plan->debug ? debug_variables_create(c->ptx, g.context, builder) : NULL;
    if (!file)
        file = LLVMDIBuilderCreateFile(builder, "", 0, "", 0);
    FOR_DEFINED (plan->module, f) {
        finish_function(&g, f, file);
        if (plan->debug && plan->width == 1 && g.original && is_region(plan, f))
            add_local_base(&g, f);
        if (variables)
            debug_variables_add(variables, f);
    }
    debug_variables_destroy(variables);
    LLVMDIBuilderFinalize(builder);
    return true;
}
