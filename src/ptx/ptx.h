// SPDX-License-Identifier: Apache-2.0
// The PTX front end's data: a module as the parser leaves it. Everything lives in the module's arena and is read-only
// after ptx_module_verify. Names are as written in the text; scopes are already resolved: two registers or variables
// of one name in nested scopes are two entries.
#ifndef HEDDLE_PTX_PTX_H
#define HEDDLE_PTX_PTX_H
#include "base/arena.h"
#include "base/vec.h"
#include "base/diag.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Fundamental types, from type.def: TYPE(name, text, bytes, class). PTX_TYPE_NONE is 0.
enum ptx_type {
    PTX_TYPE_NONE,
#define TYPE(name, text, bytes, class) PTX_TYPE_##name,
#include "ptx/type.def"
#undef TYPE
    PTX_TYPE_COUNT
};

enum ptx_type_class {
    PTX_CLASS_NONE,
    PTX_CLASS_PRED,
    PTX_CLASS_BITS,
    PTX_CLASS_UNSIGNED,
    PTX_CLASS_SIGNED,
    PTX_CLASS_FLOAT,
    PTX_CLASS_OPAQUE
};

// State spaces. Unqualified ld/st/atom use PTX_SPACE_GENERIC.
enum ptx_space {
    PTX_SPACE_GENERIC,
    PTX_SPACE_REG,
    PTX_SPACE_SREG,
    PTX_SPACE_CONST,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_LOCAL,
    PTX_SPACE_PARAM,  // of the kernel, of the function, or of a call: the variable tells
    PTX_SPACE_SHARED, // .shared and .shared::cta
    PTX_SPACE_SHARED_CLUSTER,
    PTX_SPACE_TEX
};

// Base mnemonics, one enumerator for each distinct first word in insn.def: PTX_OP_ADD, PTX_OP_LD, ... (generated).
// Special registers from sreg.def: PTX_SREG_TID_X, ... Modifier values from mod.def, by category: MOD(category, NAME, text).
#include "ptx/ptx_enums.h"

struct ptx_loc {
    uint32_t line, column; // in the PTX text, from 1
};

// Where a function was inlined: the call's place, which may be inlined itself (then another .loc stands there).
struct ptx_inlined {
    uint32_t file, line, column;
    const char *function; // the inlined function's name, or NULL
    const char *label;    // where the name lies in .debug_str, or NULL
    uint32_t label_offset;
};

struct ptx_source_loc {
    uint32_t file, line, column;       // from .loc; file 0: none
    const struct ptx_inlined *inlined; // NULL: not inlined
};

struct ptx_reg {
    enum ptx_type type;
    uint8_t width;    // 1; 2 or 4 for .v2/.v4 registers
    const char *name; // for %r<100>: the prefix, with number set
    int32_t number;   // -1: the name is whole
};

// A value or address placed in a variable's initialiser.
struct ptx_reloc {
    uint64_t offset; // in the variable
    uint8_t size;    // bytes: 1, 2, 4 or 8 (1: one byte of the address, shifted as below)
    uint8_t shift;   // the address is shifted right by this many bits before it is stored (mask() forms)
    bool generic;    // generic(symbol): the generic address
    const struct ptx_var *var;
    const struct ptx_func *func; // exactly one of var and func is set
    int64_t addend;
};

