// SPDX-License-Identifier: Apache-2.0
// The fat binary reader: what it lists, what it unpacks, what it refuses, and that damaged input only gives errors.
#include "fatbin/fatbin_read.h"
#include "base/os.h"
#include "test.h"
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"
                           "// a line to compress, a line to compress, a line to compress, a line to compress\n";

struct image {
    _Alignas(8) char data[8192];
    size_t size;
};

static void image_begin(struct image *m)
{
    struct fatbin_header h = {FATBIN_MAGIC, 1, sizeof h, 0};
    memset(m, 0, sizeof *m);
    memcpy(m->data, &h, sizeof h);
    m->size = sizeof h;
}

static void image_add(struct image *m, unsigned kind, unsigned sm, uint64_t flags)
{
    char packed[1024];
    size_t n = sizeof text;
    const char *payload = text;
    if (flags & FATBIN_ZSTD)
        payload = packed, n = ZSTD_compress(packed, sizeof packed, text, sizeof text, 3);
    else if (flags & FATBIN_LZ4)
        payload = packed, n = (size_t)LZ4_compress_default(text, packed, sizeof text, sizeof packed);
    struct fatbin_entry_header h = {.kind = (uint16_t)kind,
                                    .version = 0x101,
                                    .header_size = sizeof h + 8,
                                    .size = (n + 7) & ~7ull,
                                    .compressed_size = flags & (FATBIN_LZ4 | FATBIN_ZSTD) ? (uint32_t)n : 0,
                                    .major = 8,
                                    .sm = sm,
                                    .name_offset = sizeof h,
                                    .name_size = 4,
                                    .flags = flags | FATBIN_64BIT,
                                    .full_size = flags & (FATBIN_LZ4 | FATBIN_ZSTD) ? sizeof text : 0};
    memcpy(m->data + m->size, &h, sizeof h);
    memcpy(m->data + m->size + sizeof h, "name", 4);
    memcpy(m->data + m->size + h.header_size, payload, n);
    m->size += h.header_size + h.size;
    uint64_t total = m->size - sizeof(struct fatbin_header);
    memcpy(m->data + 8, &total, sizeof total);
}

static void test_entries(void)
{
    struct image m;
    struct diag d;
    struct fatbin f;
    diag_init(&d, "fatbin");
    image_begin(&m);
    image_add(&m, FATBIN_PTX, 52, 0);
    image_add(&m, FATBIN_PTX, 80, FATBIN_ZSTD);
    image_add(&m, FATBIN_ELF, 90, 0);
    image_add(&m, FATBIN_PTX, 100, FATBIN_LZ4);
    CHECK(fatbin_is(m.data, m.size) && !fatbin_is(text, sizeof text) && !fatbin_is(m.data, 8));
    CHECK(fatbin_read(m.data, m.size, &f, &d));
    CHECK(f.entries.len == 4 && f.objects == 0);
    for (size_t i = 0; i < f.entries.len; i++) {
        const struct fatbin_entry *e = &f.entries.data[i];
        CHECK(e->name_size == 4 && !memcmp(e->name, "name", 4) && e->ptx_major == 8);
        if (e->kind != FATBIN_PTX)
            continue;
        size_t n;
        char *s = fatbin_entry_read(e, &n, &d);
        CHECK(s && !strcmp(s, text));
        free(s);
    }
    CHECK(fatbin_ptx_choose(&f, 0, 90, &d)->sm == 80);
    CHECK(fatbin_ptx_choose(&f, 0, 80, &d)->sm == 80);
    CHECK(fatbin_ptx_choose(&f, 0, 70, &d)->sm == 52);
    CHECK(fatbin_ptx_choose(&f, 0, 121, &d)->sm == 100);
    CHECK(fatbin_ptx_choose(&f, 0, 50, &d)->sm == 52);
    CHECK(d.errors == 0);
    CHECK(!fatbin_ptx_choose(&f, 1, 90, &d) && d.errors == 1);
    fatbin_fini(&f);
    diag_fini(&d);
}

static void test_wrappers(void)
{
    struct image a, b, linked;
    image_begin(&a);
    image_add(&a, FATBIN_PTX, 75, 0);
    image_begin(&b);
    image_add(&b, FATBIN_PTX, 75, FATBIN_ZSTD);
    image_begin(&linked);
    image_add(&linked, FATBIN_ELF, 75, 0);
    const void *objects[] = {a.data, b.data, NULL};
    struct fatbin_wrapper one = {FATBIN_WRAPPER_MAGIC, 1, a.data, NULL};
    struct fatbin_wrapper two = {FATBIN_WRAPPER_MAGIC, 2, linked.data, objects};
    struct diag d;
    struct fatbin f;
    diag_init(&d, "fatbin");
    CHECK(fatbin_read(&one, 0, &f, &d) && f.entries.len == 1);
    fatbin_fini(&f);
    CHECK(fatbin_read(&two, 0, &f, &d) && f.entries.len == 3 && f.objects == 2);
    CHECK(fatbin_ptx_choose(&f, 2, 90, &d)->object == 2);
    CHECK(!fatbin_ptx_choose(&f, 0, 90, &d) && strstr(str_text(&d.text), "machine code only"));
    fatbin_fini(&f);
    CHECK(!fatbin_read(&one, sizeof one, &f, &d)); // pointers from a file are never followed
    CHECK(!fatbin_read(NULL, 0, &f, &d));
    one.version = 7;
    CHECK(!fatbin_read(&one, 0, &f, &d) && d.cause == DIAG_UNSUPPORTED);
    diag_fini(&d);
}

