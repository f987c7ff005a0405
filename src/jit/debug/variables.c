// SPDX-License-Identifier: Apache-2.0
// See debug.h. A compiler that writes PTX without optimising keeps the variables of a function in its local memory, and
// says so in DWARF: symbol of the memory, offset, type. Here these become variables of the compiled function. The
// address of the memory is kept in a slot on the stack, written once; a variable lies at what the slot holds, plus its
// offset.
#include "jit/debug/debug.h"
#include "jit/ir/dialect.h"
#include "ptx/dwarf.h"
#include <stdlib.h>
#include <string.h>

enum { OP_DEREF = 0x06, OP_PLUS_UCONST = 0x23 };

struct debug_variables {
    const struct ptx_module *m;
    LLVMContextRef context;
    LLVMDIBuilderRef builder;
    struct dwarf dwarf;
    struct map types; // offset, plus one -> type
    struct map open;  // offset, plus one -> itself: structures that are being read
};

static const void *key(uint32_t offset)
{
    return (const void *)((uintptr_t)offset + 1);
}

static LLVMMetadataRef type_read(struct debug_variables *v, uint32_t offset, unsigned depth);

// The first child of an entry behind `last`, or behind the entry itself; NULL: none.
static const struct dwarf_entry *child_after(const struct debug_variables *v, const struct dwarf_entry *e,
                                             const struct dwarf_entry *last)
{
    const struct dwarf_entry *end = v->dwarf.entries.data + v->dwarf.entries.len;
    int index = (int)(e - v->dwarf.entries.data);
    for (const struct dwarf_entry *c = last + 1; c < end && c->parent >= index; c++)
        if (c->parent == index)
            return c;
    return NULL;
}

// NULL: of elements whose type is not known (pointers to members), for which LLVM has no array.
static LLVMMetadataRef array_read(struct debug_variables *v, const struct dwarf_entry *e, unsigned depth)
{
    LLVMMetadataRef element = type_read(v, e->type, depth), ranges[8];
    unsigned n = 0;
    uint64_t count = 1;
    if (!element)
        return NULL;
    for (const struct dwarf_entry *c = e; n < 8 && (c = child_after(v, e, c));) {
        if (c->tag != DWARF_SUBRANGE)
            continue;
        ranges[n++] = LLVMDIBuilderGetOrCreateSubrange(v->builder, 0, c->count < 0 ? 0 : c->count);
        count *= c->count < 0 ? 0 : (uint64_t)c->count;
    }
    return LLVMDIBuilderCreateArrayType(v->builder, LLVMDITypeGetSizeInBits(element) * count, 0, element, ranges, n);
}

static LLVMMetadataRef structure_read(struct debug_variables *v, const struct dwarf_entry *e, LLVMMetadataRef file,
                                      unsigned depth)
{
    enum { MEMBERS = 128 };
    LLVMMetadataRef members[MEMBERS];
    unsigned n = 0;
    const char *name = e->name ? e->name : "";
    uint32_t offset = e->offset;
    if (map_get_ptr(&v->open, key(offset)))
        return NULL; // a pointer to itself, shown as one to nothing in particular
    map_put_ptr(&v->open, key(offset), v);
    for (const struct dwarf_entry *c = e; n < MEMBERS && (c = child_after(v, e, c));) {
        if ((c->tag != DWARF_MEMBER && c->tag != DWARF_INHERITANCE) || !c->type)
            continue;
        LLVMMetadataRef t = type_read(v, c->type, depth);
        const char *member = c->name ? c->name : c->tag == DWARF_INHERITANCE ? "base" : "";
        if (t)
            members[n++] = LLVMDIBuilderCreateMemberType(v->builder, file, member, strlen(member), file, c->line,
                                                         LLVMDITypeGetSizeInBits(t), 0, c->at * 8, LLVMDIFlagZero, t);
    }
    map_put_ptr(&v->open, key(offset), NULL);
    if (e->tag == DWARF_UNION)
        return LLVMDIBuilderCreateUnionType(v->builder, file, name, strlen(name), file, e->line, e->size * 8, 0,
                                            LLVMDIFlagZero, members, n, 0, "", 0);
    return LLVMDIBuilderCreateStructType(v->builder, file, name, strlen(name), file, e->line, e->size * 8, 0,
                                         LLVMDIFlagZero, NULL, members, n, 0, NULL, "", 0);
}

