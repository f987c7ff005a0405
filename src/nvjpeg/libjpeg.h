// SPDX-License-Identifier: Apache-2.0
// libjpeg-turbo's functions, by the interface of the version whose header the build found. It is not linked, so that libnvjpeg loads where it is
// not installed.
#ifndef HEDDLE_NVJPEG_LIBJPEG_H
#define HEDDLE_NVJPEG_LIBJPEG_H
#include <setjmp.h>
#include <stdio.h>
// after stdio.h
#include <jpeglib.h>

#define CODEC_FUNCTIONS(F)                                                                                             \
    F(jpeg_std_error)                                                                                                  \
    F(jpeg_CreateDecompress)                                                                                           \
    F(jpeg_destroy_decompress)                                                                                         \
    F(jpeg_mem_src)                                                                                                    \
    F(jpeg_read_header)                                                                                                \
    F(jpeg_start_decompress)                                                                                           \
    F(jpeg_read_scanlines)                                                                                             \
    F(jpeg_read_raw_data)                                                                                              \
    F(jpeg_finish_decompress)                                                                                          \
    F(jpeg_CreateCompress)                                                                                             \
    F(jpeg_destroy_compress)                                                                                           \
    F(jpeg_mem_dest)                                                                                                   \
    F(jpeg_set_defaults)                                                                                               \
    F(jpeg_set_colorspace)                                                                                             \
    F(jpeg_set_quality)                                                                                                \
    F(jpeg_add_quant_table)                                                                                            \
    F(jpeg_simple_progression)                                                                                         \
    F(jpeg_start_compress)                                                                                             \
    F(jpeg_write_marker)                                                                                               \
    F(jpeg_write_scanlines)                                                                                            \
    F(jpeg_write_raw_data)                                                                                             \
    F(jpeg_finish_compress)
struct codec {
#define FIELD(name) __typeof__(&name) name;
    CODEC_FUNCTIONS(FIELD)
#undef FIELD
};
extern const struct codec *const codec; // after codec_found() was true

// Errors come back to `back`; warnings that mean a broken file become errors.
struct codec_errors {
    struct jpeg_error_mgr base;
    jmp_buf back;
    bool strict;
};
struct jpeg_error_mgr *codec_errors_init(struct codec_errors *e, bool strict);
#endif
