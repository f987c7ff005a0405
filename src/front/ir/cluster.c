// SPDX-License-Identifier: Apache-2.0
// __cluster_dims__, __block_size__ and __maxnreg__ in PTX. clang does not know them for NVIDIA's targets, so our header makes
// annotations of them. Those reach LLVM's module and not the PTX; but a variable that an annotation names is declared
// there, and so is the kernel, before it is defined. Where that variable is seen, the front end alone runs once more,
// its module as text tells the numbers, and they are written where they belong; the declarations go.
#include "front/front.h"
#include "front/ir/token.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY    ".entry "
#define VARIABLE "heddle_cluster_mark;"
#define SIZES    6
static const char cluster_mark[] = "c\"heddle.cluster_dims\\00\"", registers_mark[] = "c\"heddle.maxnreg\\00\"",
                  block_mark[] = "c\"heddle.block_size\\00\"";

// The end of a declaration of a kernel without a body that begins at p (".entry"), or NULL: it is a definition.
static const char *declaration_end(const char *p)
{
    const char *end = p + strcspn(p, ";{");
    return *end == ';' ? end + 1 : NULL;
}

bool front_ptx_has_annotations(const char *ptx)
{
    return strstr(ptx, VARIABLE) != NULL;
}

void front_add_annotations(struct texts *argv)
{
    vec_push(argv, "-emit-llvm");
    front_add_inner(argv, "-disable-llvm-passes");
}

// The line of the module that defines the global; NULL: none.
static const char *definition(const char *ir, struct ir_token global)
{
    for (const char *p = ir; (p = strstr(p, "\n@")); p++) {
        const char *end = ir_line_end(p + 1);
        struct ir_token t = ir_token(p + 1, end);
        if (t.end - t.at == global.end - global.at && !memcmp(t.at, global.at, (size_t)(t.end - t.at)) &&
            ir_match(t.end, end, "="))
            return p + 1;
    }
    return NULL;
}

static bool line_has(const char *line, const char *token)
{
    return line && ir_find(line, ir_line_end(line), token).kind;
}

// "... constant { i32, i32 } { i32 3, i32 2 }, section ..."
static void read_sizes(const char *line, unsigned sizes[SIZES])
{
    const char *stop = ir_line_end(line);
    struct ir_token type = ir_find(line, stop, "{"),
                    t = ir_find(type.kind ? ir_group_end(type.at, stop) : stop, stop, "{");
    const char *end = t.kind ? ir_group_end(t.at, stop) : stop;
    for (unsigned i = 0; i < SIZES; i++)
        sizes[i] = 1;
    for (unsigned i = 0; i < SIZES && t.kind; t = ir_token(t.end, end))
        if (t.kind == IR_WORD && isdigit((unsigned char)*t.at))
            sizes[i++] = (unsigned)strtoul(t.at, NULL, 10);
}

// The numbers that the module has under this mark for the kernel of this name. An entry of the list of annotations has the kernel,
// the mark's text, the file's name, a line and the numbers.
static bool find_sizes(const char *ir, const char *mark, const char *kernel, size_t n, unsigned sizes[SIZES])
{
    const char *list = strstr(ir, "\n@llvm.global.annotations"), *end = list ? ir_line_end(list + 1) : NULL;
    struct ir_token at[4], t;
    unsigned fields = 0;
    for (const char *p = list ? strchr(list, '=') : end; (t = ir_token(p, end)).kind; p = t.end) {
        if (t.kind == IR_GLOBAL && fields < 4)
            at[fields++] = t;
        if (!ir_is(t, "}"))
            continue;
        struct ir_token name = fields == 4 ? ir_name(at[0]) : (struct ir_token){IR_END, kernel, kernel};
        fields = 0;
        if ((size_t)(name.end - name.at) != n || memcmp(name.at, kernel, n) != 0 ||
            !line_has(definition(ir, at[1]), mark))
            continue;
        const char *args = definition(ir, at[3]);
        if (!args)
            continue;
        read_sizes(args, sizes);
        return true;
    }
    return false;
}

static const char *line_start(const char *text, const char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

// The text says that it is of a version that has the directive.
static void version_raise(struct str *out)
{
    static const char word[] = ".version ";
    char *p = out->data ? strstr(out->data, word) : NULL;
    if (p && p[strlen(word)] < '9') // one digit, a dot and another
        memcpy(p + strlen(word), "9.0", 3);
}

char *front_ptx_clusters(const char *ptx, const char *ir, size_t *size)
{
    struct str out = {0};
    const char *variable = strstr(ptx, VARIABLE), *done = ptx;
    for (const char *p = ptx; (p = strstr(p, ENTRY));) {
        if (variable && variable < p) {
            str_append_n(&out, done, (size_t)(line_start(ptx, variable) - done));
            done = variable + strlen(VARIABLE);
            variable = NULL;
        }
        const char *end = declaration_end(p), *name = p + strlen(ENTRY), *body = strchr(p, '{');
        unsigned sizes[SIZES];
        if (end) { // gone, with its linking directive
            str_append_n(&out, done, (size_t)(line_start(ptx, p) - done));
            done = p = end + (*end == '\n');
            continue;
        }
        if (!body)
            break;
        str_append_n(&out, done, (size_t)(body - done));
        if (find_sizes(ir, cluster_mark, name, strcspn(name, "( \t\n"), sizes))
            str_printf(&out, ".explicitcluster\n.reqnctapercluster %u, %u, %u\n", sizes[0], sizes[1], sizes[2]);
        if (find_sizes(ir, block_mark, name, strcspn(name, "( \t\n"), sizes)) {
            version_raise(&out);
            str_printf(&out, ".blocksareclusters\n.reqntid %u, %u, %u\n.reqnctapercluster %u, %u, %u\n", sizes[0],
                       sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]);
        }
        if (find_sizes(ir, registers_mark, name, strcspn(name, "( \t\n"), sizes))
            str_printf(&out, ".maxnreg %u\n", sizes[0]);
        done = p = body;
    }
    str_append(&out, done);
    *size = out.len;
    return out.data;
}
