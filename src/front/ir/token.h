// SPDX-License-Identifier: Apache-2.0
// LLVM's text of a module, token by token. What the front end changes in it is found by tokens, never by characters: a name in quotes,
// a string, a comment or metadata may hold anything.
#ifndef HEDDLE_FRONT_IR_TOKEN_H
#define HEDDLE_FRONT_IR_TOKEN_H
#include <stdbool.h>
#include <stddef.h>

enum ir_kind {
    IR_END,
    IR_WORD,     // keywords, types, numbers, labels: global i32 -5 1.5e+00 0x7FF0 entry
    IR_GLOBAL,   // @x @"x y" @0
    IR_LOCAL,    // %x %"x y" %0
    IR_METADATA, // !x !0 !"text"
    IR_COMDAT,   // $x $"x y"
    IR_GROUP,    // #0, of attributes
    IR_STRING,   // "text" c"text\00", in which \22 is a quote
    IR_MARK      // any other character: = , ( ) [ ] { } < > : * | !
};

struct ir_token {
    enum ir_kind kind;
    const char *at, *end;
};

// The first token from p on, before end; blanks, new lines and comments are passed over.
struct ir_token ir_token(const char *p, const char *end);
bool ir_is(struct ir_token t, const char *text);
// Behind these tokens, written with blanks between them, if they are the next ones; NULL: they are not.
const char *ir_match(const char *p, const char *end, const char *tokens);
// The first token that is this one; IR_END: there is none.
struct ir_token ir_find(const char *p, const char *end, const char *text);
// Where what begins at p ends: at the comma or closing bracket behind it that belongs to something around it, or at the end.
const char *ir_item_end(const char *p, const char *end);
// Behind the bracket that closes the one at p.
const char *ir_group_end(const char *p, const char *end);
// A line that begins at p, without the new line's character.
const char *ir_line_end(const char *p);
// "@x" and '@"x"' without the sigil and quotes.
struct ir_token ir_name(struct ir_token t);
#endif
