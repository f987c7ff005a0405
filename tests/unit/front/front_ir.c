// SPDX-License-Identifier: Apache-2.0
// Changes of LLVM's text (src/front/ir): its tokens, and what is done to modules whose names, strings, comments and metadata look like
// something else.
#include "test.h"
#include "front/front.h"
#include "front/ir/token.h"
#include <string.h>

// The tokens of a text: a letter for each kind, a blank, the token, and a bar.
static const char *tokens(const char *text)
{
    static struct str out;
    static const char letters[] = ".wglmcasx";
    out.len = 0;
    const char *end = text + strlen(text);
    for (struct ir_token t = ir_token(text, end); t.kind; t = ir_token(t.end, end))
        str_printf(&out, "%c %.*s|", letters[t.kind], (int)(t.end - t.at), t.at);
    return str_text(&out);
}

static void test_tokens(void)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"  ; a comment @x \"\n\t", ""},
        {"@x = global i32 -5, align 4\n", "g @x|x =|w global|w i32|w -5|x ,|w align|w 4|"},
        {"@\"a b;c, (\" = c\"q\\22;@y\\00\" ; @z", "g @\"a b;c, (\"|x =|s c\"q\\22;@y\\00\"|"},
        {"%\"struct.a b\" %0 %.x-1$", "l %\"struct.a b\"|l %0|l %.x-1$|"},
        {"!0 = !{!\"te;xt\", !named.x}", "m !0|x =|x !|x {|m !\"te;xt\"|x ,|m !named.x|x }|"},
        {"$c = comdat any #12 $\"a b\"", "c $c|x =|w comdat|w any|a #12|c $\"a b\"|"},
        {"entry: \"a:b\": 1.5e+00 0x7FF0 ...", "w entry|x :|s \"a:b\"|x :|w 1.5e+00|w 0x7FF0|w ...|"},
        {"<{ i8 }>* c c1", "x <|x {|w i8|x }|x >|x *|w c|w c1|"},
        {"\"not closed", "s \"not closed|"},
        {"@\"not closed", "g @\"not closed|"},
        {"@ % !", "x @|x %|x !|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(!strcmp(tokens(cases[i][0]), cases[i][1]));
        if (strcmp(tokens(cases[i][0]), cases[i][1]) != 0)
            fprintf(stderr, "%s\n", tokens(cases[i][0]));
    }
}

static bool item_is(const char *text, const char *item)
{
    const char *end = text + strlen(text), *stop = ir_item_end(text, end);
    return str_is(text, (size_t)(stop - text), item);
}

static void test_items(void)
{
    const char text[] = "( a, \")\" ; )\n, [ 1 ], {}) x", *end = text + strlen(text), open[] = "[ 1",
               *open_end = open + strlen(open);
    const char line[] = "@x = internal addrspace(4) global", *line_end = line + strlen(line);
    CHECK(item_is("i32 1, b", "i32 1") && item_is("{ i32, i8 } { i32 1, i8 2 }, x", "{ i32, i8 } { i32 1, i8 2 }"));
    CHECK(item_is("c\"a,b]\"], x", "c\"a,b]\"") && item_is("@\"a,b\" }", "@\"a,b\" ") && item_is("f(", "f("));
    CHECK(!strcmp(ir_group_end(text, end), " x") && ir_group_end(open, open_end) == open_end);
    CHECK(ir_group_end(open_end, open_end) == open_end &&
          ir_item_end(open_end, open_end) == open_end); // nothing is left to read
    CHECK(ir_match(line, line_end, "@x = internal addrspace (") == strchr(line, '4'));
    CHECK(!ir_match(line, line_end, "@x = external") &&
          !ir_match(line, line_end, "@x = internal addrspace(4) global i32"));
    CHECK(ir_find(text, end, "x").kind == IR_WORD && !ir_find(text, end, "y").kind && !ir_find(text, end, ";").kind);
}

static bool has(const char *text, const char *part)
{
    if (text && strstr(text, part))
        return true;
    fprintf(stderr, "no \"%s\" in:\n%s\n", part, text ? text : "nothing");
    return false;
}

