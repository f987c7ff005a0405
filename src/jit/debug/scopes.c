// SPDX-License-Identifier: Apache-2.0
// What code of one thread can name wherever it stands: threadIdx and the like, the variables of its block (__shared__) and of its
// module (__device__, __constant__). For a debugger these are local variables of every scope, the kernel's and those of the
// functions that are inlined in it, since it looks for a name no further than to the function's end. The numbers lie in
// memory of the function's own; of a variable that memory holds the address. Stores are volatile, so that they stay whatever is optimised.
#include "base/map.h"
#include "base/vec.h"
#include "jit/debug/debug.h"
#include "jit/ir/pass.h"
#include "jit/translate/reach/reach.h"
#include "ptx/dwarf.h"
#include <string.h>

enum { OP_DEREF = 0x06, OP_PLUS_UCONST = 0x23, SCOPES_MAX = 256, VARIABLES_MAX = 256 };

struct scope {
    LLVMMetadataRef subprogram, at; // at: where it is inlined; NULL: the function itself
};

struct scopes {
    LLVMContextRef context;
    LLVMDIBuilderRef builder;
    LLVMBuilderRef b;
    LLVMValueRef function, before; // the first statement
    LLVMTypeRef i8, i32, i64, ptr;
    struct VEC(struct scope) list;
};

static void collect(struct scopes *s, LLVMMetadataRef own)
{
    vec_push(&s->list, ((struct scope){own, NULL}));
    FOR_FUNCTION (s->function, x)
        for (LLVMMetadataRef l = LLVMInstructionGetDebugLoc(x), at; l; l = at) {
            struct scope found = {debug_subprogram(s->context, LLVMDILocationGetScope(l)), NULL};
            at = found.at = LLVMDILocationGetInlinedAt(l);
            bool known = !at || !found.subprogram || s->list.len >= SCOPES_MAX;
            for (size_t i = s->list.len; !known && i-- > 0;)
                known = s->list.data[i].subprogram == found.subprogram && s->list.data[i].at == at;
            if (!known)
                vec_push(&s->list, found);
        }
}

static LLVMValueRef memory(struct scopes *s, LLVMTypeRef type, const char *name)
{
    LLVMPositionBuilderBefore(s->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->function)));
    LLVMSetCurrentDebugLocation2(s->b, NULL);
    LLVMValueRef m = LLVMBuildAlloca(s->b, type, name);
    LLVMPositionBuilderBefore(s->b, s->before);
    LLVMSetCurrentDebugLocation2(s->b, NULL);
    return m;
}

// The variable in all scopes. `offset`: behind the address that the memory holds; negative: the memory itself is the variable.
static void declare(struct scopes *s, LLVMValueRef memory, const char *name, LLVMMetadataRef type, int64_t offset)
{
    uint64_t steps[3] = {OP_DEREF, OP_PLUS_UCONST, (uint64_t)offset};
    LLVMMetadataRef where = LLVMDIBuilderCreateExpression(s->builder, steps, offset < 0 ? 0 : 3);
    for (size_t i = 0; i < s->list.len; i++) {
        LLVMMetadataRef sub = s->list.data[i].subprogram;
        unsigned line = LLVMDISubprogramGetLine(sub);
        LLVMMetadataRef x = LLVMDIBuilderCreateAutoVariable(
            s->builder, sub, name, strlen(name), LLVMDIScopeGetFile(sub), line, type, true, LLVMDIFlagArtificial, 0);
        LLVMMetadataRef at = LLVMDIBuilderCreateDebugLocation(s->context, line, 0, sub, s->list.data[i].at);
        LLVMDIBuilderInsertDeclareRecordBefore(s->builder, memory, x, where, at, s->before);
    }
}

static LLVMValueRef step(struct scopes *s, LLVMValueRef p, uint64_t offset)
{
    LLVMValueRef at = LLVMConstInt(s->i64, offset, 0);
    return LLVMBuildGEP2(s->b, s->i8, p, &at, 1, "");
}

