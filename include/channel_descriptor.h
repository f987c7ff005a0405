// SPDX-License-Identifier: Apache-2.0
// cudaCreateChannelDesc<T>(): the channel descriptor of an element type.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__
#include "cuda_runtime_api.h"

#if defined(__cplusplus)
template <class __T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescNV12()
{
    return cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindNV12);
}

#define HEDDLE_CHANNEL(__T, bits, y, z, w, kind)                                                                       \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<__T>()                                              \
    {                                                                                                                  \
        return cudaCreateChannelDesc(bits, (y) * (bits), (z) * (bits), (w) * (bits), cudaChannelFormatKind##kind);     \
    }
#define HEDDLE_CHANNELS(scalar, vector, bits, kind)                                                                    \
    HEDDLE_CHANNEL(scalar, bits, 0, 0, 0, kind)                                                                        \
    HEDDLE_CHANNEL(vector##1, bits, 0, 0, 0, kind)                                                                     \
    HEDDLE_CHANNEL(vector##2, bits, 1, 0, 0, kind)                                                                     \
    HEDDLE_CHANNEL(vector##3, bits, 1, 1, 0, kind)                                                                     \
    HEDDLE_CHANNEL(vector##4, bits, 1, 1, 1, kind)

HEDDLE_CHANNELS(signed char, char, 8, Signed)
HEDDLE_CHANNELS(unsigned char, uchar, 8, Unsigned)
HEDDLE_CHANNELS(short, short, 16, Signed)
HEDDLE_CHANNELS(unsigned short, ushort, 16, Unsigned)
HEDDLE_CHANNELS(int, int, 32, Signed)
HEDDLE_CHANNELS(unsigned int, uint, 32, Unsigned)
HEDDLE_CHANNELS(float, float, 32, Float)
#if defined(__CHAR_UNSIGNED__)
HEDDLE_CHANNEL(char, 8, 0, 0, 0, Unsigned)
#else
HEDDLE_CHANNEL(char, 8, 0, 0, 0, Signed)
#endif

#undef HEDDLE_CHANNELS
#undef HEDDLE_CHANNEL
#endif
#endif
