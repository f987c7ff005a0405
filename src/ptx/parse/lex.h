// SPDX-License-Identifier: Apache-2.0
// Tokens of a PTX text. Dotted words (`.f32`, `.shared::cta`) are tokens of their own, without the dot.
#ifndef HEDDLE_PTX_PARSE_LEX_H
#define HEDDLE_PTX_PARSE_LEX_H
#include "base/diag.h"
#include "ptx/ptx.h"

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_IDENT,  // names, with % $ _ at the front where written
    PTX_TOKEN_DOT,    // .word
    PTX_TOKEN_INT,    // value; is_unsigned for the U suffix or a value beyond int64
    PTX_TOKEN_F32,    // value: bits
    PTX_TOKEN_F64,    // value: bits
    PTX_TOKEN_STRING, // text without the quotes
    PTX_TOKEN_PUNCT   // value: the character, or two of them as PTX_PUNCT2(a, b)
};
#define PTX_PUNCT2(a, b) ((unsigned)(a) << 8 | (unsigned)(b))

struct ptx_token {
    enum ptx_token_kind kind;
    bool is_unsigned;
    uint32_t len;
    const char *text;
    uint64_t value;
    struct ptx_loc loc;
};

struct ptx_lexer {
    const char *p, *end, *line_start;
    uint32_t line;
    bool after_value; // the last token ended a value: % is the operator, not the beginning of a name
    struct diag *d;
    // Of an outline: the text, bodies that are known, how many were passed over; or bodies to be noted.
    const char *text;
    const struct ptx_bodies *known;
    size_t passed;
    struct ptx_bodies *noted;
};

void ptx_lexer_init(struct ptx_lexer *x, const char *text, size_t size, struct diag *d);
// Reads the next token; false after an error message.
bool ptx_lexer_next(struct ptx_lexer *x, struct ptx_token *t);
// Reads the word at hand, which begins with a digit, again as the fraction that it is. No token behind it was read yet.
bool ptx_lexer_fraction(struct ptx_lexer *x, struct ptx_token *t);
// After a '{': goes on behind the '}' that closes it, without looking at what stands between.
bool ptx_lexer_skip(struct ptx_lexer *x);
#endif
