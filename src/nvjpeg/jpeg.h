// SPDX-License-Identifier: Apache-2.0
// nvJPEG's objects, and the bodies of its functions.
//
// A decoding has three phases. The host's runs on the calling thread, or for a batch on the workers: the file becomes samples in host
// memory (codec.h), so that the call itself knows whether the file is broken. Then the samples are copied to a buffer
// of the device, and a kernel writes them to the program's image; both are in the program's stream. An encoding is a kernel in the stream: the
// image may be the result of what is queued there. Its result waits in the encoder's state until it is asked for.
#ifndef HEDDLE_NVJPEG_JPEG_H
#define HEDDLE_NVJPEG_JPEG_H
#include "library/library.h"
#include "nvjpeg/codec.h"

enum object_kind {
    KIND_HANDLE = 1,
    KIND_PINNED,
    KIND_DEVICE,
    KIND_BITSTREAM,
    KIND_STATE,
    KIND_DECODER,
    KIND_PARAMS,
    KIND_ENCODER,
    KIND_SETTINGS
};
struct object {
    struct library_handle base;
    enum object_kind kind;
};
// ---- object.c
// NULL: no memory. Zeroed but for its head.
void *object_new(enum object_kind kind, size_t size);
bool object_is(const void *object, enum object_kind kind);
void object_destroy(void *object);

#define JPEG_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return NVJPEG_STATUS_INVALID_PARAMETER;                                                                    \
    } while (0)
#define JPEG_ENTER(handle)                                                                                             \
    do {                                                                                                               \
        if (!object_is(handle, KIND_HANDLE))                                                                           \
            return NVJPEG_STATUS_NOT_INITIALIZED;                                                                      \
    } while (0)

// ---- memory of the program's allocators, or of CUDA's
struct allocator {
    bool device;
    tDevMalloc device_new;
    tDevFree device_free;
    tPinnedMalloc pinned_new;
    tPinnedFree pinned_free;
    int (*stream_new)(void *, void **, size_t, cudaStream_t);
    int (*stream_free)(void *, void *, size_t, cudaStream_t);
    void *context;
};
struct memory {
    struct allocator from;
    void *at;
    size_t size;
    cudaStream_t stream; // that it was allocated for
};
// So many bytes at least, and padding where it has to grow; what was there is lost.
nvjpegStatus_t jpeg_memory_reserve(struct memory *m, size_t bytes, size_t padding, cudaStream_t stream);
void jpeg_memory_free(struct memory *m);

struct nvjpegHandle {
    struct object head;
    unsigned flags;
    size_t padding[2]; // of pinned memory and of the device's
    struct allocator pinned, device;
};

struct nvjpegBufferPinned {
    struct object head;
    struct memory memory;
};
struct nvjpegBufferDevice {
    struct object head;
    struct memory memory;
};

struct nvjpegJpegStream {
    struct object head;
    struct jpeg_header header;
    bool parsed;
    const unsigned char *data;
    size_t length, tables_length;
    unsigned char *copy, *tables, *metadata; // of its own
    size_t metadata_length;
};

struct nvjpegDecodeParams {
    struct object head;
    struct codec_options options;
    int x, y, width, height; // the region; width -1: all
};

struct nvjpegJpegDecoder {
    struct object head;
};

// One picture on its way.
struct slot {
    struct codec_layout layout;
    nvjpegOutputFormat_t format;
    struct memory device; // of its own
    unsigned char *host;  // of its own
    size_t host_size;
    const unsigned char *samples; // where the host's phase has left them
    unsigned char *device_samples;
    enum { SLOT_EMPTY, SLOT_DECODED, SLOT_MOVED } phase;
    cudaEvent_t moved; // the samples have left the host's memory
};

