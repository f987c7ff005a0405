// SPDX-License-Identifier: Apache-2.0
#include "state.h"
#include "base/diag.h"
#include "jit/analysis/scalar.h"
#include "jit/gang/vectorise.h"
#include "jit/host/target.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include "jit/ir/pass.h"
#include "jit/ir/remark.h"
#include "jit/jit.h"
#include "jit/resume/resume.h"
#include "jit/run.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct compilation c;
    struct jit_options options;
    struct jit_object out;
    struct ptx_module *ptx;
    struct diag d;
    struct str remarks;
    bool whole; // the lanes of a gang enter each region at once
};

static struct str *remarks_to;

static void take_remark(const char *line)
{
    str_printf(remarks_to, "; remark %s", line);
}

bool state_knows(const char *pass)
{
    static const char *const names[] = {
#define PASS(name, function, when, optional, needs, about) #name,
#define LLVM_PASS(name, pipeline, when, about)             #name,
#include "jit/pass.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], pass))
            return true;
    return false;
}

// What `; set:` may name.
static bool set_word(struct state *s, const char *word, size_t n)
{
    struct compilation *c = &s->c;
    const char *eq = memchr(word, '=', n);
    size_t key = eq ? (size_t)(eq - word) : n;
    char *end = NULL;
    unsigned v = eq ? (unsigned)strtoul(eq + 1, &end, 10) : 1;
    const struct {
        const char *name;
        bool *to;
    } flags[] = {{"marked", &c->marked},
                 {"whole", &s->whole},
                 {"checked", &s->options.checked},
                 {"debug", &s->options.debug},
                 {"lockstep", &c->plan.lockstep},
                 {"stacks", &c->plan.stacks},
                 {"in_step", &c->plan.in_step},
                 {"may_narrow", &c->may_narrow},
                 {"quick_code", &c->quick},
                 {"volatile_shared", &c->t.volatile_shared},
                 {"warp_collectives", &c->t.warp_collectives},
                 {"cluster", &c->t.cluster},
                 {"flush_denormals", &c->t.flush_denormals}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (str_is(word, key, flags[i].name)) {
            *flags[i].to = v;
            return true;
        }
    if (str_is(word, key, "width"))
        s->options.width = c->plan.width = v;
    else if (str_is(word, key, "free_width"))
        c->plan.width = v, s->options.width = 0;
    else if (str_is(word, key, "check"))
        s->options.check = v;
    else if (str_is(word, key, "compat"))
        s->options.compat = (enum jit_compat)v;
    else if (str_is(word, key, "quick"))
        s->options.quick = (enum jit_quick)v;
    else if (str_is(word, key, "dispatch"))
        c->how = STRUCTURED_DISPATCH;
    else if (str_is(word, key, "instructions"))
        c->t.instructions = v;
    else if (str_is(word, key, "regions"))
        c->region_size = v;
    else if (str_is(word, key, "side"))
        c->plan.side = v;
    else if (str_is(word, key, "args"))
        c->plan.args_bytes = v;
    else if (str_is(word, key, "block"))
        for (unsigned i = 0; i < 3; i++) {
            s->options.block[i] = c->plan.block[i] = i && *end != ',' ? 1
                                                     : i              ? (unsigned)strtoul(end + 1, &end, 10)
                                                                      : v;
        }
    else
        return false;
    return true;
}

static bool set_all(struct state *s, const char *words)
{
    for (const char *p = words + strspn(words, " "); *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (!set_word(s, p, strcspn(p, " "))) {
            diag_fail(&s->d, DIAG_INPUT, "set: '%.*s' is not known", (int)strcspn(p, " "), p);
            return false;
        }
    s->c.plan.checked = s->options.checked;
    s->c.plan.debug = s->options.debug;
    return true;
}

// Regions by the names of their functions. They wait at barriers, of which all lanes take the same one.
static void find_regions(struct state *s)
{
    for (unsigned i = 0;; i++) {
        char name[3][32];
        LLVMValueRef f[3];
        static const char *const forms[3] = {"region", "full", "masked"};
        for (unsigned k = 0; k < 3; k++) {
            snprintf(name[k], sizeof name[k], "k.%s.%u", forms[k], i);
            f[k] = LLVMGetNamedFunction(s->c.module, name[k]);
        }
        if (!f[0] && !f[1] && !f[2])
            return;
        vec_push(&s->c.plan.regions, ((struct region){.scalar = f[0],
                                                      .full = f[1],
                                                      .masked = f[2],
                                                      .whole = s->whole,
                                                      .wait = i ? REGION_BARRIER : REGION_START,
                                                      .next_uniform = true,
                                                      .next_block_uniform = true}));
    }
}

// Declares the operations of the dialect again, with the attributes that they have. A name of none would be a call of nothing.
static bool declare_ops(struct state *s, LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m), last = LLVMGetLastFunction(m), next; f; f = next) {
        enum heddle_op op = op_of_function(f);
        next = f == last ? NULL : LLVMGetNextFunction(f);
        size_t n;
        char name[128];
        snprintf(name, sizeof name, "%s", LLVMGetValueName2(f, &n));
        if (op == OP_NONE && LLVMIsDeclaration(f) && !strncmp(name, OP_PREFIX, strlen(OP_PREFIX)))
            return diag_fail(&s->d, DIAG_INPUT, "'%s' is no operation of the dialect", name);
        if (op == OP_NONE)
            continue;
        LLVMSetValueName2(f, "old", 3);
        LLVMReplaceAllUsesWith(f, op_declare(m, op, name + op_rows[op].length, LLVMGlobalGetValueType(f)));
        LLVMDeleteFunction(f);
    }
    return true;
}

static bool parse_ir(struct state *s, const char *text)
{
    char *message = NULL;
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    LLVMDisposeModule(s->c.module);
    if (LLVMParseIRInContext(s->c.context, b, &s->c.module, &message)) {
        diag_fail(&s->d, DIAG_INPUT, "%s", message);
        LLVMDisposeMessage(message);
        s->c.module = LLVMModuleCreateWithNameInContext("k", s->c.context);
        return false;
    }
    if (LLVMVerifyModule(s->c.module, LLVMReturnStatusAction, &message))
        return diag_fail(&s->d, DIAG_INPUT, "%s", message);
    s->c.t.kernel = LLVMGetNamedFunction(s->c.module, "k");
    return declare_ops(s, s->c.module);
}

static bool parse_ptx(struct state *s, const char *text)
{
    s->ptx = ptx_module_parse(text, strlen(text), &s->d);
    s->c.ptx = s->ptx;
    s->c.kernel = s->ptx ? ptx_module_func(s->ptx, "k") : NULL;
    return s->c.kernel != NULL;
}

// What LLVM finds wrong in inline assembly, for one.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *d)
{
    char *text = LLVMGetDiagInfoDescription(info);
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        diag_fail(d, DIAG_INTERNAL, "%s", text);
    LLVMDisposeMessage(text);
}

static bool begin(struct state *s, const char *file, const char *text, const char *set)
{
    struct compilation *c = &s->c;
    bool ptx = strstr(file, ".ptx") != NULL;
    diag_init(&s->d, file);
    c->options = &s->options;
    c->out = &s->out;
    c->d = &s->d;
    c->verify = true;
    c->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c->context, on_diagnostic, &s->d);
    c->module = LLVMModuleCreateWithNameInContext("k", c->context);
    c->machine = target_machine_create(true, &s->d);
    c->plan.kernel = "k";
    c->plan.width = 8;
    c->plan.in_step = true;
    if (!set_all(s, set) || !c->machine || !(ptx ? parse_ptx(s, text) : parse_ir(s, text)))
        return false;
    c->plan.module = c->module;
    c->plan.layout = LLVMCreateTargetDataLayout(c->machine);
    LLVMSetModuleDataLayout(c->module, c->plan.layout);
    char *triple = LLVMGetTargetMachineTriple(c->machine);
    LLVMSetTarget(c->module, triple);
    LLVMDisposeMessage(triple);
    find_regions(s);
    run_begin(c);
    return true;
}

