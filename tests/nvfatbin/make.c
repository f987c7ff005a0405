// SPDX-License-Identifier: Apache-2.0
// nvFatbin: what it makes is loaded, launched and linked; options and every error. Usage: make OBJECT, with relocatable device code.
#include "../driver/common.h"
#include <elf.h>
#include <nvFatbin.h>
#include <nvJitLink.h>

#define HEAD(sm) ".version 8.0\n.target sm_" sm "\n.address_size 64\n"
// k(p) writes the number of its text.
#define KERNEL(sm, n)                                                                                                  \
    HEAD(sm)                                                                                                           \
    ".visible .entry k(.param .u64 p)\n{\n    .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"                                    \
    "    ld.param.u64 %rd1, [p]; mov.u32 %r1, " n "; st.global.u32 [%rd1], %r1; ret;\n}\n"
static const char old[] = KERNEL("75", "75"), new[] = KERNEL("80", "80");

static const char *fat_name(nvFatbinResult r)
{
    const char *text = nvFatbinGetErrorString(r);
    return text ? text : "success";
}
#define FAT_EXPECT(call, wanted) CHECK_RESULT(call, wanted, fat_name)
#define FAT_OK(call)             FAT_EXPECT(call, NVFATBIN_SUCCESS)

static nvFatbinHandle create(const char *option)
{
    nvFatbinHandle h = NULL;
    FAT_OK(nvFatbinCreate(&h, &option, option ? 1 : 0));
    return h;
}

static char *image(nvFatbinHandle h, size_t *size)
{
    *size = 0;
    FAT_OK(nvFatbinSize(h, size));
    char *data = malloc(*size + 1);
    memset(data, 'X', *size + 1);
    FAT_OK(nvFatbinGet(h, data));
    CHECK(data[*size] == 'X');
    FAT_OK(nvFatbinDestroy(&h));
    CHECK(!h);
    return data;
}

static int launch(const void *data)
{
    int value = 0;
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUdeviceptr p = 0;
    OK(cuModuleLoadData(&module, data));
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuMemAlloc(&p, sizeof value));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    OK(cuMemcpyDtoH(&value, p, sizeof value));
    OK(cuMemFree(p));
    OK(cuModuleUnload(module));
    return value;
}

// Of two texts the device takes the newer one; a fat binary within a fat binary gives its entries.
static void test_ptx(void)
{
    static const char *const options[] = {NULL,
                                          "-compress=false",
                                          "-compress=true",
                                          "-compress-all",
                                          "-compress-mode=speed",
                                          "-compress-mode=size",
                                          "-compress-mode=balance",
                                          "-compress-mode=default",
                                          "-compress-mode=none",
                                          "-g",
                                          "-64",
                                          "-c",
                                          "-cuda",
                                          "-host=linux"};
    size_t size, plain = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        nvFatbinHandle h = create(options[i]);
        FAT_OK(nvFatbinAddPTX(h, old, sizeof old, "75", "old", "-O3"));
        FAT_OK(nvFatbinAddPTX(h, new, strlen(new), "80", NULL, NULL)); // without its zero
        char *data = image(h, &size);
        CHECK(launch(data) == 80);
        if (i == 1)
            plain = size;
        if (i == 2)
            CHECK(size < plain);
        h = create(NULL);
        FAT_OK(nvFatbinAddCubin(h, data, size, "80", "image"));
        free(data);
        data = image(h, &size);
        CHECK(launch(data) == 80);
        free(data);
    }
}