struct nvjpegJpegState {
    struct object head;
    nvjpegHandle_t handle;
    struct slot one;
    struct nvjpegBufferPinned *pinned;
    struct nvjpegBufferDevice *device;
    // batches
    int count;
    nvjpegOutputFormat_t format;
    struct slot *batch;
    cudaStream_t workers;
    unsigned char *tables;
    size_t tables_length;
};

struct nvjpegEncoderParams {
    struct object head;
    struct codec_settings settings;
    unsigned char *segments;
    size_t segments_length;
};

struct nvjpegEncoderState {
    struct object head;
    struct codec_source source;
    struct codec_settings settings;
    unsigned char *segments; // of its own
    size_t segments_length;
    cudaEvent_t done;
    bool used;
    nvjpegStatus_t status; // of the last encoding, and its result
    unsigned char *data;
    size_t length;
};

nvjpegStatus_t jpeg_status(cudaError_t e);
// Whether a graph is made of what comes into the stream. A graph would copy and encode what is in a state when it runs, not what was
// there when it was made: such calls are refused.
bool jpeg_is_captured(cudaStream_t stream);
#define JPEG_NO_CAPTURE(stream)                                                                                        \
    do {                                                                                                               \
        if (jpeg_is_captured(stream))                                                                                  \
            return NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;                                                         \
    } while (0)

// ---- handle.c
nvjpegStatus_t handle_property(libraryPropertyType type, int *value);
nvjpegStatus_t handle_cuda_property(libraryPropertyType type, int *value);
nvjpegStatus_t handle_create(nvjpegBackend_t backend, const nvjpegDevAllocator_t *device,
                             const nvjpegPinnedAllocator_t *pinned, unsigned flags, nvjpegHandle_t *out);
nvjpegStatus_t handle_create_v2(nvjpegBackend_t backend, const nvjpegDevAllocatorV2_t *device,
                                const nvjpegPinnedAllocatorV2_t *pinned, unsigned flags, nvjpegHandle_t *out);
nvjpegStatus_t handle_destroy(nvjpegHandle_t h);
nvjpegStatus_t handle_set_padding(nvjpegHandle_t h, bool device, size_t padding);
nvjpegStatus_t handle_get_padding(nvjpegHandle_t h, bool device, size_t *padding);
nvjpegStatus_t handle_engines(nvjpegHandle_t h, unsigned *engines, unsigned *cores);

// ---- buffer.c
struct allocator allocator_pinned(const nvjpegPinnedAllocator_t *a);
struct allocator allocator_device(const nvjpegDevAllocator_t *a);
struct allocator allocator_pinned_v2(const nvjpegPinnedAllocatorV2_t *a);
struct allocator allocator_device_v2(const nvjpegDevAllocatorV2_t *a);
nvjpegStatus_t buffer_pinned_create(nvjpegHandle_t h, const nvjpegPinnedAllocator_t *a, nvjpegBufferPinned_t *out);
nvjpegStatus_t buffer_pinned_create_v2(nvjpegHandle_t h, const nvjpegPinnedAllocatorV2_t *a, nvjpegBufferPinned_t *out);
nvjpegStatus_t buffer_device_create(nvjpegHandle_t h, const nvjpegDevAllocator_t *a, nvjpegBufferDevice_t *out);
nvjpegStatus_t buffer_device_create_v2(nvjpegHandle_t h, const nvjpegDevAllocatorV2_t *a, nvjpegBufferDevice_t *out);
nvjpegStatus_t buffer_resize(void *buffer, enum object_kind kind, size_t size, cudaStream_t stream);
nvjpegStatus_t buffer_destroy(void *buffer, enum object_kind kind);
nvjpegStatus_t buffer_retrieve(void *buffer, enum object_kind kind, size_t *size, void **at);

// ---- bitstream.c
nvjpegStatus_t bitstream_info(nvjpegHandle_t h, const unsigned char *data, size_t length, int *components,
                              nvjpegChromaSubsampling_t *subsampling, int *widths, int *heights);