static void add_shapes(struct str *out, const struct vectoriser *v)
{
    static const char *const kinds[] = {[SHAPE_AFFINE] = "affine", [SHAPE_VARYING] = "varying"};
    for (unsigned i = 0; v && i < v->scalar.nfunctions; i++) {
        const struct scalar_fn *f = &v->scalar.functions[i];
        FOR_FUNCTION (f->function, x) {
            size_t n;
            const char *name = LLVMGetValueName2(x, &n);
            int k = scalar_fn_index(f, x);
            if (!n || k < 0)
                continue;
            const struct shape *h = &f->shapes[k];
            str_printf(out, "; shape %s: %s\n", name,
                       shape_is_uniform(&v->scalar.lanes, h) ? "uniform" : kinds[h->kind]);
        }
    }
}

static void add_regions(struct str *out, const struct region_plan *p)
{
    static const char *const waits[] = {"start", "barrier", "warp", "arrive", "yield", "yield_block", "cluster"};
    for (size_t i = 0; i < p->regions.len; i++) {
        const struct region *r = &p->regions.data[i];
        str_printf(out, "; region %zu: %s%s%s%s%s\n", i, waits[r->wait], r->next_uniform ? " uniform" : "",
                   r->interleaved ? " interleaved" : "", r->tells_idle ? " idle" : "", r->whole ? " whole" : "");
    }
    str_printf(out, "; slots %zu raw %u\n", p->slots.len, p->raw_slots);
}