// A size that the packed bytes cannot hold is damage, for which no memory is asked; one that they could is tried.
static void test_growth(void)
{
    static const uint64_t packings[] = {FATBIN_ZSTD, FATBIN_LZ4};
    for (int i = 0; i < 2; i++) {
        struct image m;
        struct diag d;
        struct fatbin f;
        size_t n;
        diag_init(&d, "fatbin");
        image_begin(&m);
        image_add(&m, FATBIN_PTX, 80, packings[i]);
        CHECK(fatbin_read(m.data, m.size, &f, &d) && f.entries.len == 1);
        struct fatbin_entry *e = &f.entries.data[0];
        size_t size = e->full_size;
        e->full_size = (e->payload_size + 1) * (i ? 255 : 32768);
        CHECK(!fatbin_entry_read(e, &n, &d) && strstr(str_text(&d.text), "is damaged"));
        e->full_size = size + 1;
        CHECK(!fatbin_entry_read(e, &n, &d));
        e->full_size = size;
        char *s = fatbin_entry_read(e, &n, &d);
        CHECK(s && !strcmp(s, text));
        free(s);
        fatbin_fini(&f);
        diag_fini(&d);
    }
}

// Texts of one letter, which pack best.
static void test_best_packed(void)
{
    enum { SIZE = 1 << 20 };
    char *data = malloc(SIZE), *packed = malloc(SIZE);
    memset(data, 'x', SIZE - 1);
    data[SIZE - 1] = 0;
    for (int i = 0; i < 2; i++) {
        struct diag d;
        size_t n, size = i ? (size_t)LZ4_compress_default(data, packed, SIZE, SIZE)
                           : ZSTD_compress(packed, SIZE, data, SIZE, 19);
        struct fatbin_entry e = {.kind = FATBIN_PTX,
                                 .flags = i ? FATBIN_LZ4 : FATBIN_ZSTD,
                                 .payload = packed,
                                 .payload_size = size,
                                 .full_size = SIZE};
        diag_init(&d, "fatbin");
        char *s = fatbin_entry_read(&e, &n, &d);
        CHECK(s && n == SIZE - 1 && !strcmp(s, data));
        free(s);
        diag_fini(&d);
    }
    free(packed);
    free(data);
}

static void test_damage(void)
{
    struct image m, bad;
    image_begin(&m);
    image_add(&m, FATBIN_PTX, 80, FATBIN_ZSTD);
    image_add(&m, FATBIN_PTX, 90, FATBIN_LZ4);
    image_add(&m, FATBIN_PTX, 52, 0);
    unsigned seed = 1, read = 0, refused = 0;
    for (int round = 0; round < 20000; round++) {
        bad = m;
        for (int k = rand_r(&seed) % 4 + 1; k; k--) {
            size_t at = (size_t)rand_r(&seed) % m.size;
            bad.data[at] = (char)(rand_r(&seed) % 3 ? rand_r(&seed) : bad.data[at] ^ (1 << rand_r(&seed) % 8));
        }
        size_t size = rand_r(&seed) % 4 ? m.size : (size_t)rand_r(&seed) % m.size + 1;
        char *exact = malloc(size); // so that a sanitizer sees a read past the end
        memcpy(exact, bad.data, size);
        struct diag d;
        struct fatbin f;
        diag_init(&d, "fatbin");
        if (fatbin_read(exact, size, &f, &d)) {
            read++;
            for (size_t i = 0; i < f.entries.len; i++) {
                size_t n;
                free(fatbin_entry_read(&f.entries.data[i], &n, &d));
            }
            fatbin_ptx_choose(&f, 0, 90, &d);
            fatbin_fini(&f);
        } else {
            refused += d.errors > 0;
        }
        diag_fini(&d);
        free(exact);
    }
    CHECK(read > 100 && refused > 100 && read + refused == 20000);
}

// What NVIDIA's nvcc writes, where it is installed, in its three ways of compressing.
static void test_oracle(void)
{
    if (access("/usr/local/cuda/bin/nvcc", X_OK)) {
        printf("no nvcc of NVIDIA's here: that part is skipped\n");
        return;
    }
    char dir[] = "/tmp/heddle-fatbin-XXXXXX", path[128], cmd[512];
    CHECK(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/k.cu", dir);
    static const char source[] = "__global__ void kernel_to_find(int *p) { *p = 42; }\n";
    CHECK(os_file_write(path, source, sizeof source - 1));
    static const char *const modes[] = {"none", "speed", "size"};
    for (int i = 0; i < 3; i++) {
        snprintf(cmd, sizeof cmd,
                 "/usr/local/cuda/bin/nvcc -fatbin -compress-mode=%s -gencode arch=compute_80,code=[compute_80,sm_80] "
                 "-gencode arch=compute_90,code=compute_90 %s/k.cu -o %s/k.fatbin",
                 modes[i], dir, dir);
        CHECK(!system(cmd));
        snprintf(path, sizeof path, "%s/k.fatbin", dir);
        size_t size = 0, n;
        char *data = os_file_read(path, &size);
        struct diag d;
        struct fatbin f;
        diag_init(&d, "fatbin");
        CHECK(data && fatbin_read(data, size, &f, &d) && f.entries.len == 3);
        const struct fatbin_entry *e = fatbin_ptx_choose(&f, 0, 90, &d);
        CHECK(e && e->sm == 90 && e->ptx_major >= 9);
        char *s = e ? fatbin_entry_read(e, &n, &d) : NULL;
        CHECK(s && strstr(s, "kernel_to_find") && strlen(s) == n);
        free(s);
        fatbin_fini(&f);
        diag_fini(&d);
        free(data);
    }
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    CHECK(!system(cmd));
}

int main(void)
{
    test_entries();
    test_wrappers();
    test_growth();
    test_best_packed();
    test_damage();
    test_oracle();
    return test_summary();
}
