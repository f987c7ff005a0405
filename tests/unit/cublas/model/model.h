// SPDX-License-Identifier: Apache-2.0
// The instructions that the code for some processors is made of, in plain C as Intel's manual defines them: so that this code is tested where no
// such processor is. A vector's or tile's bits are what the processor would give.
#ifndef HEDDLE_TESTS_CUBLAS_MODEL_H
#define HEDDLE_TESTS_CUBLAS_MODEL_H
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#define PRODUCT_MODEL 1

// ---- VPDPBUSD
static inline void model_dot_bytes(int32_t *sum, const uint8_t *u, const int8_t *s, int lanes)
{
    for (int i = 0; i < 4 * lanes; i++)
        sum[i / 4] = (int32_t)((uint32_t)sum[i / 4] + (uint32_t)(u[i] * s[i]));
}
#define MODEL_DOT_BYTES(sum, u, s)                                                                                     \
    ({                                                                                                                 \
        integers sum_ = (sum), u_ = (u), s_ = (s);                                                                     \
        model_dot_bytes((int32_t *)&sum_, (const uint8_t *)&u_, (const int8_t *)&s_, VECTOR_BYTES / 4);                \
        sum_;                                                                                                          \
    })

// ---- VDPBF16PS: subnormal operands and results are 0
static inline float model_flush(float f)
{
    return fabsf(f) < FLT_MIN ? copysignf(0, f) : f;
}

static inline float model_float(uint16_t b)
{
    const uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return model_flush(f);
}

static inline float model_fused(uint16_t x, uint16_t y, float sum)
{
    return model_flush(fmaf(model_float(x), model_float(y), model_flush(sum)));
}

static inline void model_dot_bfloats(float *sum, const uint16_t *x, const uint16_t *y, int lanes)
{
    for (int i = 0; i < lanes; i++)
        for (int q = 1; q >= 0; q--)
            sum[i] = model_fused(x[2 * i + q], y[2 * i + q], sum[i]);
}
#define MODEL_DOT_BFLOATS(sum, x, y)                                                                                   \
    ({                                                                                                                 \
        floats sum_ = (sum);                                                                                           \
        integers x_ = (x), y_ = (y);                                                                                   \
        model_dot_bfloats((float *)&sum_, (const uint16_t *)&x_, (const uint16_t *)&y_, VECTOR_BYTES / 4);             \
        sum_;                                                                                                          \
    })

// ---- AMX, with whole tiles
static struct {
    _Alignas(64) uint8_t at[8][16][64];
    int configured;
} model_tiles;

static inline void model_configure(const void *shape)
{
    const uint8_t *s = shape;
    model_tiles.configured = s[0] == 1;
    for (int i = 0; i < 8; i++)
        model_tiles.configured &= s[16 + 2 * i] == 64 && s[17 + 2 * i] == 0 && s[48 + i] == 16;
    memset(model_tiles.at, 0, sizeof model_tiles.at);
}

static inline void model_load(int tile, const char *from, int64_t stride)
{
    for (int i = 0; i < 16; i++)
        memcpy(model_tiles.at[tile][i], from + i * stride, 64);
}

static inline void model_store(int tile, char *to, int64_t stride)
{
    for (int i = 0; i < 16; i++) // what was not configured gives what no test expects
        memcpy(to + i * stride, model_tiles.at[model_tiles.configured ? tile : 7][i], 64);
}

static inline void model_tile_bytes(int sum, int x, int y)
{
    for (int m = 0; m < 16; m++)
        for (int k = 0; k < 16; k++)
            for (int n = 0; n < 16; n++)
                for (int q = 0; q < 4; q++)
                    ((uint32_t *)model_tiles.at[sum][m])[n] +=
                        (uint32_t)(((const int8_t *)model_tiles.at[x][m])[4 * k + q] *
                                   ((const int8_t *)model_tiles.at[y][k])[4 * n + q]);
}

static inline void model_tile_bfloats(int sum, int x, int y)
{
    for (int m = 0; m < 16; m++) {
        float part[32] = {0}, *total = (float *)model_tiles.at[sum][m];
        for (int k = 0; k < 16; k++)
            for (int n = 0; n < 32; n++)
                part[n] = model_fused(((const uint16_t *)model_tiles.at[x][m])[2 * k + n % 2],
                                      ((const uint16_t *)model_tiles.at[y][k])[n], part[n]);
        for (int n = 0; n < 16; n++)
            total[n] = model_flush(model_flush(total[n]) + model_flush(part[2 * n] + part[2 * n + 1]));
    }
}
#define _tile_loadconfig(shape)         model_configure(shape)
#define _tile_release()                 (void)(model_tiles.configured = 0)
#define _tile_zero(tile)                memset(model_tiles.at[tile], 0, sizeof model_tiles.at[tile])
#define _tile_loadd(tile, from, stride) model_load(tile, from, stride)
#define _tile_stored(tile, to, stride)  model_store(tile, to, stride)
#define _tile_dpbssd(sum, x, y)         model_tile_bytes(sum, x, y)
#define _tile_dpbf16ps(sum, x, y)       model_tile_bfloats(sum, x, y)
#endif
