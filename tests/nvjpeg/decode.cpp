// SPDX-License-Identifier: Apache-2.0
// nvJPEG's decoders: files of libjpeg's encoder, every output byte against libjpeg's decoder, in one call, by phases and in batches.
#include "picture.h"

struct file {
    bytes data;
    unsigned width, height;
    factors css;
};

static file make(unsigned width, unsigned height, factors css, bool progressive)
{
    options o;
    o.h = css.h;
    o.v = css.v;
    o.components = css.name == NVJPEG_CSS_GRAY ? 1 : 3;
    o.progressive = progressive;
    o.restart = progressive ? 0 : 3;
    return {encode(picture(width, height), width, height, o), width, height, css};
}

// The image that a format needs.
static void shape(image &m, const file &f, nvjpegOutputFormat_t format, const planes &p)
{
    if (format == NVJPEG_OUTPUT_RGBI || format == NVJPEG_OUTPUT_BGRI)
        m.add(3 * f.width, f.height);
    else if (format == NVJPEG_OUTPUT_RGB || format == NVJPEG_OUTPUT_BGR)
        for (int i = 0; i < 3; i++)
            m.add(f.width, f.height);
    else if (format == NVJPEG_OUTPUT_Y)
        m.add(f.width, f.height);
    else if (format == NVJPEG_OUTPUT_NV12)
        m.add(f.width, f.height), m.add(2 * p.width[1], p.height[1]);
    else if (format == NVJPEG_OUTPUT_YUY2)
        m.add(4 * p.width[1], f.height);
    else
        for (unsigned i = 0; i < p.count; i++)
            m.add(p.width[i], p.height[i]);
}

static bool is_right(const image &m, const file &f, nvjpegOutputFormat_t format, const planes &p, bool smooth = false)
{
    bytes rgb = decode(f.data, JCS_RGB, 1, smooth), other;
    bool good = true;
    switch (format) {
    case NVJPEG_OUTPUT_RGBI:
        return m.equals(0, rgb);
    case NVJPEG_OUTPUT_BGRI:
        return m.equals(0, decode(f.data, JCS_EXT_BGR, 1, smooth));
    case NVJPEG_OUTPUT_RGB:
    case NVJPEG_OUTPUT_BGR:
        for (unsigned i = 0; i < 3; i++)
            good = good && m.equals(format == NVJPEG_OUTPUT_RGB ? i : 2 - i, channel_of(rgb, i));
        return good;
    case NVJPEG_OUTPUT_Y:
        return m.equals(0, p.plane[0]);
    case NVJPEG_OUTPUT_NV12:
        for (size_t i = 0; i < p.plane[1].size(); i++)
            other.push_back(p.plane[1][i]), other.push_back(p.plane[2][i]);
        return m.equals(0, p.plane[0]) && m.equals(1, other);
    case NVJPEG_OUTPUT_YUY2:
        for (unsigned y = 0; y < f.height; y++)
            for (unsigned x = 0; x < p.width[1]; x++) {
                unsigned second = 2 * x + 1 < f.width ? 2 * x + 1 : f.width - 1;
                for (unsigned char c : {p.plane[0][y * f.width + 2 * x], p.plane[1][y * p.width[1] + x],
                                        p.plane[0][y * f.width + second], p.plane[2][y * p.width[1] + x]})
                    other.push_back(c);
            }
        return m.equals(0, other);
    default:
        for (unsigned i = 0; i < p.count; i++)
            good = good && m.equals(i, p.plane[i]);
        return good;
    }
}

static const nvjpegOutputFormat_t FORMATS[] = {NVJPEG_OUTPUT_UNCHANGED, NVJPEG_OUTPUT_YUV,  NVJPEG_OUTPUT_Y,
                                               NVJPEG_OUTPUT_RGB,       NVJPEG_OUTPUT_BGR,  NVJPEG_OUTPUT_RGBI,
                                               NVJPEG_OUTPUT_BGRI,      NVJPEG_OUTPUT_NV12, NVJPEG_OUTPUT_YUY2};

static bool has(const file &f, nvjpegOutputFormat_t format)
{
    return (format != NVJPEG_OUTPUT_NV12 || f.css.name == NVJPEG_CSS_420) &&
           (format != NVJPEG_OUTPUT_YUY2 || f.css.name == NVJPEG_CSS_422);
}