nvjpegStatus_t bitstream_create(nvjpegHandle_t h, nvjpegJpegStream_t *out);
nvjpegStatus_t bitstream_destroy(nvjpegJpegStream_t s);
nvjpegStatus_t bitstream_parse(nvjpegHandle_t h, const unsigned char *data, size_t length, int metadata, int whole,
                               nvjpegJpegStream_t s);
nvjpegStatus_t bitstream_tables(nvjpegHandle_t h, const unsigned char *data, size_t length, nvjpegJpegStream_t s);
nvjpegStatus_t bitstream_encoding(nvjpegJpegStream_t s, nvjpegJpegEncoding_t *encoding);
nvjpegStatus_t bitstream_frame(nvjpegJpegStream_t s, unsigned *width, unsigned *height);
nvjpegStatus_t bitstream_components(nvjpegJpegStream_t s, unsigned *components);
nvjpegStatus_t bitstream_component(nvjpegJpegStream_t s, unsigned i, unsigned *width, unsigned *height);
nvjpegStatus_t bitstream_orientation(nvjpegJpegStream_t s, nvjpegExifOrientation_t *orientation);
nvjpegStatus_t bitstream_precision(nvjpegJpegStream_t s, unsigned *precision);
nvjpegStatus_t bitstream_subsampling(nvjpegJpegStream_t s, nvjpegChromaSubsampling_t *subsampling);
// Takes the place of *copy; data NULL: with nothing. False: no memory.
bool bytes_copy(unsigned char **copy, size_t *copy_length, const unsigned char *data, size_t length);

// ---- params.c, handle.c
nvjpegStatus_t params_create(nvjpegHandle_t h, nvjpegDecodeParams_t *out);
nvjpegStatus_t params_destroy(nvjpegDecodeParams_t p);
nvjpegStatus_t params_format(nvjpegDecodeParams_t p, nvjpegOutputFormat_t format);
nvjpegStatus_t params_region(nvjpegDecodeParams_t p, int x, int y, int width, int height);
nvjpegStatus_t params_cmyk(nvjpegDecodeParams_t p, int allow);
nvjpegStatus_t params_scale(nvjpegDecodeParams_t p, nvjpegScaleFactor_t scale);
nvjpegStatus_t params_orientation(nvjpegDecodeParams_t p, nvjpegExifOrientation_t orientation);
nvjpegStatus_t decoder_create(nvjpegHandle_t h, nvjpegBackend_t backend, nvjpegJpegDecoder_t *out);
nvjpegStatus_t decoder_destroy(nvjpegJpegDecoder_t d);
nvjpegStatus_t decoder_supported(nvjpegJpegDecoder_t d, nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported);
nvjpegStatus_t batch_supported(nvjpegHandle_t h, nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported);

// ---- state.c
nvjpegStatus_t state_create(nvjpegHandle_t h, nvjpegJpegState_t *out);
nvjpegStatus_t decoder_state_create(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t *out);
nvjpegStatus_t state_destroy(nvjpegJpegState_t s);
nvjpegStatus_t state_attach_pinned(nvjpegJpegState_t s, nvjpegBufferPinned_t b);
nvjpegStatus_t state_attach_device(nvjpegJpegState_t s, nvjpegBufferDevice_t b);
nvjpegStatus_t batch_init(nvjpegHandle_t h, nvjpegJpegState_t s, int count, int threads, nvjpegOutputFormat_t format);
nvjpegStatus_t batch_reserve(nvjpegHandle_t h, nvjpegJpegState_t s, int count, int width, int height,
                             nvjpegChromaSubsampling_t subsampling, nvjpegOutputFormat_t format);
nvjpegStatus_t batch_tables(nvjpegHandle_t h, nvjpegJpegState_t s, const unsigned char *data, size_t length);

