// SPDX-License-Identifier: Apache-2.0
// See debug.h. The code of a kernel ends up in several functions: one for each region, with and without a mask, which
// may be inlined into the function that runs blocks. LLVM wants a subprogram for each function, and the outermost scope
// of its instructions to be that one. So each function gets a copy of the subprogram that its code came from, under the
// same name: a debugger shows the kernel, inlined into its entry.
#include "jit/ir/pass.h"
#include "jit/debug/debug.h"
#include "ptx/dwarf.h"
#include "base/map.h"
#include <string.h>

struct debug {
    LLVMContextRef context;
    LLVMDIBuilderRef builder;
    LLVMMetadataRef original, own; // subprograms: of the scalar code, of the function
    const struct dwarf *dwarf;     // of the source, where there is any
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

static LLVMMetadataRef subprogram_make(struct debug *g, LLVMMetadataRef scope, const char *name, size_t name_len,
                                       const char *linkage, size_t linkage_len, LLVMMetadataRef file, unsigned line,
                                       LLVMDIFlags flags)
{
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(g->builder, file, NULL, 0, LLVMDIFlagZero);
    return LLVMDIBuilderCreateFunction(g->builder, scope, name, name_len, linkage, linkage_len, file, line, type, true,
                                       true, line, flags, true);
}

// Operands 1 to 3 of a subprogram are its scope, name and linkage name. With the variables of the source its name is there as well, with the
// arguments of a template.
static LLVMMetadataRef subprogram_copy(struct debug *g, LLVMMetadataRef of)
{
    size_t name_len, linkage_len;
    const char *name = text_of(g, of, 2, &name_len), *linkage = text_of(g, of, 3, &linkage_len);
    int entry = g->dwarf ? dwarf_function(g->dwarf, linkage) : -1;
    for (unsigned depth = 0; entry >= 0 && depth < 4; depth++) {
        const struct dwarf_entry *e = &g->dwarf->entries.data[entry],
                                 *origin = e->name ? NULL : dwarf_at(g->dwarf, e->origin);
        if (e->name) {
            name = e->name;
            name_len = strlen(name);
        }
        entry = origin ? (int)(origin - g->dwarf->entries.data) : -1;
    }
    return subprogram_make(g, operand_of(g->context, of, 1), name, name_len, linkage, linkage_len,
                           LLVMDIScopeGetFile(of), LLVMDISubprogramGetLine(of), LLVMDIFlagPrototyped);
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

// What a compiler puts before the first statement stands on the line and column of the function's name: parameters are stored there.
// Without a location of its own it is part of the function's beginning, which debuggers pass over; a stop at the function then
// finds its parameters stored.
static void open_prologue(LLVMValueRef f)
{
    LLVMMetadataRef first = NULL;
    LLVMValueRef next;
    for (LLVMValueRef x = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); x; x = next) {
        LLVMMetadataRef l = LLVMInstructionGetDebugLoc(x);
        LLVMValueRef callee = LLVMIsACallInst(x) ? LLVMGetCalledValue(x) : NULL;
        bool jumps = LLVMIsABranchInst(x) && LLVMGetNumSuccessors(x) == 1 &&
                     LLVMGetSuccessor(x, 0) != LLVMGetInstructionParent(x);
        next = jumps && LLVMGetInstructionParent(x) == LLVMGetEntryBasicBlock(f)
                   ? LLVMGetFirstInstruction(LLVMGetSuccessor(x, 0))
                   : LLVMGetNextInstruction(x);
        if (!l || op_of(x) == OP_LOCALS)
            continue;
        if (LLVMDILocationGetLine(l)) {
            first = first ? first : l;
            if (LLVMDILocationGetInlinedAt(l) || LLVMDILocationGetLine(l) != LLVMDILocationGetLine(first) ||
                LLVMDILocationGetColumn(l) != LLVMDILocationGetColumn(first))
                return;
        }
        if (!callee || !LLVMIsAFunction(callee) || !LLVMGetSubprogram(callee)) // such calls must have one
            LLVMInstructionSetDebugLoc(x, NULL);
    }
}

static void finish_function(struct debug *g, LLVMValueRef f, LLVMMetadataRef file)
{
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    g->original = find_original(g, f);
    g->own = g->original ? subprogram_copy(g, g->original)
                         : subprogram_make(g, file, name, len, "", 0, file, 0, LLVMDIFlagArtificial);
    LLVMMetadataRef nowhere = LLVMDIBuilderCreateDebugLocation(g->context, 0, 0, g->own, NULL);
    g->moved = (struct map){0};
    FOR_FUNCTION (f, x) {
        LLVMMetadataRef l = LLVMInstructionGetDebugLoc(x);
        if (l && outermost(g, l) == g->original)
            LLVMInstructionSetDebugLoc(x, move_location(g, l));
        else if (l || !g->original ||
                 LLVMGetInstructionOpcode(x) == LLVMCall) // code of ours is on no line, not on the last one
            LLVMInstructionSetDebugLoc(x, nowhere);
    }
    map_free(&g->moved);
    LLVMSetSubprogram(f, g->own);
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
    g.dwarf = variables ? debug_variables_dwarf(variables) : NULL;
    if (!file)
        file = LLVMDIBuilderCreateFile(builder, "", 0, "", 0);
    FOR_DEFINED (plan->module, f) {
        finish_function(&g, f, file);
        bool one = plan->debug && plan->width == 1 && g.original;
        if (one && (is_region(plan, f) || LLVMCountParams(f) > PARAM_RAW))
            debug_surroundings(c, variables, f, g.own);
        if (one)
            open_prologue(f);
        if (variables)
            debug_variables_add(variables, f);
    }
    debug_variables_destroy(variables);
    LLVMDIBuilderFinalize(builder);
    return true;
}