// NULL: void, or what is not known.
static LLVMMetadataRef type_read(struct debug_variables *v, uint32_t offset, unsigned depth)
{
    enum { DEPTH_LIMIT = 24, POINTER_BITS = 64 };
    LLVMMetadataRef t = map_get_ptr(&v->types, key(offset)), of;
    const struct dwarf_entry *e = offset && depth < DEPTH_LIMIT ? dwarf_at(&v->dwarf, offset) : NULL;
    if (t || !e)
        return t;
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(v->builder, "", 0, "", 0);
    const char *name = e->name ? e->name : "";
    switch (e->tag) {
    case DWARF_BASE:
        t = LLVMDIBuilderCreateBasicType(v->builder, name, strlen(name), e->size * 8, e->encoding, LLVMDIFlagZero);
        break;
    case DWARF_ENUM: // as the number that it is
        t = LLVMDIBuilderCreateBasicType(v->builder, *name ? name : "enum", *name ? strlen(name) : 4, e->size * 8, 5,
                                         LLVMDIFlagZero);
        break;
    case DWARF_POINTER:
    case DWARF_REFERENCE:
    case DWARF_RVALUE:
        t = LLVMDIBuilderCreatePointerType(v->builder, type_read(v, e->type, depth + 1), POINTER_BITS, 0, 0, "", 0);
        break;
    case DWARF_CONST:
    case DWARF_VOLATILE:
        of = type_read(v, e->type, depth + 1);
        t = of ? LLVMDIBuilderCreateQualifiedType(v->builder, e->tag, of) : NULL;
        break;
    case DWARF_TYPEDEF:
        of = type_read(v, e->type, depth + 1);
        t = of ? LLVMDIBuilderCreateTypedef(v->builder, of, name, strlen(name), file, e->line, file, 0) : NULL;
        break;
    case DWARF_ARRAY:
        t = array_read(v, e, depth + 1);
        break;
    case DWARF_STRUCT:
    case DWARF_CLASS:
    case DWARF_UNION:
        t = structure_read(v, e, file, depth + 1);
        break;
    default:
        break;
    }
    if (t)
        map_put_ptr(&v->types, key(offset), t);
    return t;
}

struct debug_variables *debug_variables_create(const struct ptx_module *m, LLVMContextRef context,
                                               LLVMDIBuilderRef builder)
{
    struct debug_variables *v = calloc(1, sizeof *v);
    if (v) {
        *v = (struct debug_variables){.m = m, .context = context, .builder = builder};
        dwarf_read(&v->dwarf, m);
    }
    return v;
}

const struct dwarf *debug_variables_dwarf(const struct debug_variables *v)
{
    return &v->dwarf;
}

LLVMMetadataRef debug_variables_type(struct debug_variables *v, uint32_t type)
{
    return type_read(v, type, 0);
}

void debug_variables_destroy(struct debug_variables *v)
{
    if (!v)
        return;
    dwarf_fini(&v->dwarf);
    map_free(&v->types);
    map_free(&v->open);
    free(v);
}

static void declare(struct debug_variables *v, LLVMValueRef slot, const struct dwarf_entry *e, unsigned argument,
                    LLVMMetadataRef at, LLVMValueRef before)
{
    LLVMMetadataRef sub = debug_subprogram(v->context, LLVMDILocationGetScope(at)), type = type_read(v, e->type, 0);
    if (!sub || !type)
        return;
    LLVMMetadataRef file = LLVMDIScopeGetFile(sub);
    LLVMMetadataRef x = argument
                            ? LLVMDIBuilderCreateParameterVariable(v->builder, sub, e->name, strlen(e->name), argument,
                                                                   file, e->line, type, true, LLVMDIFlagZero)
                            : LLVMDIBuilderCreateAutoVariable(v->builder, sub, e->name, strlen(e->name), file, e->line,
                                                              type, true, LLVMDIFlagZero, 0);
    uint64_t steps[3] = {OP_DEREF, OP_PLUS_UCONST, e->symbol_offset};
    LLVMDIBuilderInsertDeclareRecordBefore(v->builder, slot, x, LLVMDIBuilderCreateExpression(v->builder, steps, 3), at,
                                           before);
}

// heddle.locals(memory, function, variable)
static void call_read(struct debug_variables *v, LLVMValueRef f, LLVMValueRef call)
{
    uint64_t function = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
    uint64_t local = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    if (!at || function >= v->m->nfuncs || local >= v->m->funcs[function]->nlocals)
        return;
    const char *symbol = v->m->funcs[function]->locals[local]->name;
    int entry = dwarf_function(&v->dwarf, v->m->funcs[function]->name);
    if (entry < 0)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(v->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef slot = LLVMBuildAlloca(b, LLVMPointerTypeInContext(v->context, 0), "locals");
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMSetVolatile(LLVMBuildStore(b, LLVMGetOperand(call, 0), slot), true);
    LLVMDisposeBuilder(b);
    unsigned arguments = 0;
    for (size_t i = (size_t)entry + 1; i < v->dwarf.entries.len && v->dwarf.entries.data[i].parent >= entry; i++) {
        const struct dwarf_entry *e = &v->dwarf.entries.data[i];
        bool parameter = e->tag == DWARF_PARAMETER && e->parent == entry;
        arguments += parameter;
        if (dwarf_is_variable(&v->dwarf, entry, (int)i) && !strcmp(e->symbol, symbol))
            declare(v, slot, e, parameter ? arguments : 0, at, call);
    }
}

void debug_variables_add(struct debug_variables *v, LLVMValueRef function)
{
    FOR_FUNCTION_SAFE (function, x)
        if (op_of(x) == OP_LOCALS) {
            call_read(v, function, x);
            LLVMInstructionEraseFromParent(x);
        }
}
