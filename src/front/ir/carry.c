// SPDX-License-Identifier: Apache-2.0
// Chains of carries through several asm statements. add.cc in one and addc in the next are joined by the carry flag alone,
// which no operand tells of, and programs leave out `volatile`: NVIDIA's compiler keeps such statements in their order.
// LLVM takes them for functions of their operands, so that an `addc 0, 0` leaves a loop or becomes the one before it.
//
// So where the PTX of a device pass has asm whose carry comes from outside or goes there, the module of the front end gets
// these statements as ones with side effects before LLVM sees it. Statements that are whole in themselves stay as they are.
#include "front/front.h"
#include "front/ir/token.h"
#include <ctype.h>
#include <string.h>

#define GROUP "#1000000" // of attributes, for calls that are not pure any more

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// Whether the carry flag comes into these instructions, or leaves them. In LLVM's text a character may be \XX.
static bool is_open(const char *text, size_t n)
{
    static const char *const reading[] = {"addc", "subc", "madc"}, *const plain[] = {"add", "sub", "mad"};
    bool set = false, leaves = false;
    for (size_t i = 0; i < n;) {
        if (text[i] == '\\') {
            i += 3;
            continue;
        }
        if (!is_word(text[i])) {
            // A register's name is no instruction.
            bool name = text[i++] == '%';
            while (name && i < n && is_word(text[i]))
                i++;
            continue;
        }
        size_t first = i;
        while (i < n && is_word(text[i]))
            i++;
        const char *word = text + first, *point = memchr(word, '.', i - first);
        size_t length = point ? (size_t)(point - word) : i - first;
        bool reads = str_is_any(word, length, reading, 3), writes = reads || str_is_any(word, length, plain, 3);
        writes = writes && memmem(word, i - first, ".cc", 3);
        if (reads && !set)
            return true;
        set |= writes;
        leaves = writes || (leaves && !reads);
    }
    return leaves;
}

bool front_ptx_has_carries(const char *ptx)
{
    static const char begin[] = "// begin inline asm", end[] = "// end inline asm";
    for (const char *p = ptx; (p = strstr(p, begin));) {
        const char *stop = strstr(p, end);
        if (!stop)
            return false;
        p += strlen(begin);
        if (is_open(p, (size_t)(stop - p)))
            return true;
        p = stop;
    }
    return false;
}

char *front_ir_order_carries(const char *ir, size_t *size)
{
    struct str out = {0};
    const char *done = ir, *stop = ir + strlen(ir);
    for (struct ir_token t = ir_token(ir, stop); t.kind; t = ir_token(t.end, stop)) {
        // asm "instructions", "kinds of operands"(arguments) #0
        struct ir_token text = ir_is(t, "asm") ? ir_token(t.end, stop) : t;
        if (text.kind != IR_STRING || text.at == t.at || !is_open(text.at + 1, (size_t)(text.end - text.at) - 2))
            continue;
        struct ir_token open = ir_token(ir_token(ir_token(text.end, stop).end, stop).end, stop);
        const char *end = ir_is(open, "(") ? ir_group_end(open.at, stop) : stop;
        if (end == stop)
            continue;
        str_append_n(&out, done, (size_t)(t.end - done));
        str_append(&out, " sideeffect");
        str_append_n(&out, t.end, (size_t)(end - t.end));
        str_append(&out, " " GROUP);
        t = ir_token(end, stop);
        t.end = done = t.kind == IR_GROUP ? t.end : end;
    }
    if (done == ir)
        return NULL;
    str_append(&out, done);
    str_append(&out, "\nattributes " GROUP " = { convergent nounwind }\n");
    *size = out.len;
    return out.data;
}
