// SPDX-License-Identifier: Apache-2.0
// The instruction table as the parser, the verifier and the printer use it; the rows come from insn.def through ptxgen.
#ifndef HEDDLE_PTX_FORM_H
#define HEDDLE_PTX_FORM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_slot_kind { PTX_SLOT_TYPE, PTX_SLOT_SPACE, PTX_SLOT_VEC, PTX_SLOT_MOD, PTX_SLOT_SHAPE };

// One suffix of a form.
struct ptx_slot {
    uint8_t kind, category; // category: enum ptx_modcat, for PTX_SLOT_MOD
    uint8_t optional;       // 0: must stand; else the number of the braces it stands in, which are whole or absent
    uint16_t set;           // row of ptx_sets; for shapes the first of ptx_shapes, a list that ends with m == 0
};

enum ptx_spec_kind { PTX_SPEC_VALUE, PTX_SPEC_ADDRESS, PTX_SPEC_REFERENCE, PTX_SPEC_LABEL, PTX_SPEC_SINK };
enum ptx_spec_shape { PTX_SHAPE_ONE, PTX_SHAPE_IMM, PTX_SHAPE_VEC, PTX_SHAPE_PACK, PTX_SHAPE_MANY, PTX_SHAPE_ANY };
enum { PTX_PAIR_NONE, PTX_PAIR_OPTIONAL, PTX_PAIR_MUST };
// Types of an operand that depend on the instruction's: its n-th type (n from 0), the last one, twice the first one.
enum { PTX_SPEC_TYPE0 = 200, PTX_SPEC_LAST = 250, PTX_SPEC_DOUBLE = 251 };

// One operand of a form.
struct ptx_spec {
    uint8_t kind, shape, type;
    uint8_t optional; // as in ptx_slot
    uint8_t pair;
    bool written, negatable, minus; // negatable: !p, minus: -a
};

// From the flags column of insn.def.
enum ptx_form_flag {
#define FLAG(name, text) PTX_FORM_BIT_##name,
#include "ptx/flag.def"
#undef FLAG
    PTX_FORM_BITS
};
enum {
#define FLAG(name, text) PTX_FORM_##name = 1u << PTX_FORM_BIT_##name,
#include "ptx/flag.def"
#undef FLAG
};

struct ptx_form {
    const char *syntax;
    uint16_t op;
    uint16_t ptx, sm;
    uint32_t flags;
    const struct ptx_slot *slots;
    const struct ptx_spec *specs;
    uint8_t nslots, nspecs;
};

struct ptx_shape_row {
    uint16_t m, n, k; // n == 0: every multiple of 8 up to 256
};

// A suffix word: a type, a state space, a vector length or a modifier.
struct ptx_word {
    const char *text;
    uint8_t kind;   // enum ptx_slot_kind
    uint16_t value; // enum ptx_type, enum ptx_space, 2/4/8, enum ptx_mod
};

enum { PTX_SET_WORDS = 7 };

extern const struct ptx_form ptx_forms[];
extern const uint16_t ptx_form_first[]; // by op; the rows of an op are ptx_form_first[op] up to ptx_form_first[op + 1]
extern const unsigned ptx_forms_count;
extern const struct ptx_word ptx_words[];
extern const uint64_t ptx_sets[][PTX_SET_WORDS];
extern const struct ptx_shape_row ptx_shapes[];

static inline uint32_t ptx_hash(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h ^ h >> 15;
}

// Each looks a word up in its table; 0 or -1 when it is not there.
unsigned ptx_op_find(const char *s, size_t n);   // enum ptx_op
int ptx_word_find(const char *s, size_t n);      // index into ptx_words
unsigned ptx_sreg_find(const char *s, size_t n); // enum ptx_sreg, with its %
unsigned ptx_type_find(const char *s, size_t n); // enum ptx_type
uint8_t ptx_sreg_vec(unsigned sreg);
uint8_t ptx_sreg_type(unsigned sreg);
const char *ptx_space_name(unsigned space);
int ptx_form_find(const char *opcode); // the first row that "add.rn.f32" fits whatever its operands; -1: none
#endif