// ---- in one call, and by phases
struct phases {
    nvjpegJpegDecoder_t decoder;
    nvjpegJpegState_t state;
    nvjpegBufferPinned_t pinned;
    nvjpegBufferDevice_t device;
    nvjpegJpegStream_t stream;
    nvjpegDecodeParams_t params;
    explicit phases(nvjpegHandle_t h)
    {
        OK(nvjpegDecoderCreate(h, NVJPEG_BACKEND_DEFAULT, &decoder));
        OK(nvjpegDecoderStateCreate(h, decoder, &state));
        OK(nvjpegBufferPinnedCreate(h, nullptr, &pinned));
        OK(nvjpegBufferDeviceCreate(h, nullptr, &device));
        OK(nvjpegStateAttachPinnedBuffer(state, pinned));
        OK(nvjpegStateAttachDeviceBuffer(state, device));
        OK(nvjpegJpegStreamCreate(h, &stream));
        OK(nvjpegDecodeParamsCreate(h, &params));
    }
    ~phases()
    {
        OK(nvjpegDecodeParamsDestroy(params));
        OK(nvjpegJpegStreamDestroy(stream));
        OK(nvjpegBufferDeviceDestroy(device));
        OK(nvjpegBufferPinnedDestroy(pinned));
        OK(nvjpegJpegStateDestroy(state));
        OK(nvjpegDecoderDestroy(decoder));
    }
};

static void info(nvjpegHandle_t h, const file &f, const planes &p, phases &q, bool progressive)
{
    int n = 0, widths[4] = {9, 9, 9, 9}, heights[4] = {9, 9, 9, 9};
    unsigned a = 0, b = 0;
    nvjpegChromaSubsampling_t css = NVJPEG_CSS_UNKNOWN;
    nvjpegJpegEncoding_t encoding;
    OK(nvjpegGetImageInfo(h, f.data.data(), f.data.size(), &n, &css, widths, heights));
    CHECK(n == (int)p.count && css == f.css.name);
    OK(nvjpegJpegStreamParse(h, f.data.data(), f.data.size(), 0, 0, q.stream));
    for (unsigned i = 0; i < 4; i++) {
        CHECK(widths[i] == (int)p.width[i] && heights[i] == (int)p.height[i]);
        if (i < p.count) {
            OK(nvjpegJpegStreamGetComponentDimensions(q.stream, i, &a, &b));
            CHECK(a == p.width[i] && b == p.height[i]);
        }
    }
    OK(nvjpegJpegStreamGetFrameDimensions(q.stream, &a, &b));
    CHECK(a == f.width && b == f.height);
    OK(nvjpegJpegStreamGetComponentsNum(q.stream, &a));
    CHECK(a == p.count);
    OK(nvjpegJpegStreamGetSamplePrecision(q.stream, &a));
    CHECK(a == 8);
    OK(nvjpegJpegStreamGetChromaSubsampling(q.stream, &css));
    CHECK(css == f.css.name);
    OK(nvjpegJpegStreamGetJpegEncoding(q.stream, &encoding));
    CHECK(encoding == (progressive ? NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN : NVJPEG_ENCODING_BASELINE_DCT));
}

static void every_format(nvjpegHandle_t h, const file &f, bool smooth, cudaStream_t stream, bool progressive)
{
    nvjpegJpegState_t state;
    planes p = decode_planes(f.data);
    phases q(h);
    info(h, f, p, q, progressive);
    OK(nvjpegJpegStateCreate(h, &state));
    for (auto format : FORMATS) {
        image one, two, three;
        int supported = -1;
        shape(one, f, format, p), shape(two, f, format, p), shape(three, f, format, p);
        OK(nvjpegDecodeParamsSetOutputFormat(q.params, format));
        nvjpegStatus_t want = has(f, format) ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
        OK(nvjpegDecoderJpegSupported(q.decoder, q.stream, q.params, &supported));
        CHECK((supported == 0) == has(f, format));
        WANT(nvjpegDecode(h, state, f.data.data(), f.data.size(), format, &one.at, stream), want);
        WANT(nvjpegDecodeJpegHost(h, q.decoder, q.state, q.params, q.stream), want);
        if (want)
            continue;
        OK(nvjpegDecodeJpegTransferToDevice(h, q.decoder, q.state, q.stream, stream));
        OK(nvjpegDecodeJpegDevice(h, q.decoder, q.state, &two.at, stream));
        OK(nvjpegDecodeJpeg(h, q.decoder, q.state, q.stream, &three.at, q.params, stream));
        CUDA(cudaStreamSynchronize(stream));
        for (const image *m : {&one, &two, &three})
            CHECK(is_right(*m, f, format, p, smooth));
    }
    OK(nvjpegJpegStateDestroy(state));
}

