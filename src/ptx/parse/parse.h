// SPDX-License-Identifier: Apache-2.0
// What the parts of the parser share: the state of one parse, scopes of names, and the functions between the files.
// Functions return false after a message; the first error ends the parse.
#ifndef HEDDLE_PTX_PARSE_PARSE_H
#define HEDDLE_PTX_PARSE_PARSE_H
#include "base/vec.h"
#include "ptx/form.h"
#include "ptx/parse/lex.h"
#include "ptx/ptx.h"

// Limits that keep hostile input from taking time or memory without bound. Real programs stay far below.
enum {
    PTX_MAX_DEPTH = 64,     // of blocks, expressions, initialisers
    PTX_MAX_WORDS = 24,     // suffixes of an instruction
    PTX_MAX_OPERANDS = 32,  // of an instruction
    PTX_MAX_PARAMS = 32764, // bytes of a kernel's parameters
    PTX_MAX_ALIGN = 1 << 20,
    PTX_MAX_DIMS = 16 // of an array
};
#define PTX_MAX_VAR      (1ull << 40) // bytes of a variable
#define PTX_MAX_INIT     (1ull << 28) // bytes of a variable with an initialiser
#define PTX_MAX_INIT_ALL (1ull << 30) // bytes of all of them

enum ptx_symbol_kind {
    PTX_SYMBOL_REG,         // index: into ptx_func.regs
    PTX_SYMBOL_REG_LATE,    // declared, not used yet: type, width
    PTX_SYMBOL_REG_RANGE,   // %r<count>: type, width, count
    PTX_SYMBOL_VAR,         // p: struct ptx_var
    PTX_SYMBOL_FUNC,        // p: struct ptx_func
    PTX_SYMBOL_LABEL,       // index: into ptx_func.labels
    PTX_SYMBOL_TARGETS,     // p: list of operands, index: their number; LABEL references of this scope
    PTX_SYMBOL_CALLTARGETS, // p: list of FUNC operands, index: their number
    PTX_SYMBOL_PROTO        // p: struct ptx_proto
};

struct ptx_symbol {
    const char *name; // not terminated
    uint32_t len, hash;
    enum ptx_symbol_kind kind;
    enum ptx_type type;
    uint8_t width;
    uint32_t index;
    uint64_t count;
    void *p;
};

struct ptx_scope {
    struct ptx_scope *parent;
    struct ptx_symbol **table;
    uint32_t len, cap;
    bool has_ranges;
    size_t first_ref; // references made in this scope and not found yet begin here in ptx_parser.refs
};

// A label, target list or prototype named before (or after) it stands; resolved when its scope ends.
struct ptx_ref {
    const char *name;
    uint32_t len;
    struct ptx_loc loc;
    const struct ptx_symbol *symbol; // NULL: not yet
    bool open;                       // still looked for
};

// An address in an initialiser whose symbol was unknown there.
struct ptx_late_reloc {
    struct ptx_reloc *reloc;
    const char *name;
    uint32_t len;
    struct ptx_loc loc;
};

struct ptx_parser {
    struct ptx_lexer lex;
    struct ptx_token t, next; // the current token and, where has_next, the one after
    bool has_next;
    struct diag *d;
    struct ptx_module *m;
    struct ptx_scope *scope, *module_scope;
    unsigned depth;
    uint64_t init_bytes;
    bool outline;          // bodies are passed over
    struct ptx_func *func; // whose body is being parsed
    struct ptx_source_loc source;
    struct VEC(struct ptx_reg) regs;
    struct VEC(struct ptx_insn) insns;
    struct VEC(struct ptx_label) labels;
    struct VEC(struct ptx_var *) locals;
    struct VEC(struct ptx_ref) refs;
    struct VEC(struct ptx_var *) vars;
    struct VEC(struct ptx_func *) funcs;
    struct VEC(struct ptx_file) files;
    struct VEC(struct ptx_section) sections;
    struct VEC(struct ptx_inlined *) inlined;
    struct VEC(struct ptx_operand) scratch;
    struct VEC(struct ptx_late_reloc) late;
};