static void test_elf(void)
{
    Elf64_Ehdr h = {.e_ident = ELFMAG, .e_machine = 190, .e_flags = 90, .e_shoff = sizeof h};
    nvFatbinHandle f = create(NULL);
    size_t size;
    FAT_OK(nvFatbinAddCubin(f, &h, sizeof h, "90", "code"));
    FAT_EXPECT(nvFatbinAddCubin(f, &h, sizeof h, "80", "code"), NVFATBIN_ERROR_ELF_ARCH_MISMATCH);
    h.e_flags = 100 << 8;
    FAT_OK(nvFatbinAddCubin(f, &h, sizeof h, "100a", "code"));
    h.e_shnum = 1;
    h.e_shentsize = 64;
    FAT_EXPECT(nvFatbinAddCubin(f, &h, sizeof h, "100", "code"), NVFATBIN_ERROR_ELF_SIZE_MISMATCH);
    FAT_EXPECT(nvFatbinAddCubin(f, &h, 10, "100", "code"), NVFATBIN_ERROR_ELF_SIZE_MISMATCH);
    FAT_EXPECT(nvFatbinAddCubin(f, "garbage", 7, "100", "code"), NVFATBIN_ERROR_ELF_SIZE_MISMATCH);
    free(image(f, &size));
    CHECK(size > 2 * sizeof h);
}

// Relocatable code of an object, and IR, come out of the fat binary again when they are linked.
static void test_link(const char *path)
{
    static const char caller[] =
        HEAD("75") ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
                   ".visible .entry k(.param .u64 p)\n{\n    .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
                   "    ld.param.u64 %rd1, [p]; mov.u32 %r1, 21;\n    { .param .b32 a; .param .b32 r; st.param.b32 "
                   "[a], %r1; call (r), twice, (a); ld.param.b32 %r2, [r]; }\n    st.global.u32 [%rd1], %r2; ret;\n}\n";
    static const char ir[] =
        "target triple = \"nvptx64-nvidia-cuda\"\ndefine i32 @twice(i32 %a) {\n  %r = shl i32 %a, 1\n  ret i32 %r\n}\n"
        "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0, i32 3, i32 1}\n";
    FILE *file = fopen(path, "rb");
    char *object = malloc(1 << 20);
    size_t size = file ? fread(object, 1, 1 << 20, file) : 0;
    CHECK(size > 0 && size < 1 << 20);
    if (file)
        fclose(file);
    for (int lto = 0; lto < 2; lto++) {
        nvFatbinHandle f = create(NULL);
        nvJitLinkHandle h = NULL;
        const char *options[] = {"-arch=sm_75", "-lto"};
        size_t bytes;
        FAT_OK(lto ? nvFatbinAddLTOIR(f, ir, sizeof ir - 1, "75", "ir", NULL) : nvFatbinAddReloc(f, object, size));
        char *data = image(f, &bytes);
        CHECK(!nvJitLinkCreate(&h, 1 + (uint32_t)lto, options));
        CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, caller, sizeof caller, "caller"));
        CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_FATBIN, data, bytes, "fatbin"));
        CHECK(!nvJitLinkComplete(h));
        CHECK(!nvJitLinkGetLinkedCubinSize(h, &bytes));
        char *linked = malloc(bytes);
        CHECK(!nvJitLinkGetLinkedCubin(h, linked));
        CHECK(launch(linked) == 42);
        CHECK(!nvJitLinkDestroy(&h));
        free(linked);
        free(data);
    }
    nvFatbinHandle f = create(NULL);
    FAT_EXPECT(nvFatbinAddReloc(f, "garbage", 7), NVFATBIN_ERROR_MISSING_FATBIN);
    for (size_t n = 64; n < size; n += 37) { // damaged objects: an error or none, and nothing else
        nvFatbinResult r = nvFatbinAddReloc(f, object, n);
        CHECK(r == NVFATBIN_SUCCESS || r == NVFATBIN_ERROR_MISSING_FATBIN || r == NVFATBIN_ERROR_INTERNAL);
    }
    FAT_OK(nvFatbinDestroy(&f));
    free(object);
}

