// SPDX-License-Identifier: Apache-2.0
// 10,000 mutated PTX texts and fat binaries, the same ones on every run: each must give a result or an error with its
// place, without a crash, a hang or (under the sanitizers) a leak. Usage: mutate COUNT SEED-FILE...
#include "base/diag.h"
#include "base/os.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "fatbin/fatbin_read.h"
#include "fatbin/fatbin_write.h"
#include "fuzz_ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 0x9E3779B97F4A7C15ull;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static size_t below(size_t n)
{
    return n ? next() % n : 0;
}

static const char *const tokens[] = {
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    ":",
    "@",
    "!",
    "|",
    "<",
    ">",
    "=",
    "+",
    "-",
    "~",
    "?",
    "\"",
    "/*",
    "//",
    "#",
    ".reg",
    ".b32",
    ".pred",
    ".f64",
    ".v4",
    ".global",
    ".shared",
    ".param",
    ".entry",
    ".func",
    ".extern",
    ".align",
    ".loc",
    ".section",
    ".branchtargets",
    ".callprototype",
    ".alias",
    ".attribute",
    "%r",
    "%r1",
    "%tid",
    "%tid.x",
    "_",
    "WARP_SZ",
    "add.s32",
    "ld.global.u32",
    "call",
    "bra",
    "mov.b64",
    "setp.lt.f32",
    "ret",
    "brx.idx",
    "mma.sync",
    "generic(",
    "0",
    "-1",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999",
    "0x",
    "0f3F800000",
    "0f1",
    "0d0",
    "1e999",
    "<4000000000>",
    "[1<<60]",
    "[1152921504606846976]",
    "[0]",
    "[]",
    "0xff(",
    ".b8 x[1<<40] = {1};",
    "sm_9999",
    "\n",
    "\t",
};

static void append_random(struct str *out, const struct str *seed)
{
    if (!seed->len)
        return;
    size_t from = below(seed->len), n = 1 + below(40);
    str_append_n(out, seed->data + from, n < seed->len - from ? n : seed->len - from);
}

// One change somewhere in the text; `other` is where foreign pieces come from.
static void mutate_once(struct str *text, const struct str *other)
{
    struct str out = {0};
    size_t at = below(text->len + 1), n = below(30), rest = text->len - at;
    unsigned how = (unsigned)below(9), shift = (unsigned)below(64);
    str_append_n(&out, text->len ? text->data : "", at);
    switch (how) {
    case 0: // remove
        at += n < rest ? n : rest;
        break;
    case 1: // a token
        str_append(&out, tokens[below(sizeof tokens / sizeof *tokens)]);
        break;
    case 2: // a token in place of some bytes
        str_append(&out, tokens[below(sizeof tokens / sizeof *tokens)]);
        at += n < rest ? n : rest;
        break;
    case 3: // a foreign piece
        append_random(&out, other);
        break;
    case 4: // any byte
        str_printf(&out, "%c", (int)(1 + below(255)));
        at += rest ? 1 : 0;
        break;
    case 5: // cut off
        at = below(4) ? at : text->len;
        break;
    case 6: // one thing many times
        for (size_t i = below(12) ? 3 : 3000; i-- > 0;)
            str_append(&out, tokens[n % (sizeof tokens / sizeof *tokens)]);
        break;
    case 7: // a piece of the text again
        append_random(&out, text);
        break;
    default: // a number
        str_printf(&out, "%llu", (unsigned long long)(next() >> shift));
    }
    str_append_n(&out, (text->len ? text->data : "") + at, text->len - at);
    str_free(text);
    *text = out;
}

static bool run_fatbin(const struct str *bytes)
{
    struct diag d;
    struct fatbin f;
    diag_init(&d, "fatbin");
    bool ok = bytes->len && fatbin_read(bytes->data, bytes->len, &f, &d);
    for (size_t i = 0; ok && i < f.entries.len; i++) {
        size_t n;
        char *text = f.entries.data[i].full_size < 1 << 24 ? fatbin_entry_read(&f.entries.data[i], &n, &d) : NULL;
        if (text)
            fuzz_ptx(text, n);
        free(text);
    }
    if (ok)
        fatbin_fini(&f);
    diag_fini(&d);
    return ok;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, seeds = argc - 2, valid = 0;
    if (count <= 0 || seeds <= 0) {
        fprintf(stderr, "usage: mutate COUNT SEED-FILE...\n");
        return 2;
    }
    struct str *seed = xcalloc((size_t)seeds, sizeof *seed);
    for (int i = 0; i < seeds; i++) {
        seed[i].data = os_file_read(argv[i + 2], &seed[i].len);
        if (!seed[i].data || !fuzz_ptx(seed[i].data, seed[i].len)) {
            fprintf(stderr, "%s: not a valid seed\n", argv[i + 2]);
            return 1;
        }
    }
    for (int k = 0; k < count; k++) {
        const struct str *from = &seed[below((size_t)seeds)], *other = &seed[below((size_t)seeds)];
        bool binary = k % 10 == 9;
        struct str text = {0};
        if (binary)
            fatbin_write(&text, &(struct fatbin_item){.ptx = from->data, .size = from->len, .sm = 90}, 1);
        else
            str_append_n(&text, from->data, from->len);
        for (size_t changes = 1 + below(4); changes-- > 0;)
            mutate_once(&text, other);
        valid += binary ? run_fatbin(&text) : fuzz_ptx(str_text(&text), text.len);
        str_free(&text);
    }
    for (int i = 0; i < seeds; i++)
        free(seed[i].data);
    free(seed);
    printf("%d mutated inputs, %d of them still valid\n1 passed, 0 failed\n", count, valid);
    return 0;
}
