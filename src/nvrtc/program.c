// SPDX-License-Identifier: Apache-2.0
#include "nvrtc/program.h"
#include <stdint.h>
#include <stdlib.h>

void program_texts_free(struct texts *t)
{
    for (size_t i = 0; i < t->len; i++)
        free((char *)(uintptr_t)t->data[i]);
    vec_free(t);
}

void program_clear(struct program *p)
{
    str_free(&p->log);
    str_free(&p->ptx);
    str_free(&p->image);
    str_free(&p->lto);
    program_texts_free(&p->lowered);
    p->compiled = false;
    p->pch_status = NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
}