struct ptx_var {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    uint8_t vec; // 1, 2 or 4 (or 8)
    bool is_extern, is_visible, is_weak, is_common, is_managed;
    bool unsized; // extern .shared x[]: the dynamic shared memory
    uint32_t align;
    uint64_t size;       // bytes, whole variable
    const uint8_t *init; // size bytes, or NULL: zero
    bool has_init;
    const struct ptx_reloc *relocs;
    uint32_t nrelocs;
    bool ptr; // kernel parameter with .ptr
    enum ptx_space ptr_space;
    uint32_t ptr_align;
    uint32_t offset; // parameters: offset in the parameter block (kernels) or index order (functions)
    uint32_t reg;    // parameters declared .reg (space PTX_SPACE_REG): the register that holds it in the body
    uint32_t index;  // module scope .global/.const (function-scope ones included): place in ptx_module.vars
    struct ptx_loc loc;
    const struct ptx_func *func; // NULL: module scope
};

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REG,         // reg; component >= 0 for %v.x
    PTX_OPERAND_SREG,        // sreg
    PTX_OPERAND_INT,         // i (also predicates: 0/1)
    PTX_OPERAND_F32,         // bits in i (low 32): 0fXXXXXXXX
    PTX_OPERAND_F64,         // bits in i: 0dXXXXXXXXXXXXXXXX, or a decimal constant
    PTX_OPERAND_VAR,         // address of var + i
    PTX_OPERAND_FUNC,        // func
    PTX_OPERAND_LABEL,       // label
    PTX_OPERAND_LABELS,      // targets: a .branchtargets list
    PTX_OPERAND_PROTO,       // proto: a .callprototype
    PTX_OPERAND_CALLTARGETS, // list of FUNC operands
    PTX_OPERAND_ADDRESS,     // [base + i]: list[0] is the base (REG, VAR or INT), i the offset
    PTX_OPERAND_VECTOR,      // {a, b, ...}: list
    PTX_OPERAND_LIST,        // (a, b): call arguments or results: list
    PTX_OPERAND_TEXTURE,     // [tex, {coords}], [tex, sampler, {coords}]: list; coordinates a VECTOR or scalar last
    PTX_OPERAND_SINK         // _
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;     // !p
    bool minus;       // -a, of vmad
    int8_t component; // -1: whole; 0..3: .x .y .z .w; else a part of a video operand, as below
    int64_t i;
    uint32_t reg; // index into ptx_func.regs
    enum ptx_sreg sreg;
    struct ptx_var *var;
    struct ptx_func *func;
    uint32_t label; // index into ptx_func.labels
    struct ptx_proto *proto;
    struct ptx_operand *list;
    uint32_t nlist;
    struct ptx_operand *pair; // d|p: the part after the bar
    struct ptx_loc loc;
};

enum { PTX_COMPONENT_B0 = 4, PTX_COMPONENT_H0 = 8 }; // .b0 to .b3, .h0 and .h1

enum { PTX_MAX_TYPES = 6 };

struct ptx_insn {
    enum ptx_op op;
    uint16_t form; // row of ptx_forms (insn.def) that matched
    uint8_t ntypes;
    uint8_t types[PTX_MAX_TYPES];      // enum ptx_type in the order they are written
    uint16_t mods[PTX_MOD_CATEGORIES]; // by category: the chosen enum ptx_mod value, 0 when absent
    uint8_t vec;                       // 1, 2, 4, 8 from .v2 ...
    uint16_t shape[3];                 // m, n, k of mma, wmma, wgmma, ldmatrix (.m16n8k16); 0 where absent
    enum ptx_space space;              // ld, st, atom, red, cvta, isspacep, prefetch ...: PTX_SPACE_GENERIC when absent
    enum ptx_space space2;             // second space where there is one (cp.async.shared.global)
    bool guarded, guard_negated;
    uint32_t guard; // register of @p
    struct ptx_operand *operands;
    uint32_t noperands;
    struct ptx_loc loc;
    struct ptx_source_loc source;
};
// call: operands are [LIST results] FUNC|REG [LIST arguments] [PROTO|CALLTARGETS]; always four, NONE where absent.
// setp/selp/...: operands in the order written; "p|q" is a REG with pair set.

struct ptx_label {
    const char *name;
    uint32_t insn; // index of the instruction that follows (== ninsns: end of body)
};

struct ptx_proto { // of a function or a .callprototype
    const char *name;
    struct ptx_var **rets;
    uint32_t nrets;
    struct ptx_var **params;
    uint32_t nparams;
    bool noreturn;
};

struct ptx_func {
    const char *name;
    bool is_entry, is_extern, is_visible, is_weak;
    bool has_body;
    bool address_taken;     // its address is used other than as a direct callee
    struct ptx_func *alias; // .alias name, other
    struct ptx_proto proto;
    uint32_t param_bytes, param_align; // kernels: of the parameter block
    // performance directives; 0 where absent
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnctapersm, maxnreg;
    uint32_t reqnctapercluster[3], maxclusterrank;
    bool explicitcluster, blocksareclusters;
    const struct ptx_reg *regs;
    uint32_t nregs;
    struct ptx_var **locals; // .local, .shared, .param (of calls), and function-scope .global/.const
    uint32_t nlocals;
    const struct ptx_label *labels;
    uint32_t nlabels;
    struct ptx_insn *insns;
    uint32_t ninsns;
    uint32_t index; // place in ptx_module.funcs
    struct ptx_loc loc;
};

struct ptx_file {
    uint32_t index;
    const char *name;
};

