// SPDX-License-Identifier: Apache-2.0
// What texture.c and surface.c of the translator share.
#ifndef HEDDLE_JIT_TRANSLATE_IMAGE_H
#define HEDDLE_JIT_TRANSLATE_IMAGE_H
#include "jit/abi/image.h"
#include "jit/translate/emit.h"

enum { IMAGE_ARGS_MAX = 16 };
struct image_args {
    value word[IMAGE_ARGS_MAX];
    unsigned n;
};
void tr_image_push(struct image_args *a, value v);

bool tr_image_geometry(struct translator *t, const struct ptx_insn *in, enum image_geometry *g);
// The coordinates of [a, {c}], the layer first; type is that of the others.
bool tr_image_coordinates(struct translator *t, const struct ptx_operand *texture, enum image_geometry g,
                          enum ptx_type type, struct image_args *a);
// The call to the engine: a structure of four i32.
value tr_image_call(struct translator *t, uint32_t op, value handle, const struct image_args *a);
#endif
