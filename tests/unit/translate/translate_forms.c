// SPDX-License-Identifier: Apache-2.0
// Every form of the instruction table, with suffixes and operands taken at random: what the front end accepts is either
// refused by the check that modules go through when they are loaded, or translated. Nothing else may happen.
#include "jit/translate/translate.h"
#include "jit/translate/reach/support.h"
#include "ptx/form.h"
#include "test.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16, MATRIX_SAMPLES = 600 }; // shapes and types of matrices: most do not go together

static uint32_t seed = 1;
static uint32_t pick(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return n ? (seed >> 8) % n : 0;
}

// One of the words that the slot takes.
static const char *slot_word(const struct ptx_slot *s, char buf[32])
{
    if (s->kind == PTX_SLOT_SHAPE) {
        unsigned n = 0;
        while (ptx_shapes[s->set + n].m)
            n++;
        const struct ptx_shape_row *r = &ptx_shapes[s->set + pick(n)];
        int len = snprintf(buf, 32, "m%un%u", r->m, r->n ? r->n : 8 * (1 + pick(32)));
        if (r->k)
            snprintf(buf + len, 32 - (size_t)len, "k%u", r->k);
        return buf;
    }
    int words[64 * PTX_SET_WORDS], n = 0;
    for (int w = 0; w < 64 * PTX_SET_WORDS; w++)
        if (ptx_sets[s->set][w / 64] >> w % 64 & 1)
            words[n++] = w;
    return ptx_words[words[pick((uint32_t)n)]].text;
}

static const char *register_of(unsigned type, char buf[32])
{
    unsigned bytes = ptx_type_bytes((enum ptx_type)type);
    const char *name = type == PTX_TYPE_PRED ? "p" : bytes == 16 ? "q" : bytes == 8 ? "d" : bytes == 4 ? "r" : "h";
    snprintf(buf, 32, "%s%u", bytes == 1 && pick(2) ? "r" : name, pick(4));
    return buf;
}

static void operand(const struct ptx_spec *s, const unsigned *types, unsigned ntypes, unsigned vec, struct str *out)
{
    char buf[32];
    unsigned type = s->type;
    if (type == PTX_SPEC_LAST)
        type = ntypes ? types[ntypes - 1] : PTX_TYPE_B32;
    else if (type == PTX_SPEC_DOUBLE)
        type = ptx_type_bytes((enum ptx_type)types[0]) == 2 ? PTX_TYPE_B32 : PTX_TYPE_B64;
    else if (type >= PTX_SPEC_TYPE0)
        type = type - PTX_SPEC_TYPE0 < ntypes ? types[type - PTX_SPEC_TYPE0] : PTX_TYPE_B32;
    if (type == PTX_TYPE_NONE)
        type = PTX_TYPE_B32;
    switch (s->kind) {
    case PTX_SPEC_ADDRESS:
        str_append(out, pick(2) ? "[d0]" : "[r0]");
        return;
    case PTX_SPEC_REFERENCE:
        str_append(out, pick(2) ? "[d0, {r1, r2}]" : "[d0, {r1}]");
        return;
    case PTX_SPEC_LABEL:
        str_append(out, "END");
        return;
    case PTX_SPEC_SINK:
        str_append(out, "_");
        return;
    default:
        break;
    }
    unsigned n = s->shape == PTX_SHAPE_VEC ? vec : s->shape == PTX_SHAPE_MANY ? 1u << pick(4) : 1;
    if (s->shape == PTX_SHAPE_IMM) {
        str_printf(out, "%u", 4u << pick(3));
        return;
    }
    if (s->negatable && pick(2))
        str_append(out, "!");
    if (s->minus && pick(2))
        str_append(out, "-");
    if (n == 1) {
        str_append(out, register_of(type, buf));
    } else {
        bool other = s->shape == PTX_SHAPE_MANY && !pick(8);
        for (unsigned i = 0; i < n; i++)
            str_printf(out, "%s%s", i ? ", " : "{", register_of(other && pick(2) ? PTX_TYPE_B64 : type, buf));
        str_append(out, "}");
    }
    if (s->pair == PTX_PAIR_MUST || (s->pair == PTX_PAIR_OPTIONAL && pick(2)))
        str_append(out, "|p3");
}