// ---- slot.c: the phases
struct slot_file {
    struct codec_file file;
    struct jpeg_header header;
    struct codec_options options;
    const struct nvjpegDecodeParams *region; // or NULL
};
nvjpegStatus_t slot_prepare(struct slot *s, const struct slot_file *f, struct memory *pinned, size_t padding);
nvjpegStatus_t slot_decode(struct slot *s, const struct slot_file *f);
nvjpegStatus_t slot_move(struct slot *s, struct memory *device, size_t padding, cudaStream_t stream);
nvjpegStatus_t slot_write(struct slot *s, const nvjpegImage_t *image, cudaStream_t stream);
void slot_fini(struct slot *s);

// ---- decode.c
nvjpegStatus_t decode_one(nvjpegHandle_t h, nvjpegJpegState_t s, const unsigned char *data, size_t length,
                          nvjpegOutputFormat_t format, const nvjpegImage_t *image, cudaStream_t stream);
nvjpegStatus_t decode_whole(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, nvjpegJpegStream_t b,
                            const nvjpegImage_t *image, nvjpegDecodeParams_t p, cudaStream_t stream);
nvjpegStatus_t decode_host(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, nvjpegDecodeParams_t p,
                           nvjpegJpegStream_t b);
nvjpegStatus_t decode_transfer(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, nvjpegJpegStream_t b,
                               cudaStream_t stream);
nvjpegStatus_t decode_device(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, const nvjpegImage_t *image,
                             cudaStream_t stream);
nvjpegStatus_t batch_decode(nvjpegHandle_t h, nvjpegJpegState_t s, const unsigned char *const *data,
                            const size_t *lengths, const nvjpegImage_t *images, const nvjpegDecodeParams_t *params,
                            cudaStream_t stream);

// ---- settings.c
nvjpegStatus_t settings_create(nvjpegHandle_t h, nvjpegEncoderParams_t *out);
nvjpegStatus_t settings_destroy(nvjpegEncoderParams_t p);
nvjpegStatus_t settings_quality(nvjpegEncoderParams_t p, int quality);
nvjpegStatus_t settings_encoding(nvjpegEncoderParams_t p, nvjpegJpegEncoding_t encoding);
nvjpegStatus_t settings_optimized(nvjpegEncoderParams_t p, int optimized);
nvjpegStatus_t settings_sampling(nvjpegEncoderParams_t p, nvjpegChromaSubsampling_t subsampling);
nvjpegStatus_t settings_restart(nvjpegEncoderParams_t p, unsigned interval);
nvjpegStatus_t settings_metadata(nvjpegEncoderState_t s, nvjpegEncoderParams_t p, nvjpegJpegStream_t b);
nvjpegStatus_t settings_tables(nvjpegEncoderParams_t p, nvjpegJpegStream_t b);

// ---- encode.c
nvjpegStatus_t encoder_create(nvjpegHandle_t h, nvjpegEncoderState_t *out, nvjpegEncBackend_t backend,
                              cudaStream_t stream);
nvjpegStatus_t encoder_destroy(nvjpegEncoderState_t s);
nvjpegStatus_t encode_bound(nvjpegHandle_t h, nvjpegEncoderParams_t p, int width, int height, size_t *length);
nvjpegStatus_t encode_image(nvjpegHandle_t h, nvjpegEncoderState_t s, nvjpegEncoderParams_t p,
                            const nvjpegImage_t *image, nvjpegChromaSubsampling_t subsampling,
                            nvjpegInputFormat_t format, int width, int height, cudaStream_t stream);
nvjpegStatus_t encode_colours(nvjpegHandle_t h, nvjpegEncoderState_t s, nvjpegEncoderParams_t p,
                              const nvjpegImage_t *image, nvjpegInputFormat_t format, int width, int height,
                              cudaStream_t stream);
nvjpegStatus_t encode_retrieve(nvjpegHandle_t h, nvjpegEncoderState_t s, unsigned char *data, size_t *length,
                               cudaStream_t stream);
#endif