static void test_errors(void)
{
    static const char *const bad[] = {"-32", "-opencl", "-host=mac", "-compress=maybe", "-compress", "-O3", ""};
    static const char none[] = ".target sm_75\n", no_target[] = ".version 8.0\n";
    nvFatbinHandle h = NULL, stale;
    unsigned major = 0, minor = 9;
    size_t size;
    char byte;
    const char *null = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        FAT_EXPECT(nvFatbinCreate(&h, (const char **)&bad[i], 1), NVFATBIN_ERROR_UNRECOGNIZED_OPTION);
    FAT_EXPECT(nvFatbinCreate(&h, &null, 1), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinCreate(&h, NULL, 1), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinCreate(NULL, NULL, 0), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinDestroy(&h), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinDestroy(NULL), NVFATBIN_ERROR_NULL_POINTER);
    FAT_OK(nvFatbinVersion(&major, &minor));
    CHECK(major == 13 && minor == 0);
    FAT_EXPECT(nvFatbinVersion(&major, NULL), NVFATBIN_ERROR_NULL_POINTER);
    CHECK(!nvFatbinGetErrorString(NVFATBIN_SUCCESS));
    for (int i = 1; i <= NVFATBIN_ERROR_INTERNAL_PTX_OPTION; i++)
        CHECK(nvFatbinGetErrorString((nvFatbinResult)i));
    CHECK(nvFatbinGetErrorString((nvFatbinResult)999));
    h = create(NULL);
    FAT_EXPECT(nvFatbinGet(h, &byte), NVFATBIN_ERROR_INTERNAL); // the size was not asked for
    FAT_EXPECT(nvFatbinAddPTX(h, NULL, 5, "75", "a", NULL), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinAddPTX(h, old, sizeof old, NULL, "a", NULL), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinAddPTX(h, old, 0, "75", "a", NULL), NVFATBIN_ERROR_EMPTY_INPUT);
    static const char *const archs[] = {"sm_75", "compute_75", "", "20", "x", "75x", "-75", "123456789012345678"};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        FAT_EXPECT(nvFatbinAddPTX(h, old, sizeof old, archs[i], "a", NULL), NVFATBIN_ERROR_INVALID_ARCH);
    FAT_EXPECT(nvFatbinAddPTX(h, none, sizeof none, "75", "a", NULL), NVFATBIN_ERROR_MISSING_PTX_VERSION);
    FAT_EXPECT(nvFatbinAddPTX(h, no_target, sizeof no_target, "75", "a", NULL), NVFATBIN_ERROR_MISSING_PTX_ARCH);
    FAT_EXPECT(nvFatbinAddPTX(h, new, sizeof new, "75", "a", NULL), NVFATBIN_ERROR_PTX_ARCH_MISMATCH);
    FAT_EXPECT(nvFatbinAddPTX(h, old, sizeof old, "75", "a", "-O3 --nonsense"), NVFATBIN_ERROR_UNRECOGNIZED_OPTION);
    FAT_EXPECT(nvFatbinAddLTOIR(h, "garbage", 7, "75", "a", NULL), NVFATBIN_ERROR_INVALID_NVVM);
    FAT_EXPECT(nvFatbinAddIndex(h, "garbage", 7, "a"), NVFATBIN_ERROR_INVALID_INDEX);
    FAT_EXPECT(nvFatbinSize(h, NULL), NVFATBIN_ERROR_NULL_POINTER);
    FAT_OK(nvFatbinSize(h, &size));
    CHECK(size == 16); // what was refused is not in it
    FAT_EXPECT(nvFatbinGet(h, NULL), NVFATBIN_ERROR_NULL_POINTER);
    stale = h;
    FAT_OK(nvFatbinDestroy(&h));
    FAT_EXPECT(nvFatbinSize(stale, &size), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinGet(stale, &byte), NVFATBIN_ERROR_NULL_POINTER);
    FAT_EXPECT(nvFatbinAddPTX(stale, old, sizeof old, "75", "a", NULL), NVFATBIN_ERROR_NULL_POINTER);
}

int main(int argc, char **argv)
{
    start();
    test_errors();
    test_ptx();
    test_elf();
    if (argc > 1)
        test_link(argv[1]);
    return test_summary();
}