static LLVMValueRef load(struct scopes *s, LLVMTypeRef type, LLVMValueRef p, uint64_t offset)
{
    return LLVMBuildLoad2(s->b, type, step(s, p, offset), "");
}

// ---- threadIdx and the like

static LLVMMetadataRef uint3_type(struct scopes *s, LLVMMetadataRef file)
{
    LLVMMetadataRef u =
        LLVMDIBuilderCreateBasicType(s->builder, "unsigned int", 12, 32, 7 /* unsigned */, LLVMDIFlagZero);
    LLVMMetadataRef members[3];
    for (unsigned i = 0; i < 3; i++)
        members[i] =
            LLVMDIBuilderCreateMemberType(s->builder, file, &"xyz"[i], 1, file, 0, 32, 32, 32 * i, LLVMDIFlagZero, u);
    return LLVMDIBuilderCreateStructType(s->builder, file, "uint3", 5, file, 0, 96, 32, LLVMDIFlagZero, NULL, members,
                                         3, 0, NULL, "", 0);
}

static void add_numbers(struct scopes *s, const char *name, LLVMMetadataRef type, LLVMValueRef *xyz)
{
    LLVMValueRef m = memory(s, LLVMArrayType2(s->i32, 3), name);
    for (unsigned i = 0; i < 3; i++)
        LLVMSetVolatile(LLVMBuildStore(s->b, xyz[i], step(s, m, 4 * i)), true);
    declare(s, m, name, type, -1);
}

static void add_position(struct scopes *s, LLVMMetadataRef file)
{
    LLVMValueRef launch = LLVMGetParam(s->function, PARAM_LAUNCH), block = LLVMGetParam(s->function, PARAM_BLOCK);
    LLVMValueRef rest = LLVMGetParam(s->function, PARAM_FIRST), tid[3], ctaid[3], ntid[3], nctaid[3];
    LLVMPositionBuilderBefore(s->b, s->before);
    LLVMSetCurrentDebugLocation2(s->b, NULL);
    for (unsigned i = 0; i < 3; i++) {
        ntid[i] = load(s, s->i32, launch, offsetof(struct jit_launch, block) + 4 * i);
        nctaid[i] = load(s, s->i32, launch, offsetof(struct jit_launch, grid) + 4 * i);
        ctaid[i] = load(s, s->i32, block, offsetof(struct jit_block, ctaid) + 4 * i);
    }
    for (unsigned i = 0; i < 2; i++) {
        tid[i] = LLVMBuildURem(s->b, rest, ntid[i], "");
        rest = LLVMBuildUDiv(s->b, rest, ntid[i], "");
    }
    tid[2] = rest;
    LLVMMetadataRef type = uint3_type(s, file);
    add_numbers(s, "threadIdx", type, tid);
    add_numbers(s, "blockIdx", type, ctaid);
    add_numbers(s, "blockDim", type, ntid);
    add_numbers(s, "gridDim", type, nctaid);
}

// ---- variables of the block and of the module

// Of the module, or shared memory that is declared in a function.
static const struct ptx_var *variable_find(const struct ptx_module *m, const struct reach *r, const char *symbol)
{
    for (uint32_t i = 0; i < m->nvars; i++)
        if (!strcmp(m->vars[i]->name, symbol))
            return m->vars[i];
    for (size_t k = 0; k < r->funcs.len; k++) {
        const struct ptx_func *f = r->funcs.data[k].f;
        for (uint32_t i = 0; i < f->nlocals; i++)
            if (ptx_space_is_shared(f->locals[i]->space) && !strcmp(f->locals[i]->name, symbol))
                return f->locals[i];
    }
    return NULL;
}

