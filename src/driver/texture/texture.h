// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: descriptors as programs write them, made into what kernels read.
#ifndef HEDDLE_DRIVER_TEXTURE_TEXTURE_H
#define HEDDLE_DRIVER_TEXTURE_TEXTURE_H
#include "driver/texture/array.h"

// The descriptor that kernels read for a texture (desc given; view may be NULL) or a surface (desc NULL). All checks of
// the interface are here.
CUresult texture_describe(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc,
                          const CUDA_RESOURCE_VIEW_DESC *view, struct texture *out);
size_t texture_linear_limit(struct texel_format format); // texels of a texture over linear memory
// In the reserved range, *out NULL where it is full even after waiting for those that die.
CUresult texture_make(struct context *c, const struct texture *t, struct texture **out);
// Takes it out of use once the work submitted so far is over: kernels under way may read it.
void texture_retire(struct context *c, struct texture *t);
void textures_reclaim(struct context *c); // those taken out of use, where no work is left
void textures_clear(struct context *c);

// References: variables of a module that hold the handle of a texture or surface. What is set on one counts from the
// next launch on.
struct texture_ref;
CUresult module_refs_make(struct module *m);
void module_refs_free(struct module *m);
CUresult module_refs_bind_slow(struct module *m);
static inline CUresult module_refs_bind(struct module *m) // before a launch
{
    return __builtin_expect(atomic_load_explicit(&m->textures_changed, memory_order_acquire), 0)
               ? module_refs_bind_slow(m)
               : CUDA_SUCCESS;
}
void texture_refs_clear(struct context *c);
CUresult texture_ref_check(CUtexref texture); // it is one
#endif