static void sample(const struct ptx_form *f, struct str *out)
{
    unsigned types[16], ntypes = 0, vec = 1;
    uint32_t absent = pick(1u << 16); // by number of the braces
    str_append(out, ptx_op_name((enum ptx_op)f->op));
    for (unsigned i = 0; i < f->nslots; i++) {
        char buf[32];
        const struct ptx_slot *s = &f->slots[i];
        if (s->optional && absent >> s->optional % 16 & 1)
            continue;
        const char *w = slot_word(s, buf);
        str_printf(out, ".%s", w);
        if (s->kind == PTX_SLOT_TYPE)
            types[ntypes++] = ptx_type_find(w, strlen(w));
        if (s->kind == PTX_SLOT_VEC)
            vec = (unsigned)(w[1] - '0');
    }
    absent = pick(1u << 16);
    for (unsigned i = 0, n = 0; i < f->nspecs; i++) {
        const struct ptx_spec *s = &f->specs[i];
        if (s->optional && absent >> s->optional % 16 & 1)
            continue;
        str_append(out, n++ ? ", " : " ");
        operand(s, types, ntypes, vec, out);
    }
}

static const char head[] = ".version 9.0\n.target sm_120a\n.address_size 64\n"
                           ".visible .entry k() { .reg .pred p<4>; .reg .b16 h<4>; .reg .b32 r<4>; .reg .b64 d<4>; "
                           ".reg .b128 q<4>;\n";

enum verdict { INVALID, REFUSED, TRANSLATED, WRONG };

static bool is_matrix(const struct ptx_form *f)
{
    return f->op == PTX_OP_MMA || f->op == PTX_OP_WMMA || f->op == PTX_OP_LDMATRIX || f->op == PTX_OP_STMATRIX ||
           f->op == PTX_OP_MOVMATRIX;
}

static enum verdict judge(const char *insn, bool whole_warps)
{
    struct str text = {0};
    struct diag d, lacks;
    enum verdict v = INVALID;
    str_printf(&text, "%s%s;\nEND: ret; }\n", head, insn);
    diag_init(&d, NULL);
    diag_init(&lacks, NULL);
    struct ptx_module *m = ptx_module_parse(str_text(&text), text.len, &d);
    if (m && ptx_module_verify(m, &d)) {
        const struct ptx_func *k = ptx_module_func(m, "k");
        bool known = support_check(k, true, &lacks);
        if (!known) {
            v = lacks.cause == DIAG_UNSUPPORTED && strstr(str_text(&lacks.text), "ptx:5:1: not supported: ") ? REFUSED
                                                                                                             : WRONG;
        } else {
            struct translate_result r;
            LLVMContextRef cx = LLVMContextCreate();
            LLVMModuleRef mod = LLVMModuleCreateWithNameInContext("test", cx);
            bool ok = translate_kernel(mod, m, k, whole_warps ? TRANSLATE_WHOLE_WARPS : 0, &r, &d);
            char *broken = NULL;
            if (ok && LLVMVerifyModule(mod, LLVMReturnStatusAction, &broken)) {
                fprintf(stderr, "%s\n%s", insn, broken);
                ok = false;
            }
            LLVMDisposeMessage(broken);
            // A wrong number of registers is the text's fault.
            v = ok || (strstr(str_text(&d.text), "ptx:5:") && d.cause != DIAG_UNSUPPORTED &&
                       !strstr(str_text(&d.text), "internal"))
                    ? TRANSLATED
                    : WRONG;
            LLVMDisposeModule(mod);
            LLVMContextDispose(cx);
        }
    }
    if (v == WRONG)
        fprintf(stderr, "%s\n%s%s", insn, str_text(&lacks.text), str_text(&d.text));
    if (m)
        ptx_module_destroy(m);
    str_free(&text);
    diag_fini(&d);
    diag_fini(&lacks);
    return v;
}

int main(void)
{
    unsigned valid = 0;
    for (unsigned i = 0; i < ptx_forms_count; i++) {
        bool any = false;
        for (unsigned k = 0; k < (is_matrix(&ptx_forms[i]) ? MATRIX_SAMPLES : SAMPLES); k++) {
            struct str insn = {0};
            sample(&ptx_forms[i], &insn);
            enum verdict v = judge(str_text(&insn), is_matrix(&ptx_forms[i]) && k % 2);
            CHECK(v != WRONG);
            any |= v != INVALID;
            str_free(&insn);
        }
        valid += any;
        if (!any && getenv("VERBOSE"))
            fprintf(stderr, "no valid sample: %s\n", ptx_forms[i].syntax);
    }
    fprintf(stderr, "%u of %u forms\n", valid, ptx_forms_count);
    CHECK(valid * 10 > ptx_forms_count * 8); // or the samples say nothing
    return test_summary();
}