static void add_variable(struct scopes *s, const struct reach *r, const struct ptx_var *v, const char *name,
                         LLVMMetadataRef type, uint64_t offset)
{
    uintptr_t shared_at = (uintptr_t)map_get_ptr(&r->shared_at, v);
    bool shared = ptx_space_is_shared(v->space);
    LLVMValueRef p, m;
    if (!type || (shared && !shared_at && !v->unsized) ||
        (!shared && v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST))
        return;
    m = memory(s, s->ptr, name);
    if (shared) {
        p = load(s, s->ptr, LLVMGetParam(s->function, PARAM_BLOCK), offsetof(struct jit_block, shared));
        p = step(s, p, shared_at ? shared_at - 1 : r->shared_static);
    } else {
        p = load(s, s->ptr, LLVMGetParam(s->function, PARAM_LAUNCH), offsetof(struct jit_launch, globals));
        p = load(s, s->ptr, p, 8 * (uint64_t)v->index);
    }
    LLVMSetVolatile(LLVMBuildStore(s->b, p, m), true);
    declare(s, m, name, type, (int64_t)offset);
}

// The last name of a mangled or plain one, for variables that have no debug information: _ZN3sim3dynE is dyn.
static const char *plain_name(struct arena *a, const char *name)
{
    size_t len;
    const char *from;
    ptx_base_name(name, &from, &len);
    return arena_strndup(a, from, len);
}

// Compilers tell nothing of the dynamic shared memory: bytes, of which a debugger makes what its user says.
static void add_dynamic(struct scopes *s, const struct reach *r, const struct ptx_module *m, struct arena *a)
{
    LLVMMetadataRef byte = LLVMDIBuilderCreateBasicType(s->builder, "unsigned char", 13, 8, 8, LLVMDIFlagZero);
    LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(s->builder, 0, -1);
    LLVMMetadataRef type = LLVMDIBuilderCreateArrayType(s->builder, 0, 0, byte, &range, 1);
    for (uint32_t i = 0; i < m->nvars; i++)
        if (m->vars[i]->unsized && ptx_space_is_shared(m->vars[i]->space))
            add_variable(s, r, m->vars[i], plain_name(a, m->vars[i]->name), type, 0);
}

static void add_variables(struct scopes *s, struct debug_variables *v, const struct compilation *c)
{
    const struct dwarf *d = debug_variables_dwarf(v);
    struct map names = {0};
    struct reach r;
    struct arena a;
    unsigned n = 0;
    arena_init(&a);
    reach_init(&r, c->ptx, c->kernel);
    int kernel = dwarf_function(d, c->kernel->name);
    for (int own = 1; own >= 0; own--) // of two with one name the kernel's is meant
        for (size_t i = 0; i < d->entries.len && n < VARIABLES_MAX; i++) {
            const struct dwarf_entry *e = &d->entries.data[i];
            const struct ptx_var *x =
                e->tag == DWARF_VARIABLE && e->symbol && e->name ? variable_find(c->ptx, &r, e->symbol) : NULL;
            bool is_own = kernel >= 0 && x && dwarf_is_variable(d, kernel, (int)i);
            if (!x || is_own != own || map_get_str(&names, e->name))
                continue;
            map_put_str(&names, e->name, s);
            add_variable(s, &r, x, e->name, debug_variables_type(v, e->type), e->symbol_offset);
            n++;
        }
    add_dynamic(s, &r, c->ptx, &a);
    reach_fini(&r);
    arena_fini(&a);
    map_free(&names);
}

static LLVMValueRef first_statement(LLVMValueRef f)
{
    LLVMValueRef x = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(x))
        x = LLVMGetNextInstruction(x);
    return x;
}

void debug_surroundings(struct compilation *c, struct debug_variables *v, LLVMValueRef function, LLVMMetadataRef own)
{
    struct scopes s = {.context = LLVMGetModuleContext(c->module), .builder = c->t.debug, .function = function};
    s.b = LLVMCreateBuilderInContext(s.context);
    s.i8 = LLVMInt8TypeInContext(s.context);
    s.i32 = LLVMInt32TypeInContext(s.context);
    s.i64 = LLVMInt64TypeInContext(s.context);
    s.ptr = LLVMPointerTypeInContext(s.context, 0);
    s.before = first_statement(function);
    collect(&s, own);
    add_position(&s, LLVMDIScopeGetFile(own));
    if (v)
        add_variables(&s, v, c);
    LLVMDisposeBuilder(s.b);
    vec_free(&s.list);
}