// ---- a part of the picture, and smaller ones
static void regions(nvjpegHandle_t h, const file &f)
{
    phases q(h);
    planes p = decode_planes(f.data);
    bytes rgb = decode(f.data, JCS_RGB);
    OK(nvjpegJpegStreamParse(h, f.data.data(), f.data.size(), 0, 1, q.stream));
    OK(nvjpegDecodeParamsSetROI(q.params, 5, 6, 20, 17));
    image a, b;
    OK(nvjpegDecodeParamsSetOutputFormat(q.params, NVJPEG_OUTPUT_RGBI));
    a.add(60, 17);
    OK(nvjpegDecodeJpeg(h, q.decoder, q.state, q.stream, &a.at, q.params, 0));
    CHECK(a.equals(0, crop(rgb, f.width, 3, 5, 6, 20, 17)));
    OK(nvjpegDecodeParamsSetOutputFormat(q.params, NVJPEG_OUTPUT_YUV));
    b.add(20, 17), b.add(11, 9), b.add(11, 9); // 4:2:0: chroma of pixels 4 to 25 and 6 to 23
    OK(nvjpegDecodeJpeg(h, q.decoder, q.state, q.stream, &b.at, q.params, 0));
    CHECK(b.equals(0, crop(p.plane[0], f.width, 1, 5, 6, 20, 17)));
    CHECK(b.equals(1, crop(p.plane[1], p.width[1], 1, 2, 3, 11, 9)));
    CHECK(b.equals(2, crop(p.plane[2], p.width[2], 1, 2, 3, 11, 9)));
    OK(nvjpegDecodeParamsSetROI(q.params, 50, 0, 20, 17));
    WANT(nvjpegDecodeJpeg(h, q.decoder, q.state, q.stream, &b.at, q.params, 0), NVJPEG_STATUS_INVALID_PARAMETER);
    WANT(nvjpegDecodeParamsSetROI(q.params, -1, 0, 20, 17), NVJPEG_STATUS_INVALID_PARAMETER);
    OK(nvjpegDecodeParamsSetROI(q.params, 0, 0, -1, -1));
    for (int scale : {NVJPEG_SCALE_1_BY_2, NVJPEG_SCALE_1_BY_4, NVJPEG_SCALE_1_BY_8}) {
        unsigned times = 1u << scale, w = (f.width + times - 1) / times, t = (f.height + times - 1) / times;
        image m;
        m.add(3 * w, t);
        OK(nvjpegDecodeParamsSetScaleFactor(q.params, (nvjpegScaleFactor_t)scale));
        OK(nvjpegDecodeParamsSetOutputFormat(q.params, NVJPEG_OUTPUT_RGBI));
        OK(nvjpegDecodeJpeg(h, q.decoder, q.state, q.stream, &m.at, q.params, 0));
        CHECK(m.equals(0, decode(f.data, JCS_RGB, times)));
    }
}

// ---- batches
static void batches(nvjpegHandle_t h, const std::vector<file> &files, cudaStream_t stream)
{
    nvjpegJpegState_t state;
    std::vector<const unsigned char *> data;
    std::vector<size_t> lengths;
    for (const file &f : files)
        data.push_back(f.data.data()), lengths.push_back(f.data.size());
    OK(nvjpegJpegStateCreate(h, &state));
    OK(nvjpegDecodeBatchedInitialize(h, state, (int)files.size(), 1, NVJPEG_OUTPUT_RGBI));
    for (int turn = 0; turn < 2; turn++) {
        std::vector<image> images(files.size());
        std::vector<nvjpegImage_t> at;
        for (size_t i = 0; i < files.size(); i++) {
            images[i].add(3 * files[i].width, files[i].height);
            at.push_back(images[i].at);
        }
        OK(nvjpegDecodeBatched(h, state, data.data(), lengths.data(), at.data(), stream));
        CUDA(cudaStreamSynchronize(stream));
        for (size_t i = 0; i < files.size(); i++)
            CHECK(is_right(images[i], files[i], NVJPEG_OUTPUT_RGBI, decode_planes(files[i].data)));
    }
    // a region of each, by parameters
    nvjpegDecodeParams_t p;
    OK(nvjpegDecodeParamsCreate(h, &p));
    OK(nvjpegDecodeParamsSetROI(p, 0, 0, 1, 1));
    std::vector<nvjpegDecodeParams_t> params(files.size(), p);
    std::vector<image> corners(files.size());
    std::vector<nvjpegImage_t> places;
    for (image &c : corners)
        c.add(3, 1), places.push_back(c.at);
    OK(nvjpegDecodeBatchedEx(h, state, data.data(), lengths.data(), places.data(), params.data(), stream));
    CUDA(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < files.size(); i++)
        CHECK(corners[i].equals(0, crop(decode(files[i].data, JCS_RGB), files[i].width, 3, 0, 0, 1, 1)));
    OK(nvjpegDecodeParamsDestroy(p));
    lengths[1] /= 2;
    image m;
    m.add(3 * 70, 70);
    std::vector<nvjpegImage_t> at(files.size(), m.at);
    WANT(nvjpegDecodeBatched(h, state, data.data(), lengths.data(), at.data(), stream), NVJPEG_STATUS_BAD_JPEG);
    OK(nvjpegJpegStateDestroy(state));
}

