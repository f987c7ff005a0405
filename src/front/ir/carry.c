// SPDX-License-Identifier: Apache-2.0
// Chains of carries through several asm statements. add.cc in one and addc in the next are joined by the carry flag alone,
// which no operand tells of, and programs leave out `volatile`: NVIDIA's compiler keeps such statements in their order.
// LLVM takes them for functions of their operands, so that an `addc 0, 0` leaves a loop or becomes the one before it.
//
// So where the PTX of a device pass has asm whose carry comes from outside or goes there, the module of the front end gets
// these statements as ones with side effects before LLVM sees it. Statements that are whole in themselves stay as they are.
#include "front/front.h"
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

// Behind the arguments of the call: p is behind the instructions' quote, and the operands' kinds are in quotes before them.
static const char *call_end(const char *p)
{
    const char *kinds = strchr(p, '"'), *open = kinds ? strchr(kinds + 1, '"') : NULL;
    return open && open[1] == '(' ? str_skip_brackets(open + 1) : NULL;
}

char *front_ir_order_carries(const char *ir, size_t *size)
{
    static const char mark[] = " asm \"";
    struct str out = {0};
    const char *done = ir;
    for (const char *p = ir; (p = strstr(p, mark)); p++) {
        const char *text = p + strlen(mark), *quote = strchr(text, '"'), *end = quote ? call_end(quote + 1) : NULL;
        if (!end || !is_open(text, (size_t)(quote - text)))
            continue;
        str_append_n(&out, done, (size_t)(p - done));
        str_append(&out, " asm sideeffect \"");
        str_append_n(&out, text, (size_t)(end - text));
        str_append(&out, " " GROUP);
        if (end[0] == ' ' && end[1] == '#')
            end += 2 + strspn(end + 2, "0123456789");
        done = p = end;
        p--;
    }
    if (done == ir)
        return NULL;
    str_append(&out, done);
    str_append(&out, "\nattributes " GROUP " = { convergent nounwind }\n");
    *size = out.len;
    return out.data;
}