static void test_managed(void)
{
    static const char ir[] =
        "@\"m x\" = dso_local global [4 x i32] zeroinitializer, align 8192\n"
        "@text = constant [40 x i8] c\"@\\22m x\\22 = global i32 0, align 8192 @m\", align 1\n"
        "@m = linkonce_odr global i32 5, section \"align 8192\", comdat, align 8192, !dbg !1\n"
        "@near = global i32 5, section \", align 8192\", align 4\n"
        "@list = constant { i32, [2 x ptr], <{ ptr }> } { i32 1, [2 x ptr] [ptr @near, ptr getelementptr inbounds (i8, "
        "ptr @m, i64 2)], "
        "<{ ptr }> <{ ptr @\"m x\" }> }, align 8\n"
        "define internal void @__cuda_register_globals(ptr %0) {\nentry:\n"
        "  call void @__cudaRegisterVar(ptr %0, ptr @m, ptr @text, i32 0)\n  ret void ; ret void\n}\n"
        "define i64 @\"f(\"() #0 {\n\"a b\": ; preds = %m\n"
        "  store i32 3, ptr getelementptr inrange(-8, 4) (i8, ptr @\"m x\", i64 sub (i64 0, i64 ptrtoint (ptr @m to "
        "i64))), align 4096\n"
        "  %a = call i64 @g(ptr align 8192 @m, ptr @near, !srcloc !2), !note !\"@m\" ; @m\n  ret i64 %a\n}\n"
        "define void @apart() {\n  ret void ; @m\n}\n"
        "!1 = !{!\"@m\"}\n";
    size_t size;
    struct str unsure = {0};
    char *out = front_ir_managed(ir, &size, &unsure);
    CHECK(out && strlen(out) == size && !unsure.len);
    CHECK(has(out, "\n@\"m x.managed\" = dso_local global ptr @\"m x\", align 8\n"));
    CHECK(has(out, "\n@m.managed = linkonce_odr global ptr @m, comdat($m), align 8\n"));
    CHECK(has(out, "c\"@\\22m x\\22 = global i32 0, align 8192 @m\", align 1\n@m ") && !strstr(out, "@near.managed"));
    CHECK(has(out, "\n@list = global {") && has(out, "declare void @__cudaRegisterManagedInit(ptr, ptr)"));
    CHECK(has(out, "call void @__cudaRegisterManagedVar(ptr %0, ptr @m.managed, ptr @text, i32 0)"));
    CHECK(has(out, " = getelementptr inbounds i8, ptr %m.managed, i64 2\n"));
    CHECK(has(out, "ptr @list, i32 0, i32 1, i32 1\n") && has(out, "ptr @list, i32 0, i32 2, i32 0\n"));
    CHECK(has(out, "\"a b\": ; preds = %m\n  %\"m x.managed\" = load ptr, ptr @\"m x.managed\", align 8\n"));
    CHECK(has(out, " = ptrtoint ptr %m.managed to i64\n") && has(out, " = sub i64 0, %managed."));
    CHECK(has(out, " = getelementptr i8, ptr %\"m x.managed\", i64 %managed.") && has(out, ", align 128\n"));
    CHECK(has(out, "@g(ptr align 128 %m.managed, ptr @near, !srcloc !2), !note !\"@m\" ; @m\n"));
    CHECK(has(out, "define void @apart() {\n  ret void ; @m\n}\n!1 = !{!\"@m\"}\n"));
    free(out);
    // What cannot be written later is told, and stays.
    out = front_ir_managed("@m = global i32 5, align 8192\n@t = thread_local global ptr @m, align 8\n", &size, &unsure);
    CHECK(has(out, "\n@t = thread_local global ptr @m, align 8\n") && !strcmp(str_text(&unsure), "'t'"));
    free(out);
    str_free(&unsure);
    CHECK(!front_ir_managed("@m = constant i32 5, align 8192\n@n = alias i32, ptr @m\n", &size, &unsure));
}