// ---- the stream: what is queued in it before a decoding comes first, and the file may change after the call
static void in_order(nvjpegHandle_t h, file f, cudaStream_t stream)
{
    nvjpegJpegState_t state;
    image m;
    bytes rgb = decode(f.data, JCS_RGB);
    m.add(3 * f.width, f.height);
    OK(nvjpegJpegStateCreate(h, &state));
    for (int i = 0; i < 3; i++) {
        CUDA(cudaMemset2DAsync(m.at.channel[0], m.at.pitch[0], i, 3 * f.width, f.height, stream));
        bytes copy = f.data;
        OK(nvjpegDecode(h, state, copy.data(), copy.size(), NVJPEG_OUTPUT_RGBI, &m.at, stream));
        memset(copy.data(), 0, copy.size());
    }
    CUDA(cudaStreamSynchronize(stream));
    CHECK(m.equals(0, rgb));
    OK(nvjpegJpegStateDestroy(state));
}

// ---- other colour spaces
static void colours(nvjpegHandle_t h)
{
    phases q(h);
    options o;
    o.rgb = true;
    file f = {encode(picture(30, 21), 30, 21, o), 30, 21, {NVJPEG_CSS_444, 1, 1}};
    image m, n, k, l;
    m.add(90, 21);
    nvjpegJpegState_t s = q.state;
    OK(nvjpegDecode(h, s, f.data.data(), f.data.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0));
    CHECK(m.equals(0, decode(f.data, JCS_RGB)));
    o = options();
    o.components = 4;
    bytes ink = picture(40, 21);
    f.data = encode(ink, 30, 21, o);
    planes p = decode_planes(f.data);
    for (unsigned i = 0; i < 4; i++)
        n.add(30, 21);
    OK(nvjpegDecode(h, s, f.data.data(), f.data.size(), NVJPEG_OUTPUT_UNCHANGED, &n.at, 0));
    for (unsigned i = 0; i < 4; i++)
        CHECK(n.equals(i, p.plane[i]));
    k.add(90, 21);
    WANT(nvjpegDecode(h, s, f.data.data(), f.data.size(), NVJPEG_OUTPUT_RGBI, &k.at, 0),
         NVJPEG_STATUS_JPEG_NOT_SUPPORTED);
    OK(nvjpegDecodeParamsSetAllowCMYK(q.params, 1));
    OK(nvjpegDecodeParamsSetOutputFormat(q.params, NVJPEG_OUTPUT_RGBI));
    OK(nvjpegJpegStreamParse(h, f.data.data(), f.data.size(), 0, 0, q.stream));
    OK(nvjpegDecodeJpeg(h, q.decoder, s, q.stream, &k.at, q.params, 0));
    bytes want, cmyk = decode(f.data, JCS_CMYK); // inverted, since libjpeg's encoder says that it is Adobe's
    for (size_t i = 0; i < cmyk.size(); i += 4)
        for (size_t c = 0; c < 3; c++)
            want.push_back((unsigned char)((cmyk[i + c] * cmyk[i + 3] + 127) / 255));
    CHECK(k.equals(0, want));
}

