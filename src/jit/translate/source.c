// SPDX-License-Identifier: Apache-2.0
// Source lines: .file and .loc become LLVM's debug locations, which the later stages carry along to the object's line
// table. Every instruction of a function that has lines gets a location, line 0 where none is known: LLVM wants one on
// each call that it may inline. The kernel's subprogram is only a name and a location here; debug/debug.c gives each function
// that is emitted in the end its own.
#include "jit/translate/emit.h"
#include "ptx/dwarf.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// GDB reads the line tables of LLVM's code generator as such where the name begins so: it then knows where prologues end.
#define DEBUG_PRODUCER "clang (LLVM) by heddle"

static bool has_lines(const struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->ninsns; i++)
        if (f->insns[i].source.file)
            return true;
    return false;
}

static const char *file_name(const struct translator *t, uint32_t index)
{
    for (uint32_t i = 0; i < t->m->nfiles; i++)
        if (t->m->files[i].index == index)
            return t->m->files[i].name;
    return "";
}

static LLVMMetadataRef file_of(struct translator *t, uint32_t index)
{
    const void *key = (const void *)((uintptr_t)index + 1);
    LLVMMetadataRef f = map_get_ptr(&t->files, key);
    if (f)
        return f;
    const char *name = file_name(t, index), *slash = strrchr(name, '/');
    size_t folder = slash ? (size_t)(slash - name) : 0;
    const char *base = slash ? slash + 1 : name;
    f = LLVMDIBuilderCreateFile(t->debug, base, strlen(base), name, folder);
    map_put_ptr(&t->files, key, f);
    return f;
}

// The namespaces, or classes, that a mangled name begins with: a debugger looks for a::b by its parts. Of names with more than plain
// parts in front (templates) none.
static LLVMMetadataRef scope_of(struct translator *t, const char *linkage, LLVMMetadataRef file)
{
    LLVMMetadataRef scope = file;
    const char *name;
    size_t len;
    ptx_base_name(linkage, &name, &len);
    const char *p = linkage + 3 + (strncmp(linkage, "_ZN", 3) ? 0 : strspn(linkage + 3, "KVRO"));
    if (strncmp(linkage, "_ZN", 3))
        return scope;
    while (p < name) {
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (end == p || n > strlen(end) || end + n > name + len)
            return file;
        if (end == name)
            break;
        scope = LLVMDIBuilderCreateNameSpace(t->debug, scope, end, n, false);
        p = end + n;
    }
    return scope;
}

static LLVMMetadataRef subprogram(struct translator *t, const char *linkage, uint32_t file, uint32_t line)
{
    LLVMMetadataRef f = file_of(t, file),
                    type = LLVMDIBuilderCreateSubroutineType(t->debug, f, NULL, 0, LLVMDIFlagZero);
    const char *name;
    size_t len;
    ptx_base_name(linkage, &name, &len);
    return LLVMDIBuilderCreateFunction(t->debug, scope_of(t, linkage, f), name, len, linkage, strlen(linkage), f, line,
                                       type, true, true, line, LLVMDIFlagPrototyped, !t->m->debug);
}

static void add_flag(struct translator *t, const char *key, uint32_t v)
{
    LLVMAddModuleFlag(t->mod, LLVMModuleFlagBehaviorWarning, key, strlen(key), LLVMValueAsMetadata(tr_const_i32(t, v)));
}