static void test_statics(void)
{
    static const char ir[] = "@_ZL1n = internal addrspace(4) global i32 1, align 4\n"
                             "@\"_ZL1n\" = internal addrspace(1) global i32 1, align 4\n"
                             "@_ZL1p = internal addrspace(3) global i32 1\n"
                             "@s = constant [9 x i8] c\"\\0A@n = internal addrspace(1) global\"\n"
                             "  ; @n = internal addrspace(1) global\n";
    struct texts names = {0};
    size_t size;
    vec_push(&names, "n");
    vec_push(&names, "p");
    char *out = front_ir_open_statics(ir, &names, &size);
    CHECK(has(out, "@_ZL1n = addrspace(4) externally_initialized global i32 1, align 4\n@\"_ZL1n\" = addrspace(1) "
                   "externally_initialized global"));
    CHECK(out && !strcmp(strstr(out, "@_ZL1p"), strstr(ir, "@_ZL1p")) && size == strlen(out));
    free(out);
    CHECK(!front_ir_open_statics("@_ZL1p = internal addrspace(3) global i32 1\n", &names, &size));
    vec_free(&names);
}

static void test_carries(void)
{
    static const char ir[] =
        "@s = constant [9 x i8] c\"addc asm \"\n"
        "  %1 = call i32 asm \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %0) #3, !srcloc !5 ; asm \"addc\"\n"
        "  %2 = call i32 asm \"add.cc.u32 $0, $1, 0;\\0Aaddc.u32 $0, $0, 0;\", \"=r,r\"(i32 %1) #3\n"
        "  %3 = call i32 asm sideeffect \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %2) #3\n"
        "  %4 = call i32 asm \"subc.u32 $0, $1, 0;\", \"=r,r\"(i32 ptrtoint (ptr @\"a)b\" to i32))\n";
    size_t size;
    char *out = front_ir_order_carries(ir, &size);
    CHECK(has(out, "%1 = call i32 asm sideeffect \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %0) #1000000, !srcloc !5 ; asm "
                   "\"addc\"\n"));
    CHECK(has(out, "%2 = call i32 asm \"add.cc.u32") && has(out, "(i32 %1) #3\n") && has(out, "(i32 %2) #3\n"));
    CHECK(has(out, "asm sideeffect \"subc.u32 $0, $1, 0;\", \"=r,r\"(i32 ptrtoint (ptr @\"a)b\" to i32)) #1000000\n"));
    CHECK(has(out, "c\"addc asm \"\n  %1") && has(out, "\nattributes #1000000 = { convergent nounwind }\n"));
    free(out);
    CHECK(!front_ir_order_carries("@s = constant [9 x i8] c\"addc asm \"\n", &size));
}

static void test_clusters(void)
{
    static const char ptx[] = ".version 8.0\n.visible .entry k(\n)\n{\n}\n.visible .entry other()\n{\n}\n";
    static const char ir[] =
        "; module\n"
        "@.str = private constant [20 x i8] c\"heddle.cluster_dims\\00\", section \"llvm.metadata\"\n"
        "@.file = private constant [6 x i8] c\"{@k}\\00\", section \"llvm.metadata\"\n"
        "@.args = private constant { i32, i32, i32 } { i32 3, i32 2, i32 1 }, section \"llvm.metadata\"\n"
        "@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } "
        "{ ptr @\"k\", ptr @.str, ptr @.file, i32 7, ptr @.args }, { ptr, ptr, ptr, i32, ptr } { ptr @x, ptr @.str, "
        "ptr @.file, i32 8, "
        "ptr null }], section \"llvm.metadata\"\n";
    size_t size;
    char *out = front_ptx_clusters(ptx, ir, &size);
    CHECK(has(out, ".entry k(\n)\n.explicitcluster\n.reqnctapercluster 3, 2, 1\n{") && has(out, ".entry other()\n{"));
    free(out);
}

int main(void)
{
    test_tokens();
    test_items();
    test_managed();
    test_statics();
    test_carries();
    test_clusters();
    return test_summary();
}
