// SPDX-License-Identifier: Apache-2.0
// Compiled code as the files of this folder see it: where it comes from and what it belongs to.
#ifndef HEDDLE_JIT_CACHE_CODE_H
#define HEDDLE_JIT_CACHE_CODE_H
#include "base/hash.h"
#include "jit/debug/loaded.h"
#include "jit/jit.h"
#include <pthread.h>

// A module's text with its functions, which may be needed when the module has gone.
struct whole {
    atomic_uint refs;
    char *text;
    size_t size;
    struct ptx_module *ptx;
};

struct jit_module {
    const struct ptx_module *ptx;
    const char *source;
    size_t source_size;
    bool linked; // of several texts, which stand in `source` one after the other
    struct hash128 text;
    pthread_mutex_t lock;
    struct whole *whole; // when it was needed
    struct jit_code *codes;
    int ahead; // kernels that may still be compiled before anybody asks for them
};

struct loaded {
    struct jit_code code; // first: the public part
    const struct ptx_func *kernel;
    struct jit_options options;
    struct load_image image;
    void *registered;
    _Atomic(struct jit_module *) module; // NULL: not its own yet
    _Atomic(struct loaded *) better;     // what has taken its place
    bool ahead;                          // nobody has asked for it yet
};

struct whole *whole_create(const char *text, size_t size, struct diag *d); // NULL with diagnostics
void whole_release(struct whole *w);
// That of the module; the caller releases it. NULL with diagnostics.
struct whole *module_whole(struct jit_module *jm, struct diag *d);

// What the code is found by in the disk cache. `text` is the hash of the module's text.
void code_key(const struct hash128 *text, const char *kernel, const struct jit_options *o, bool quick,
              struct hash128 *key);
// From the disk cache; NULL: it is not there.
struct loaded *code_cached(const struct hash128 *text, const struct ptx_func *kernel, const struct jit_options *o);
// Compiled now, from the whole module's function, and put into the disk cache. NULL with diagnostics.
struct loaded *code_compiled(const struct hash128 *text, const struct ptx_module *m, const struct ptx_func *kernel,
                             const struct jit_options *o, struct diag *d);
void code_free(struct loaded *l);
// Under the module's lock: the one that it has, or NULL; and one more.
struct loaded *module_find(const struct jit_module *jm, const struct ptx_func *kernel,
                           const struct jit_options *options);
void module_insert(struct jit_module *jm, const struct ptx_func *kernel, struct loaded *l);
bool code_same_options(const struct jit_options *a, const struct jit_options *b);
// Calls f for all code there is, none of which goes meanwhile. False: somebody keeps the list for longer than that.
bool code_each(void (*f)(struct loaded *l, void *data), void *data, unsigned ms);
#endif