// ---- tables that stand in a file of their own, as in TIFF
static void tables(nvjpegHandle_t h)
{
    jpeg_compress_struct c;
    jpeg_error_mgr errors;
    unsigned char *out[2] = {};
    unsigned long length[2] = {};
    bytes rgb = picture(33, 20);
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    c.image_width = 33;
    c.image_height = 20;
    c.input_components = 3;
    c.in_color_space = JCS_RGB;
    jpeg_set_defaults(&c);
    jpeg_mem_dest(&c, &out[0], &length[0]);
    jpeg_write_tables(&c);
    jpeg_mem_dest(&c, &out[1], &length[1]);
    jpeg_start_compress(&c, FALSE);
    while (c.next_scanline < 20) {
        JSAMPROW row = rgb.data() + (size_t)c.next_scanline * 99;
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    options o;
    o.quality = 75; // libjpeg's own choice
    o.h = o.v = 2;
    bytes want = decode(encode(rgb, 33, 20, o), JCS_RGB);
    phases q(h);
    image m, n;
    m.add(99, 20), n.add(99, 20);
    OK(nvjpegDecodeParamsSetOutputFormat(q.params, NVJPEG_OUTPUT_RGBI));
    OK(nvjpegJpegStreamParse(h, out[1], length[1], 0, 0, q.stream));
    WANT(nvjpegDecodeJpegHost(h, q.decoder, q.state, q.params, q.stream), NVJPEG_STATUS_BAD_JPEG);
    OK(nvjpegJpegStreamParseTables(h, out[0], length[0], q.stream));
    OK(nvjpegDecodeJpeg(h, q.decoder, q.state, q.stream, &m.at, q.params, 0));
    CHECK(m.equals(0, want));
    OK(nvjpegDecodeBatchedInitialize(h, q.state, 1, 1, NVJPEG_OUTPUT_RGBI));
    size_t size = length[1];
    OK(nvjpegDecodeBatchedParseJpegTables(h, q.state, out[0], length[0]));
    OK(nvjpegDecodeBatched(h, q.state, &out[1], &size, &n.at, 0));
    CHECK(n.equals(0, want));
    OK(nvjpegDecodeBatchedParseJpegTables(h, q.state, nullptr, 0));
    WANT(nvjpegDecodeBatched(h, q.state, &out[1], &size, &n.at, 0), NVJPEG_STATUS_BAD_JPEG);
    free(out[0]);
    free(out[1]);
}

// ---- allocators of the program's
static int made, freed, contexts;
static void allocators(const file &f)
{
    nvjpegDevAllocator_t device = {[](void **p, size_t n) { return made++, (int)cudaMalloc(p, n); },
                                   [](void *p) { return freed++, (int)cudaFree(p); }};
    nvjpegPinnedAllocatorV2_t pinned = {
        [](void *c, void **p, size_t n, cudaStream_t) { return contexts += c == &made, (int)cudaHostAlloc(p, n, 0); },
        [](void *, void *p, size_t, cudaStream_t) { return contexts++, (int)cudaFreeHost(p); }, &made};
    nvjpegDevAllocator_t none = {[](void **, size_t) { return 1; }, [](void *) { return 0; }};
    nvjpegHandle_t h;
    nvjpegJpegState_t s;
    image m;
    m.add(3 * f.width, f.height);
    OK(nvjpegCreateEx(NVJPEG_BACKEND_HYBRID, &device, nullptr, 0, &h));
    OK(nvjpegJpegStateCreate(h, &s));
    OK(nvjpegDecode(h, s, f.data.data(), f.data.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0));
    CHECK(m.equals(0, decode(f.data, JCS_RGB)));
    OK(nvjpegJpegStateDestroy(s));
    CHECK(made > 0 && made == freed);
    nvjpegBufferPinned_t b;
    size_t size = 0;
    void *at = nullptr;
    OK(nvjpegBufferPinnedCreateV2(h, &pinned, &b));
    OK(nvjpegBufferPinnedResize(b, 1000, 0));
    OK(nvjpegBufferPinnedRetrieve(b, &size, &at));
    CHECK(size >= 1000 && at && contexts == 1);
    OK(nvjpegBufferPinnedDestroy(b));
    CHECK(contexts == 2);
    OK(nvjpegDestroy(h));
    OK(nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, &none, nullptr, 0, &h));
    OK(nvjpegJpegStateCreate(h, &s));
    WANT(nvjpegDecode(h, s, f.data.data(), f.data.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0),
         NVJPEG_STATUS_ALLOCATOR_FAILURE);
    OK(nvjpegJpegStateDestroy(s));
    OK(nvjpegDestroy(h));
}

int main()
{
    nvjpegHandle_t plain, smooth;
    cudaStream_t stream;
    std::vector<file> files;
    OK(nvjpegCreateSimple(&plain));
    OK(nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, nullptr, nullptr, NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION, &smooth));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (const factors &css : SUBSAMPLINGS)
        for (bool progressive : {false, true}) {
            file f = make(progressive ? 64 : 61, progressive ? 48 : 35, css, progressive);
            every_format(plain, f, false, stream, progressive);
            every_format(smooth, f, true, 0, progressive);
            files.push_back(f);
        }
    files.push_back(make(1, 1, SUBSAMPLINGS[2], false));
    every_format(plain, files.back(), false, stream, false);
    regions(plain, make(61, 35, SUBSAMPLINGS[2], false));
    batches(plain, files, stream);
    in_order(plain, files[4], stream);
    colours(plain);
    tables(plain);
    allocators(files[0]);
    OK(nvjpegDestroy(plain));
    OK(nvjpegDestroy(smooth));
    return summary();
}