static void add_resume(struct str *out, const struct resume *r)
{
    for (unsigned i = 0; r && i < r->cfg.nblocks; i++)
        str_printf(out, "; block %s:%s%s\n", LLVMGetBasicBlockName(r->cfg.blocks[i].block),
                   r->block_together[i] ? " together" : "", r->block_whole[i] ? " whole" : "");
    if (r)
        str_printf(out, "; points %zu passed %zu\n", r->points.len, r->passed.len);
}

// Facts that passes leave beside the code.
static void describe(struct state *s, struct str *out)
{
    const struct compilation *c = &s->c;
    const struct region_plan *p = &c->plan;
    static const char *const sizes[] = {"usual", "large", "quick", "deep", "huge"};
    str_printf(out, "; width %u lockstep %d narrow %d collectives %u\n", p->width, p->lockstep, c->may_narrow,
               c->collectives);
    str_printf(out, "; marked %d rebuilt %d unstructured %d too_large %d calls_wait %d\n", c->marked, c->rebuilt,
               c->unstructured, c->too_large, c->calls_wait);
    str_printf(out, "; side %u listed %d size %s lean %d args %u\n", p->side, p->listed, sizes[c->size], p->lean,
               (unsigned)p->args_bytes);
    str_printf(out, "; grid %u %u %u local %u lanes %u frame %u\n", p->grid_max[0], p->grid_max[1], p->grid_max[2],
               (unsigned)p->local_bytes, (unsigned)p->lanes_bytes, (unsigned)p->gang_frame_bytes);
    for (unsigned i = 0; i < p->nassumed; i++)
        str_printf(out, "; assumed %u %u\n", p->assumed[i].offset, p->assumed[i].bits);
    if (s->out.data)
        str_printf(out, "; object %s\n",
                   memcmp(s->out.data,
                          "\x7f"
                          "ELF",
                          4)
                       ? "?"
                       : "ELF");
    add_regions(out, p);
    add_resume(out, c->resume && c->resume->decisions ? c->resume : NULL);
    add_shapes(out, c->vectoriser);
    char *text = LLVMPrintModuleToString(c->module);
    str_append(out, text);
    LLVMDisposeMessage(text);
}

static bool run_before(struct state *s, const char *words)
{
    for (const char *p = words + strspn(words, " "); *p; p += strcspn(p, " "), p += strspn(p, " ")) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, " "), p);
        if (!state_knows(name))
            return diag_fail(&s->d, DIAG_INPUT, "after: '%s' is no pass", name);
        if (!run_passes(&s->c, name, name))
            return diag_fail(&s->d, DIAG_INPUT, "the pass '%s' before fails", name);
    }
    return true;
}

bool state_run(const char *pass, const char *file, const char *text, const char *set, const char *after,
               struct state_result *r)
{
    struct state s = {0};
    struct str before = {0}, now = {0};
    if (!begin(&s, file, text, set) || !run_before(&s, after)) {
        str_append(&r->text, str_text(&s.d.text));
        return false;
    }
    describe(&s, &before);
    remarks_to = &s.remarks;
    remark_sink = take_remark;
    r->ok = run_passes(&s.c, pass, pass) && !s.d.errors;
    if (!r->ok)
        str_printf(&r->text, "; failed %s\n", str_text(&s.d.text));
    str_append(&r->text, str_text(&s.remarks));
    if (r->ok || s.c.too_large || s.c.unstructured || s.c.calls_wait)
        describe(&s, &now);
    r->changed = strcmp(str_text(&before), str_text(&now)) != 0;
    str_append(&r->text, str_text(&now));
    return true; // the process ends: nothing is freed
}