// Tokens (token.c).
bool ptx_parse_error(struct ptx_parser *p, struct ptx_loc at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool ptx_unexpected(struct ptx_parser *p, const char *what); // the error that something else stands here
bool ptx_advance(struct ptx_parser *p);
bool ptx_peek(struct ptx_parser *p, struct ptx_token *t);
static inline bool ptx_is_punct(const struct ptx_token *t, unsigned c)
{
    return t->kind == PTX_TOKEN_PUNCT && t->value == c;
}
bool ptx_is_dot(const struct ptx_token *t, const char *word);
bool ptx_is_word(const struct ptx_token *t, const char *word);
bool ptx_accept(struct ptx_parser *p, unsigned c, bool *was); // takes the character where it stands
bool ptx_expect(struct ptx_parser *p, unsigned c);
bool ptx_expect_name(struct ptx_parser *p, struct ptx_token *name);
bool ptx_expect_int(struct ptx_parser *p, uint64_t limit, uint32_t *out);
bool ptx_parse_file(struct ptx_parser *p);
bool ptx_parse_pragma(struct ptx_parser *p);
bool ptx_parse_section(struct ptx_parser *p);   // section.c
void ptx_inlined_resolve(struct ptx_parser *p); // names of inlined functions, once all sections are there

// Scopes (scope.c).
void ptx_scope_open(struct ptx_parser *p);
// An operand that names what may stand further down.
bool ptx_reference_add(struct ptx_parser *p, const struct ptx_token *name, struct ptx_operand *o);
bool ptx_scope_close(struct ptx_parser *p); // resolves what the scope can; the rest goes to its parent
struct ptx_symbol *ptx_scope_find(const struct ptx_parser *p, const struct ptx_token *name);
struct ptx_symbol *ptx_scope_find_here(const struct ptx_parser *p, const struct ptx_token *name);
struct ptx_symbol *ptx_scope_find_range(const struct ptx_parser *p, const struct ptx_token *prefix); // in this scope
struct ptx_symbol *ptx_scope_add(struct ptx_parser *p, const struct ptx_token *name, enum ptx_symbol_kind kind);
// The register's index, made on first use; false when there is no such register (no message).
bool ptx_scope_reg(struct ptx_parser *p, const struct ptx_token *name, uint32_t *reg);

// Constant expressions (expr.c).
struct ptx_value {
    enum ptx_token_kind kind; // INT, F32 or F64
    bool is_unsigned;
    uint64_t bits;
};
bool ptx_expr_parse(struct ptx_parser *p, struct ptx_value *v);
bool ptx_expr_parse_uint(struct ptx_parser *p, uint64_t limit, const char *what, uint64_t *out);
double ptx_value_double(const struct ptx_value *v);

// Variables, parameters and initialisers (variable.c, init.c).
// One declaration with all its names; the current token is the space's, `linkage` carries .visible, .extern ...
bool ptx_parse_variables(struct ptx_parser *p, const struct ptx_var *linkage);
bool ptx_parse_registers(struct ptx_parser *p); // after .reg
bool ptx_parse_attribute(struct ptx_parser *p, struct ptx_var *v);
// ( ... ): parameters or results. With `declare` their names enter the scope.
bool ptx_parse_params(struct ptx_parser *p, bool declare, struct ptx_var ***list, uint32_t *n);
bool ptx_parse_initialiser(struct ptx_parser *p, struct ptx_var *v, const uint64_t *dims, unsigned ndims);
bool ptx_late_relocs_resolve(struct ptx_parser *p);

// Functions (function.c).
bool ptx_parse_function(struct ptx_parser *p, const struct ptx_var *linkage);

// Instructions (statement.c, operand.c, match.c).
bool ptx_parse_statement(struct ptx_parser *p);
bool ptx_parse_operand(struct ptx_parser *p, struct ptx_operand *o);
bool ptx_parse_pair(struct ptx_parser *p, struct ptx_operand *o);
// Finds the row that the suffix words and the operands fit and fills in types, modifiers, spaces.
bool ptx_match(struct ptx_parser *p, struct ptx_insn *i, const struct ptx_token *words, unsigned nwords);
// Which spec of the form each operand is (PTX_MAX_OPERANDS places); false where they do not fit.
bool ptx_form_operands(const struct ptx_form *f, const struct ptx_reg *regs, const struct ptx_insn *i,
                       uint8_t *spec_of);
#endif
