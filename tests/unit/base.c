// SPDX-License-Identifier: Apache-2.0
// The base layer: arena, vectors, strings, maps, hashes, diagnostics, files.
#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/os.h"
#include "base/graph/scc.h"
#include "base/vec.h"
#include "test.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static void arenas(void)
{
    struct arena a;
    arena_init(&a);
    char *prev = NULL;
    for (int i = 0; i < 1000; i++) {
        char *p = arena_alloc(&a, (size_t)i * 7);
        CHECK(((uintptr_t)p & 15) == 0 && p != prev);
        memset(p, 0xff, (size_t)i * 7);
        prev = i ? p : NULL;
    }
    CHECK(!strcmp(arena_printf(&a, "%d-%s", 42, "x"), "42-x"));
    arena_fini(&a);
}

static void maps(void)
{
    struct map m = {0};
    char keys[500][8];
    for (int i = 0; i < 500; i++) {
        snprintf(keys[i], 8, "k%d", i);
        map_put_str(&m, keys[i], (void *)(uintptr_t)(i + 1));
    }
    bool right = true;
    for (int i = 0; i < 500; i++) {
        char k[8];
        snprintf(k, 8, "k%d", i);
        right &= map_get_str(&m, k) == (void *)(uintptr_t)(i + 1);
    }
    CHECK(right && m.len == 500 && !map_get_str(&m, "none"));
    map_free(&m);
    int x[3];
    for (int i = 0; i < 3; i++)
        map_put_ptr(&m, &x[i], &x[2 - i]);
    CHECK(map_get_ptr(&m, &x[0]) == &x[2] && map_get_ptr(&m, &x[1]) == &x[1] && !map_get_ptr(&m, &m));
    map_free(&m);
}

// 0 -> 1 <-> 2, 1 -> 3, 4 -> 4 and 4 -> 0: {1, 2}, {3}, {0} and {4}, successors first.
static void components(void)
{
    static const uint32_t first[] = {0, 1, 3, 4, 4, 6}, edges[] = {1, 2, 3, 1, 4, 0};
    static const uint32_t order[] = {3, 2, 1, 0, 4}, component[] = {2, 1, 1, 0, 3};
    struct scc s;
    scc_find(&s, 5, first, edges);
    CHECK(!memcmp(s.order, order, sizeof order) && !memcmp(s.component, component, sizeof component));
    scc_free(&s);
}

static void strings(void)
{
    static const char *const words[] = {"add", "addc"};
    CHECK(str_list_has("cpuacct,cpu", "cpu") && str_list_has("cpu", "cpu") && !str_list_has("cpuacct,cpuset", "cpu") &&
          !str_list_has("", "cpu"));
    CHECK(str_is("addc x", 4, "addc") && !str_is("addc x", 3, "addc") && !str_is("addc x", 4, "add"));
    CHECK(str_begins_any("addc x", words + 1, 1) && str_begins_any("add", words, 2) && !str_begins_any("ad", words, 2));
    CHECK(str_is_any("addc x", 4, words, 2) && str_is_any("addc x", 3, words, 2) &&
          !str_is_any("addc x", 2, words, 2) && !str_is_any("addc x", 4, words, 1));
    const char *text = "(a[\")\"]{b}) c", *behind = str_skip_brackets(text);
    CHECK(behind && !strcmp(behind, " c") && !str_skip_brackets("(a[b]") && !str_skip_brackets("(\")"));
}

static void folders(void)
{
    char path[256], few[8];
    CHECK(os_temp_dir(path, sizeof path, os_temp_base(), "heddle") && strstr(path, "/heddle-") && !access(path, X_OK));
    os_folder_remove(path);
    CHECK(access(path, F_OK));
    CHECK(!os_temp_dir(path, sizeof path, "/nonexistent", "heddle") && errno == ENOENT && !*path);
    CHECK(!os_temp_dir(few, sizeof few, "/tmp", "heddle") && errno == ENAMETOOLONG && !*few);
}

static void diags(void)
{
    struct diag d;
    diag_init(&d, "a.ptx");
    CHECK(!diag_error(&d, 3, 7, "bad %s", "thing"));
    CHECK(!strcmp(str_text(&d.text), "a.ptx:3:7: error: bad thing\n") && d.errors == 1 && d.cause == DIAG_INPUT);
    diag_unsupported(&d, 0, 0, "x");
    CHECK(d.cause == DIAG_UNSUPPORTED && strstr(str_text(&d.text), "a.ptx: not supported: x\n"));
    for (int i = 0; i < 1000; i++)
        diag_error(&d, 1, 1, "again");
    CHECK(d.errors == 1002 && d.text.len < 5000);
    diag_fini(&d);
}

static atomic_int ended;

static void thing_end(void *thing)
{
    atomic_fetch_add(&ended, *(int *)thing);
}

// Two kinds; the second thing of a kind takes the place of the first, and NULL takes it away.
static void *thread_main(void *unused)
{
    static struct os_thread_end one = {.end = thing_end}, two = {.end = thing_end};
    static int things[] = {1, 20, 300, 4000};
    (void)unused;
    CHECK(os_at_thread_end(&one, &things[0]) && os_at_thread_end(&one, &things[1]));
    CHECK(os_at_thread_end(&two, &things[2]));
    CHECK(os_at_thread_end(&two, NULL) && os_at_thread_end(&two, &things[3]));
    return NULL;
}

static void thread_ends(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        CHECK(!pthread_create(&t, NULL, thread_main, NULL) && !pthread_join(t, NULL));
    }
    CHECK(atomic_load(&ended) == 2 * 4020);
}

int main(void)
{
    arenas();
    maps();
    components();
    strings();
    folders();
    diags();
    thread_ends();
    struct VEC(int) v = {0};
    for (int i = 0; i < 100; i++)
        vec_push(&v, i * i);
    CHECK(v.len == 100 && v.data[99] == 9801);
    vec_free(&v);
    struct hash128 a, b;
    hash128_init(&a);
    hash128_init(&b);
    hash128_add_text(&a, "ab");
    hash128_add_text(&a, "c");
    hash128_add_text(&b, "a");
    hash128_add_text(&b, "bc");
    CHECK(memcmp(&a, &b, sizeof a) != 0);
    char path[64];
    snprintf(path, sizeof path, "/tmp/heddle-base-%d", (int)getpid());
    size_t n;
    CHECK(os_file_write(path, "hello", 5));
    char *back = os_file_read(path, &n);
    CHECK(back && n == 5 && !strcmp(back, "hello"));
    free(back);
    unlink(path);
    CHECK(!os_file_read(path, NULL) && os_cpu_count() >= 1);
    return test_summary();
}