void tr_source_begin(struct translator *t)
{
    bool any = false;
    for (size_t i = 0; i < t->reach->funcs.len; i++)
        any |= has_lines(t->reach->funcs.data[i].f);
    if (!any)
        return;
    t->debug = LLVMCreateDIBuilder(t->mod);
    add_flag(t, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(t, "Dwarf Version", 4); // as debug/line.c reads it
    // A unit without a folder: then the line table names the folder of each file.
    const char *kernel = t->reach->funcs.data[0].f->name;
    LLVMMetadataRef unit = LLVMDIBuilderCreateFile(t->debug, kernel, strlen(kernel), "", 0);
    LLVMDIBuilderCreateCompileUnit(t->debug, LLVMDWARFSourceLanguageC_plus_plus_14, unit, DEBUG_PRODUCER,
                                   sizeof DEBUG_PRODUCER - 1, !t->m->debug, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0,
                                   false, false, "", 0, "", 0);
}

void tr_source_function(struct translator *t)
{
    t->subprogram = NULL;
    LLVMSetCurrentDebugLocation2(t->b, NULL);
    if (!t->debug || !has_lines(t->f)) // inlined, its code is on the line of the call
        return;
    struct ptx_source_loc first = {0};
    for (uint32_t i = 0; i < t->f->ninsns && !first.line; i++)
        if (!t->f->insns[i].source.inlined)
            first = t->f->insns[i].source;
    t->subprogram = subprogram(t, t->f->name, first.file, first.line);
    t->subprogram_file = first.file;
    LLVMSetSubprogram(t->fn, t->subprogram);
    tr_source_set(t, &(struct ptx_source_loc){.file = first.file});
}

// -G: where the function's local memory lies, for debug/debug.c, which finds its variables there. The call also keeps the
// variables in memory.
void tr_source_locals(struct translator *t)
{
    if (!t->subprogram || !t->m->debug)
        return;
    for (uint32_t i = 0; i < t->f->nlocals; i++) {
        if (t->f->locals[i]->space != PTX_SPACE_LOCAL)
            continue;
        value args[3] = {tr_var_alloca(t, t->f->locals[i]), tr_const_i32(t, t->f->index), tr_const_i32(t, i)};
        tr_op(t, OP_RT_LOCALS, args, 3);
    }
}

static LLVMMetadataRef scope_in(struct translator *t, LLVMMetadataRef sub, uint32_t own, uint32_t file)
{
    return !file || file == own ? sub : LLVMDIBuilderCreateLexicalBlockFile(t->debug, sub, file_of(t, file), 0);
}

static void location_key(char key[64], uint32_t file, uint32_t line, uint32_t column)
{
    snprintf(key, 64, "%u:%u:%u", file, line, column);
}

// A location inside an inlined function; the call's location may be in an inlined function as well, then its own .loc,
// which stands earlier, tells where.
static LLVMMetadataRef location(struct translator *t, const struct ptx_source_loc *s, unsigned depth)
{
    const struct ptx_inlined *at = s->inlined;
    enum { DEPTH_LIMIT = 32 };
    if (!at || depth > DEPTH_LIMIT)
        return LLVMDIBuilderCreateDebugLocation(t->cx, s->line, s->column,
                                                scope_in(t, t->subprogram, t->subprogram_file, s->file), NULL);
    const char *name = at->function ? at->function : "inlined";
    char key[64];
    LLVMMetadataRef callee = map_get_str(&t->inlined, name);
    if (!callee) {
        callee = subprogram(t, name, s->file, s->line);
        map_put_str(&t->inlined, name, callee);
    }
    location_key(key, at->file, at->line, at->column);
    const struct ptx_source_loc *caller = map_get_str(&t->callers, key);
    struct ptx_source_loc plain = {.file = at->file, .line = at->line, .column = at->column};
    LLVMMetadataRef call = location(t, caller && caller != s ? caller : &plain, depth + 1);
    // One subprogram serves every call where the function is inlined, so its file is named with each location.
    LLVMMetadataRef scope = LLVMDIBuilderCreateLexicalBlockFile(t->debug, callee, file_of(t, s->file), 0);
    return LLVMDIBuilderCreateDebugLocation(t->cx, s->line, s->column, scope, call);
}

void tr_source_set(struct translator *t, const struct ptx_source_loc *s)
{
    if (!t->subprogram)
        return;
    if (s->inlined) {
        char key[64];
        location_key(key, s->file, s->line, s->column);
        if (!map_get_str(&t->callers, key))
            map_put_str(&t->callers, arena_strdup(&t->arena, key), (void *)s);
    }
    LLVMSetCurrentDebugLocation2(t->b, location(t, s, 0));
}

void tr_source_end(struct translator *t)
{
    map_free(&t->files);
    map_free(&t->inlined);
    map_free(&t->callers);
}
