// SPDX-License-Identifier: Apache-2.0
// Pictures for the tests of nvJPEG, and what libjpeg makes of files: the reference.
#ifndef HEDDLE_TEST_NVJPEG_PICTURE_H
#define HEDDLE_TEST_NVJPEG_PICTURE_H
#include "../library_check.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#include <nvjpeg.h>
// after stdio.h
#include <jpeglib.h>

#define OK(call) WANT(call, NVJPEG_STATUS_SUCCESS)
typedef std::vector<unsigned char> bytes;

struct factors {
    nvjpegChromaSubsampling_t name;
    int h, v;
};
static const factors SUBSAMPLINGS[] = {{NVJPEG_CSS_444, 1, 1},  {NVJPEG_CSS_422, 2, 1}, {NVJPEG_CSS_420, 2, 2},
                                       {NVJPEG_CSS_440, 1, 2},  {NVJPEG_CSS_411, 4, 1}, {NVJPEG_CSS_410, 4, 2},
                                       {NVJPEG_CSS_410V, 2, 4}, {NVJPEG_CSS_GRAY, 1, 1}};

// Waves with a little noise, interleaved RGB.
static inline bytes picture(unsigned width, unsigned height, unsigned seed = 1)
{
    bytes p;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            for (unsigned c = 0; c < 3; c++) {
                seed = seed * 1664525u + 1013904223u;
                unsigned wave = (x * (3 + c) + y * (5 - c) + 40 * c) % 256;
                p.push_back((unsigned char)((wave < 128 ? wave : 255 - wave) + 60 + (seed >> 28)));
            }
    return p;
}

struct options {
    int h = 1, v = 1, quality = 80, restart = 0, components = 3;
    bool progressive = false, optimized = false, rgb = false;
};

// libjpeg's encoder on interleaved pixels of `components` channels (four: CMYK).
static inline bytes encode(const bytes &pixels, unsigned width, unsigned height, const options &o)
{
    jpeg_compress_struct c;
    jpeg_error_mgr errors;
    unsigned char *out = nullptr;
    unsigned long length = 0;
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &out, &length);
    c.image_width = width;
    c.image_height = height;
    c.input_components = o.components == 4 ? 4 : 3;
    c.in_color_space = o.components == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&c);
    jpeg_set_colorspace(&c, o.components == 1   ? JCS_GRAYSCALE
                            : o.components == 4 ? JCS_CMYK
                            : o.rgb             ? JCS_RGB
                                                : JCS_YCbCr);
    jpeg_set_quality(&c, o.quality, TRUE);
    for (int i = 0; i < c.num_components; i++) {
        c.comp_info[i].h_samp_factor = i ? 1 : o.h;
        c.comp_info[i].v_samp_factor = i ? 1 : o.v;
    }
    c.optimize_coding = o.optimized;
    c.restart_interval = (unsigned)o.restart;
    if (o.progressive)
        jpeg_simple_progression(&c);
    jpeg_start_compress(&c, TRUE);
    while (c.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)pixels.data() + (size_t)c.next_scanline * width * (size_t)c.input_components;
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    bytes file(out, out + length);
    free(out);
    return file;
}

// libjpeg's decoder: interleaved pixels.
static inline bytes decode(const bytes &file, J_COLOR_SPACE space, unsigned scale = 1, bool smooth = false)
{
    jpeg_decompress_struct d;
    jpeg_error_mgr errors;
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, file.data(), file.size());
    jpeg_read_header(&d, TRUE);
    d.out_color_space = space;
    d.scale_num = 1;
    d.scale_denom = scale;
    d.do_fancy_upsampling = smooth;
    jpeg_start_decompress(&d);
    bytes out((size_t)d.output_width * d.output_height * (size_t)d.output_components);
    while (d.output_scanline < d.output_height) {
        JSAMPROW row = out.data() + (size_t)d.output_scanline * d.output_width * (size_t)d.output_components;
        jpeg_read_scanlines(&d, &row, 1);
    }
    jpeg_finish_decompress(&d);
    jpeg_destroy_decompress(&d);
    return out;
}