struct ptx_section_mark {
    const char *name;
    uint64_t offset; // in the section
};

// Debug information: .debug_info, .debug_abbrev or .debug_str (without the dot).
struct ptx_section {
    const char *name;
    const uint8_t *data;
    uint64_t size;
    const struct ptx_section_mark *refs; // where the address of a symbol belongs; data has the addend
    uint32_t nrefs;
    const struct ptx_section_mark *labels;
    uint32_t nlabels;
};

struct ptx_module {
    struct arena arena;
    uint32_t version;   // 90 for 9.0
    uint32_t target;    // 90 for sm_90
    char target_suffix; // 'a', 'f' or 0
    bool texmode_independent, debug;
    bool outline;          // bodies were passed over: functions have what stands before them, and has_body
    uint32_t address_size; // 64
    struct ptx_var **vars; // .global, .const (of every scope) and module-scope .shared, .tex ...
    uint32_t nvars;
    struct ptx_func **funcs; // definitions and declarations, each name once
    uint32_t nfuncs;
    const struct ptx_file *files;
    uint32_t nfiles;
    const struct ptx_section *sections; // of a linked module: in sets, one for each text that has them (ptx/dwarf.h)
    uint32_t nsections;
};

// Parses one module. The text needs no terminator. NULL on error: the diagnostics say where. The caller destroys it.
struct ptx_module *ptx_module_parse(const char *text, size_t size, struct diag *d);
// Where the bodies of a text's functions lie: from behind the '{' to behind the '}', the lines between, and where the last of these begins.
struct ptx_body {
    uint32_t from, to, lines, line_start;
};
struct ptx_bodies VEC(struct ptx_body);
// The same without what is in bodies, for a text that is known to be right: ten times as fast. `bodies`, which may be NULL: empty, they are
// noted there; else they are those that were noted of this very text, and the bodies are not even read.
struct ptx_module *ptx_module_outline(const char *text, size_t size, struct ptx_bodies *bodies, struct diag *d);
// Has the outline the same variables and functions at the same places? Not where a body declares variables of the module.
bool ptx_module_matches(const struct ptx_module *outline, const struct ptx_module *m);
void ptx_module_destroy(struct ptx_module *m);
// Checks types, operand shapes and targets against the instruction table. parse does not call it.
bool ptx_module_verify(const struct ptx_module *m, struct diag *d);
// Text that parses to an equal module.
void ptx_module_print(const struct ptx_module *m, struct str *out);
// Resolves extern symbols among several modules to one new module (deep: the inputs may be destroyed afterwards).
struct ptx_module *ptx_module_link(struct ptx_module *const *modules, size_t n, struct diag *d);

struct ptx_func *ptx_module_func(const struct ptx_module *m, const char *name);
struct ptx_var *ptx_module_var(const struct ptx_module *m, const char *name);

const char *ptx_op_name(enum ptx_op op);
const char *ptx_type_name(enum ptx_type t); // "f32"
unsigned ptx_type_bytes(enum ptx_type t);   // 0 for .pred and opaque types
enum ptx_type_class ptx_type_class(enum ptx_type t);
static inline const struct ptx_func *
ptx_func_resolve(const struct ptx_func *f) // what an alias stands for; f may be NULL
{
    while (f && f->alias)
        f = f->alias;
    return f;
}
static inline bool ptx_type_is_half_pair(enum ptx_type t)
{
    return t == PTX_TYPE_F16X2 || t == PTX_TYPE_BF16X2;
}
static inline bool ptx_type_is_half(enum ptx_type t) // f16, bf16 and their pairs
{
    return t == PTX_TYPE_F16 || t == PTX_TYPE_BF16 || ptx_type_is_half_pair(t);
}
static inline bool ptx_space_is_shared(enum ptx_space s)
{
    return s == PTX_SPACE_SHARED || s == PTX_SPACE_SHARED_CLUSTER;
}
enum ptx_type
ptx_type_doubled(enum ptx_type t);          // the integer of twice the size that mul.wide makes; others as they are
const char *ptx_mod_name(unsigned mod);     // "rn"
const char *ptx_sreg_name(enum ptx_sreg s); // "%tid.x"
// The name as written, in buf (for numbered registers) or the stored one.
const char *ptx_reg_name(const struct ptx_func *f, uint32_t reg, char buf[64]);
// The instruction as text, for messages.
void ptx_insn_print(const struct ptx_func *f, const struct ptx_insn *i, struct str *out);
#endif
