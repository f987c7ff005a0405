// SPDX-License-Identifier: Apache-2.0
// libheddle-run.so: an auditing library of the dynamic loader (rtld-audit(7)), which `heddle run` names in LD_AUDIT. The loader asks it
// for every library before it looks anywhere: la_objsearch with LA_SER_ORIG gets the name as a program or its DT_NEEDED has it. A path that is
// given in its place is opened as it is. So Heddle's libraries come before those that a program names by DT_RPATH, by DT_RUNPATH
// or by their full path in dlopen, which LD_LIBRARY_PATH does not reach, and no file of the program is touched.
//
// What is asked for by a library of Heddle's, or by one that it has brought, is Heddle's as well: LD_LIBRARY_PATH, where NVIDIA's may
// stand, comes before the run path by which they find each other. Where the device is a GPU it is left alone: they open NVIDIA's on
// purpose. The loader holds its lock in every call here: nothing below has to be guarded.
// The library lives in a namespace of its own with its own C library, and keeps to files, text and static memory.
#include "audit/wanted.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
static char folder[PATH_MAX / 2]; // of Heddle's libraries, which is this one's
static struct stat folder_stat;
static bool show, on_gpu;
static char ours;          // objects whose cookie is its address are Heddle's
static bool asked_by_ours; // the last search: what is opened next is what it found

static void say(const char *wanted, const char *text, const char *detail)
{
    char line[2 * PATH_MAX];
    int n = snprintf(line, sizeof line, "heddle run: %s%s%s\n", wanted, text, detail);
    if (n > 0 && write(STDERR_FILENO, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1) < 0)
        return; // nobody reads it
}

// Whether the name has not been told of yet; beyond the table's size a name may be told of twice.
static bool is_news(const char *name)
{
    static uint32_t told[512];
    static unsigned count;
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    for (unsigned i = 0; i < count; i++)
        if (told[i] == hash)
            return false;
    if (count < sizeof told / sizeof *told)
        told[count++] = hash;
    return true;
}

static bool own_file(const char *stem, int major, char *path, size_t size)
{
    int n = major == ANY_MAJOR ? snprintf(path, size, "%s/lib%s.so", folder, stem)
                               : snprintf(path, size, "%s/lib%s.so.%d", folder, stem, major);
    return n > 0 && (size_t)n < size && !access(path, R_OK);
}

static void say_left(const char *name, const struct wanted *w)
{
    char text[PATH_MAX] = "Heddle has none", path[PATH_MAX];
    size_t len = 0;
    if (w->driver && on_gpu) {
        say(name, " left alone: HEDDLE_DEVICE=gpu", "");
        return;
    }
    for (int major = 0; major < 100 && len + 16 < sizeof text; major++)
        if (own_file(w->stem, major, path, sizeof path))
            len += (size_t)snprintf(text + len, sizeof text - len, "%s.%d", len ? ", " : "Heddle has ", major);
    say(name, " left alone: ", text);
}

// A path without a version, as a linker takes it, is a link to the file with one.
static void resolve_major(const char *name, struct wanted *w)
{
    char path[PATH_MAX];
    struct wanted file;
    if (w->major == ANY_MAJOR && strchr(name, '/') && realpath(name, path) && wanted_parse(path, &file))
        w->major = file.major;
}

static bool same_folder(const char *path)
{
    char dir[PATH_MAX];
    struct stat st;
    const char *slash = strrchr(path, '/');
    return slash && (size_t)(slash - path) < sizeof dir &&
           snprintf(dir, sizeof dir, "%.*s/", (int)(slash - path), path) > 0 && !stat(dir, &st) &&
           st.st_dev == folder_stat.st_dev && st.st_ino == folder_stat.st_ino;
}

static bool is_own_object(const char *path)
{
    struct wanted w;
    return (wanted_parse(path, &w) || strstr(path, "/libheddle-")) && same_folder(path);
}

// The versions differ in calls that are not made here, which enter functions with the machine's registers.
EXPORT unsigned la_version(unsigned version)
{
    enum { NEWEST = LAV_CURRENT > 2 ? LAV_CURRENT : 2 };
    Dl_info self;
    const char *slash, *word = secure_getenv("HEDDLE_RUN"), *device = secure_getenv("HEDDLE_DEVICE");
    bool found = dladdr((const void *)la_version, &self) && (slash = strrchr(self.dli_fname, '/')) &&
                 (size_t)(slash - self.dli_fname) < sizeof folder;
    if (version < 1 || version > NEWEST || !found) {
        say("",
            found ? "the loader's audit interface is not known here" : "the folder of Heddle's libraries is not known",
            ": nothing is redirected");
        return 0;
    }
    memcpy(folder, self.dli_fname, (size_t)(slash - self.dli_fname));
    stat(folder, &folder_stat);
    show = word && !strcmp(word, "show");
    on_gpu = device && !strcmp(device, "gpu");
    return version;
}

EXPORT unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    (void)space;
    if (asked_by_ours || is_own_object(map->l_name))
        *cookie = (uintptr_t)&ours;
    return 0; // no word of the symbols that it binds
}

EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    static char given[PATH_MAX];
    struct wanted w;
    if (flag != LA_SER_ORIG)
        return (char *)name;
    asked_by_ours = *cookie == (uintptr_t)&ours;
    if ((asked_by_ours && on_gpu) || !wanted_parse(name, &w))
        return (char *)name;
    resolve_major(name, &w);
    bool redirect = !(w.driver && on_gpu) && own_file(w.stem, w.major, given, sizeof given);
    if (show && !asked_by_ours && is_news(name)) {
        if (redirect)
            say(name, " -> ", given);
        else
            say_left(name, &w);
    }
    return redirect ? given : (char *)name;
}