// libjpeg's decoder: planes as they are stored, without what fills up blocks.
struct planes {
    unsigned count = 0, width[4] = {}, height[4] = {};
    bytes plane[4];
};
static inline planes decode_planes(const bytes &file)
{
    jpeg_decompress_struct d;
    jpeg_error_mgr errors;
    planes out;
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, file.data(), file.size());
    jpeg_read_header(&d, TRUE);
    d.raw_data_out = TRUE;
    jpeg_start_decompress(&d);
    out.count = (unsigned)d.num_components;
    bytes band[4];
    JSAMPROW rows[4][32];
    JSAMPARRAY list[4];
    for (unsigned i = 0; i < out.count; i++) {
        out.width[i] = d.comp_info[i].downsampled_width;
        out.height[i] = d.comp_info[i].downsampled_height;
        size_t pitch = (d.comp_info[i].width_in_blocks + 4) * 8;
        band[i].resize(pitch * 32);
        for (unsigned y = 0; y < 32; y++)
            rows[i][y] = band[i].data() + y * pitch;
        list[i] = rows[i];
    }
    while (d.output_scanline < d.output_height) {
        jpeg_read_raw_data(&d, list, (JDIMENSION)d.max_v_samp_factor * 8);
        for (unsigned i = 0; i < out.count; i++)
            for (int y = 0; y < d.comp_info[i].v_samp_factor * 8; y++)
                if (out.plane[i].size() < (size_t)out.width[i] * out.height[i])
                    out.plane[i].insert(out.plane[i].end(), rows[i][y], rows[i][y] + out.width[i]);
    }
    jpeg_finish_decompress(&d);
    jpeg_destroy_decompress(&d);
    return out;
}

// An image of device memory with rows that are longer than they need to be; what lies between is told from what was written.
struct image {
    nvjpegImage_t at = {};
    unsigned width[4] = {}, height[4] = {}, count = 0;
    image() = default;
    image(const image &) = delete;
    ~image()
    {
        for (unsigned i = 0; i < count; i++)
            cudaFree(at.channel[i]);
    }
    void add(unsigned row_bytes, unsigned rows, const unsigned char *from = nullptr)
    {
        unsigned i = count++;
        width[i] = row_bytes;
        height[i] = rows;
        at.pitch[i] = row_bytes + 5;
        CUDA(cudaMalloc((void **)&at.channel[i], at.pitch[i] * rows));
        CUDA(cudaMemset(at.channel[i], 0xa5, at.pitch[i] * rows));
        if (from)
            CUDA(cudaMemcpy2D(at.channel[i], at.pitch[i], from, row_bytes, row_bytes, rows, cudaMemcpyHostToDevice));
    }
    bool equals(unsigned i, const bytes &want) const
    {
        bytes got(at.pitch[i] * height[i]);
        CUDA(cudaMemcpy(got.data(), at.channel[i], got.size(), cudaMemcpyDeviceToHost));
        if (want.size() != (size_t)width[i] * height[i])
            return false;
        for (size_t y = 0; y < height[i]; y++) {
            if (memcmp(&got[y * at.pitch[i]], &want[y * width[i]], width[i]))
                return false;
            for (size_t x = width[i]; x < at.pitch[i]; x++)
                if (got[y * at.pitch[i] + x] != 0xa5)
                    return false;
        }
        return true;
    }
};

static inline bytes channel_of(const bytes &pixels, unsigned channel, unsigned channels = 3)
{
    bytes out;
    for (size_t i = channel; i < pixels.size(); i += channels)
        out.push_back(pixels[i]);
    return out;
}

// The part of a picture, of elements of so many bytes.
static inline bytes crop(const bytes &p, unsigned width, unsigned element, unsigned x, unsigned y, unsigned w,
                         unsigned h)
{
    bytes out;
    for (unsigned j = 0; j < h; j++) {
        const unsigned char *row = p.data() + ((size_t)(y + j) * width + x) * element;
        out.insert(out.end(), row, row + (size_t)w * element);
    }
    return out;
}
#endif
