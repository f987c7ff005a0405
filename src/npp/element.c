// SPDX-License-Identifier: Apache-2.0
// Operations on each number by itself, of images and of constants for each channel. A row is done in chunks: the loop of the type writes to memory of
// the worker, from where the image is written. So a source and what is written may be the same memory, and masks and alpha channels are no concern of the loops.
#include "npp/element.h"
#include "library/half.h"
#include "npp/body.h"
#include <string.h>

void npp_pattern(void *chunk, const void *values, unsigned channels, size_t size)
{
    for (size_t i = 0; i < NPP_CHUNK; i++)
        memcpy((char *)chunk + i * size, (const char *)values + i % channels * size, size);
}

// Numbers of `size` bytes whose place in the pixel and whose pixel's mask say so.
static void store_some(const struct npp_job *j, int y, size_t from, char *to, const char *numbers, size_t n,
                       size_t size)
{
    unsigned stored = j->form.dst_channels;
    const uint8_t *mask = j->form.masked ? npp_at(&j->c.mask, y, 0) : NULL;
    for (size_t i = 0; i < n; i++)
        if (!(j->form.dst_alpha && (from + i) % stored == 3) && (!mask || mask[(from + i) / stored]))
            memcpy(to + i * size, numbers + i * size, size);
}

void npp_store(const struct npp_job *j, int y, size_t from, const void *numbers, size_t n, size_t size)
{
    char *to = npp_at(&j->c.dst[0], y, from * size);
    if (!j->form.dst_alpha && !j->form.masked) {
        memcpy(to, numbers, n * size);
    } else if (j->form.masked || (size != 1 && size != 2 && size != 4)) {
        store_some(j, y, from, to, numbers, n, size);
    } else { // AC4: n and from are multiples of four
        const char *v = numbers;
        for (size_t i = 0; i < n * size; i += 4 * size)
            memcpy(to + i, v + i, 3 * size);
    }
}

// What a part keeps: up to four others of a row, the constants of which are chunks.
struct others {
    _Alignas(64) unsigned char pattern[4][NPP_CHUNK * 16];
    _Alignas(64) unsigned char numbers[NPP_CHUNK * 16];
};

// The constants of the channels, in the loop's type; half precision has floats for constants.
static void values_get(const struct npp_job *j, unsigned which, unsigned char to[64])
{
    const void *from = j->c.value[which];
    unsigned n = npp_used(&j->form);
    size_t size = (size_t)j->list[4] ? 4 : npp_size(j->form.s);
    for (unsigned i = 0; i < n; i++)
        if (j->form.s == NT_16f) {
            uint16_t h = half_of_float(((const float *)from)[i]);
            memcpy(to + i * 2, &h, 2);
        } else {
            memcpy(to + i * size, (const char *)from + i * size, size);
        }
}

static void run_element(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    npp_loop *loop = (npp_loop *)j->function;
    size_t size = npp_size(j->form.s);
    unsigned constants = (unsigned)j->list[1];
    bool second = j->list[2];
    int from, to;
    struct others o;
    const void *p[4] = {NULL, NULL, NULL, NULL};
    for (unsigned i = 0; i < constants; i++) {
        unsigned char device[64] = {0};
        if (j->list[3])
            values_get(j, i, device);
        npp_pattern(o.pattern[i], j->list[3] ? device : j->value[i], j->form.channels, j->list[4] ? 4 : size);
        p[i] = o.pattern[i];
    }
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, n = npp_numbers(j, y); i < n; i += NPP_CHUNK) {
            size_t count = n - i < NPP_CHUNK ? n - i : NPP_CHUNK;
            const void *x = npp_at(&j->c.src[0], y, i * size);
            if (second) { // of two images the second one is the first operand
                p[0] = x;
                x = npp_at(&j->c.src[1], y, i * size);
            }
            loop(x, p, o.numbers, count, j);
            npp_store(j, y, i, o.numbers, count, size);
        }
}
static struct library_kernel element_kernel = LIBRARY_KERNEL("npp_element", run_element, struct npp_job);

// constants: how many there are; device: they are the device's; shift: they are 32-bit numbers.
static NppStatus element(const struct npp_call *c, enum npp_element op, unsigned constants, bool device, bool shift)
{
    struct npp_job j = npp_job(c);
    j.list[4] = shift;
    for (unsigned i = 0; i < constants && !device; i++)
        values_get(&j, i, j.value[i]);
    j.function = (void (*)(void))npp_element_loop(op, c->form->s);
    j.list[1] = (int)constants;
    j.list[2] = c->src[1].data != NULL;
    j.list[3] = device;
    NPP_CHECK(j.function, NPP_NOT_SUPPORTED_MODE_ERROR);
    return npp_launch(&element_kernel, &j, c->size.height, (double)npp_row(&j.form, c->size.width));
}

NppStatus npp_element(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(c->round >= NPP_RND_NEAR && c->round <= NPP_RND_ZERO, NPP_ROUND_MODE_NOT_SUPPORTED_ERROR);
    return element(c, (enum npp_element)c->form->argument, c->value[0] != NULL, false, false);
}

NppStatus npp_element_device(const struct npp_call *c)
{
    NPP_ENTER(c);
    return element(c, (enum npp_element)c->form->argument, 1, true, false);
}

NppStatus npp_element_shift(const struct npp_call *c)
{
    NPP_ENTER(c);
    return element(c, (enum npp_element)c->form->argument, 1, false, true);
}

// ---- thresholds: a threshold alone is also the value
NppStatus npp_threshold(const struct npp_call *c)
{
    static const enum npp_element by_compare[] = {[NPP_CMP_LESS] = ELEMENT_THRESHOLD_LT,
                                                  [NPP_CMP_GREATER] = ELEMENT_THRESHOLD_GT};
    NPP_ENTER(c);
    enum npp_element op = (enum npp_element)c->form->argument;
    struct npp_call with = *c;
    if (op == ELEMENTS) { // the comparison is a parameter
        NPP_CHECK(c->mode == NPP_CMP_LESS || c->mode == NPP_CMP_GREATER, NPP_NOT_SUPPORTED_MODE_ERROR);
        op = by_compare[c->mode];
    }
    if (!with.value[1])
        with.value[1] = with.value[0];
    return element(&with, op, op == ELEMENT_THRESHOLD_LT_GT ? 4 : 2, false, false);
}
