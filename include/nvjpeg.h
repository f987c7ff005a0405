// SPDX-License-Identifier: Apache-2.0
// nvJPEG: JPEG files decoded into device memory and encoded from it.
#ifndef NV_JPEG_HEADER
#define NV_JPEG_HEADER
#include "cuda_runtime_api.h"
#include "library_types.h"
#include <stddef.h>
#include <stdint.h>

#ifndef NVJPEGAPI
#define NVJPEGAPI
#endif

#define NVJPEG_MAX_COMPONENT 4
#define NVJPEG_VER_MAJOR     13
#define NVJPEG_VER_MINOR     0
#define NVJPEG_VER_PATCH     0
#define NVJPEG_VER_BUILD     0

#if defined(__cplusplus)
extern "C" {
#endif
typedef enum {
    NVJPEG_STATUS_SUCCESS = 0,
    NVJPEG_STATUS_NOT_INITIALIZED = 1,
    NVJPEG_STATUS_INVALID_PARAMETER = 2,
    NVJPEG_STATUS_BAD_JPEG = 3,
    NVJPEG_STATUS_JPEG_NOT_SUPPORTED = 4,
    NVJPEG_STATUS_ALLOCATOR_FAILURE = 5,
    NVJPEG_STATUS_EXECUTION_FAILED = 6,
    NVJPEG_STATUS_ARCH_MISMATCH = 7,
    NVJPEG_STATUS_INTERNAL_ERROR = 8,
    NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED = 9,
    NVJPEG_STATUS_INCOMPLETE_BITSTREAM = 10
} nvjpegStatus_t;

typedef enum {
    NVJPEG_ORIENTATION_UNKNOWN = 0,
    NVJPEG_ORIENTATION_NORMAL = 1,
    NVJPEG_ORIENTATION_FLIP_HORIZONTAL = 2,
    NVJPEG_ORIENTATION_ROTATE_180 = 3,
    NVJPEG_ORIENTATION_FLIP_VERTICAL = 4,
    NVJPEG_ORIENTATION_TRANSPOSE = 5,
    NVJPEG_ORIENTATION_ROTATE_90 = 6,
    NVJPEG_ORIENTATION_TRANSVERSE = 7,
    NVJPEG_ORIENTATION_ROTATE_270 = 8
} nvjpegExifOrientation_t;

typedef enum {
    NVJPEG_CSS_444 = 0,
    NVJPEG_CSS_422 = 1,
    NVJPEG_CSS_420 = 2,
    NVJPEG_CSS_440 = 3,
    NVJPEG_CSS_411 = 4,
    NVJPEG_CSS_410 = 5,
    NVJPEG_CSS_GRAY = 6,
    NVJPEG_CSS_410V = 7,
    NVJPEG_CSS_UNKNOWN = -1
} nvjpegChromaSubsampling_t;

typedef enum {
    NVJPEG_OUTPUT_UNCHANGED = 0,
    NVJPEG_OUTPUT_YUV = 1,
    NVJPEG_OUTPUT_Y = 2,
    NVJPEG_OUTPUT_RGB = 3,
    NVJPEG_OUTPUT_BGR = 4,
    NVJPEG_OUTPUT_RGBI = 5,
    NVJPEG_OUTPUT_BGRI = 6,
    NVJPEG_OUTPUT_UNCHANGEDI_U16 = 7,
    NVJPEG_OUTPUT_NV12 = 8,
    NVJPEG_OUTPUT_YUY2 = 9,
    NVJPEG_OUTPUT_FORMAT_MAX = 9
} nvjpegOutputFormat_t;

typedef enum {
    NVJPEG_INPUT_YUV = 1,
    NVJPEG_INPUT_RGB = 3,
    NVJPEG_INPUT_BGR = 4,
    NVJPEG_INPUT_RGBI = 5,
    NVJPEG_INPUT_BGRI = 6,
    NVJPEG_INPUT_NV12 = 8
} nvjpegInputFormat_t;

typedef enum {
    NVJPEG_BACKEND_DEFAULT = 0,
    NVJPEG_BACKEND_HYBRID = 1,
    NVJPEG_BACKEND_GPU_HYBRID = 2,
    NVJPEG_BACKEND_HARDWARE = 3,
    NVJPEG_BACKEND_GPU_HYBRID_DEVICE = 4,
    NVJPEG_BACKEND_HARDWARE_DEVICE = 5,
    NVJPEG_BACKEND_LOSSLESS_JPEG = 6
} nvjpegBackend_t;

typedef enum {
    NVJPEG_ENC_BACKEND_DEFAULT = 0,
    NVJPEG_ENC_BACKEND_GPU = 1,
    NVJPEG_ENC_BACKEND_HARDWARE = 2
} nvjpegEncBackend_t;

typedef enum {
    NVJPEG_ENCODING_UNKNOWN = 0x0,
    NVJPEG_ENCODING_BASELINE_DCT = 0xc0,
    NVJPEG_ENCODING_EXTENDED_SEQUENTIAL_DCT_HUFFMAN = 0xc1,
    NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN = 0xc2,
    NVJPEG_ENCODING_LOSSLESS_HUFFMAN = 0xc3
} nvjpegJpegEncoding_t;

typedef enum {
    NVJPEG_SCALE_NONE = 0,
    NVJPEG_SCALE_1_BY_2 = 1,
    NVJPEG_SCALE_1_BY_4 = 2,
    NVJPEG_SCALE_1_BY_8 = 3
} nvjpegScaleFactor_t;

#define NVJPEG_FLAGS_DEFAULT                         0
#define NVJPEG_FLAGS_HW_DECODE_NO_PIPELINE           1
#define NVJPEG_FLAGS_ENABLE_MEMORY_POOLS             (1 << 1)
#define NVJPEG_FLAGS_BITSTREAM_STRICT                (1 << 2)
#define NVJPEG_FLAGS_REDUCED_MEMORY_DECODE           (1 << 3)
#define NVJPEG_FLAGS_REDUCED_MEMORY_DECODE_ZERO_COPY (1 << 4)
#define NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION   (1 << 5)

// Planes of device memory, and the bytes from one row to the next.
typedef struct {
    unsigned char *channel[NVJPEG_MAX_COMPONENT];
    size_t pitch[NVJPEG_MAX_COMPONENT];
} nvjpegImage_t;

// Allocators of the program's own; 0 is success.
typedef int (*tDevMalloc)(void **, size_t);
typedef int (*tDevFree)(void *);
typedef int (*tPinnedMalloc)(void **, size_t, unsigned int flags);
typedef int (*tPinnedFree)(void *);
typedef int (*tDevMallocV2)(void *ctx, void **ptr, size_t size, cudaStream_t stream);
typedef int (*tDevFreeV2)(void *ctx, void *ptr, size_t size, cudaStream_t stream);
typedef int (*tPinnedMallocV2)(void *ctx, void **ptr, size_t size, cudaStream_t stream);
typedef int (*tPinnedFreeV2)(void *ctx, void *ptr, size_t size, cudaStream_t stream);

typedef struct {
    tDevMalloc dev_malloc;
    tDevFree dev_free;
} nvjpegDevAllocator_t;

typedef struct {
    tPinnedMalloc pinned_malloc;
    tPinnedFree pinned_free;
} nvjpegPinnedAllocator_t;

typedef struct {
    tDevMallocV2 dev_malloc;
    tDevFreeV2 dev_free;
    void *dev_ctx;
} nvjpegDevAllocatorV2_t;

typedef struct {
    tPinnedMallocV2 pinned_malloc;
    tPinnedFreeV2 pinned_free;
    void *pinned_ctx;
} nvjpegPinnedAllocatorV2_t;

struct nvjpegHandle;
typedef struct nvjpegHandle *nvjpegHandle_t;
struct nvjpegJpegState;
typedef struct nvjpegJpegState *nvjpegJpegState_t;
struct nvjpegEncoderState;
typedef struct nvjpegEncoderState *nvjpegEncoderState_t;
struct nvjpegEncoderParams;
typedef struct nvjpegEncoderParams *nvjpegEncoderParams_t;
struct nvjpegBufferPinned;
typedef struct nvjpegBufferPinned *nvjpegBufferPinned_t;
struct nvjpegBufferDevice;
typedef struct nvjpegBufferDevice *nvjpegBufferDevice_t;
struct nvjpegJpegStream;
typedef struct nvjpegJpegStream *nvjpegJpegStream_t;
struct nvjpegDecodeParams;
typedef struct nvjpegDecodeParams *nvjpegDecodeParams_t;
struct nvjpegJpegDecoder;
typedef struct nvjpegJpegDecoder *nvjpegJpegDecoder_t;

#include "heddle/nvjpeg/functions.h"
#if defined(__cplusplus)
}
#endif
#endif
