// SPDX-License-Identifier: Apache-2.0
// nvJPEG's encoder. Files of colours are those of libjpeg's encoder, byte for byte; of files of planes, what libjpeg decodes is near the planes.
#include "picture.h"
#include <algorithm>
#include <string>

struct encoder {
    nvjpegHandle_t h;
    nvjpegEncoderState_t state;
    nvjpegEncoderParams_t params;
    encoder()
    {
        OK(nvjpegCreateSimple(&h));
        OK(nvjpegEncoderStateCreate(h, &state, 0));
        OK(nvjpegEncoderParamsCreate(h, &params, 0));
    }
    ~encoder()
    {
        OK(nvjpegEncoderParamsDestroy(params));
        OK(nvjpegEncoderStateDestroy(state));
        OK(nvjpegDestroy(h));
    }
    void set(const options &o, nvjpegChromaSubsampling_t css)
    {
        OK(nvjpegEncoderParamsSetQuality(params, o.quality, 0));
        OK(nvjpegEncoderParamsSetOptimizedHuffman(params, o.optimized, 0));
        OK(nvjpegEncoderParamsSetRestartInterval(params, (unsigned)o.restart, 0));
        OK(nvjpegEncoderParamsSetSamplingFactors(params, css, 0));
        OK(nvjpegEncoderParamsSetEncoding(
            params, o.progressive ? NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN : NVJPEG_ENCODING_BASELINE_DCT, 0));
    }
    bytes get(cudaStream_t stream)
    {
        size_t length = 0, bound = 0;
        OK(nvjpegEncodeRetrieveBitstream(h, state, nullptr, &length, stream));
        bytes file(length + 7, 0xa5);
        size_t room = length - 1;
        WANT(nvjpegEncodeRetrieveBitstream(h, state, file.data(), &room, stream), NVJPEG_STATUS_INVALID_PARAMETER);
        room = file.size();
        OK(nvjpegEncodeRetrieveBitstream(h, state, file.data(), &room, stream));
        CUDA(cudaStreamSynchronize(stream));
        CHECK(room == length && file[length] == 0xa5);
        file.resize(length);
        // the same from the device
        unsigned char *device;
        CUDA(cudaMalloc((void **)&device, length));
        room = length;
        OK(nvjpegEncodeRetrieveBitstreamDevice(h, state, device, &room, stream));
        bytes again(length);
        CUDA(cudaStreamSynchronize(stream));
        CUDA(cudaMemcpy(again.data(), device, length, cudaMemcpyDeviceToHost));
        CHECK(again == file);
        CUDA(cudaFree(device));
        OK(nvjpegEncodeGetBufferSize(h, params, 64, 64, &bound));
        CHECK(bound >= length);
        return file;
    }
};

static void colours(encoder &e, unsigned width, unsigned height, const factors &css, const options &base,
                    cudaStream_t stream)
{
    options o = base;
    o.h = css.h;
    o.v = css.v;
    o.components = css.name == NVJPEG_CSS_GRAY ? 1 : 3;
    bytes rgb = picture(width, height), bgr = rgb;
    for (size_t i = 0; i < bgr.size(); i += 3)
        std::swap(bgr[i], bgr[i + 2]);
    bytes want = encode(rgb, width, height, o);
    e.set(o, css.name);
    for (auto format : {NVJPEG_INPUT_RGB, NVJPEG_INPUT_BGR, NVJPEG_INPUT_RGBI, NVJPEG_INPUT_BGRI}) {
        image m;
        if (format == NVJPEG_INPUT_RGBI || format == NVJPEG_INPUT_BGRI)
            m.add(3 * width, height, (format == NVJPEG_INPUT_RGBI ? rgb : bgr).data());
        else
            for (unsigned i = 0; i < 3; i++)
                m.add(width, height, channel_of(format == NVJPEG_INPUT_RGB ? rgb : bgr, i).data());
        OK(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, format, (int)width, (int)height, stream));
        bytes got = e.get(stream);
        // planes of blue first have red in the third place, and the same file
        CHECK(got == want);
    }
}

// ---- planes
static int worst(const bytes &a, const bytes &b)
{
    int most = a.size() == b.size() ? 0 : 255;
    for (size_t i = 0; i < a.size() && i < b.size(); i++)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

// A plane of slow waves, so that any way to change its size gives nearly the same.
static bytes slow(unsigned width, unsigned height, unsigned h, unsigned v, unsigned c)
{
    bytes p;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            p.push_back((unsigned char)(60 + 40 * c + x * h + y * v));
    return p;
}

static void yuv(encoder &e, unsigned width, unsigned height, const factors &in, const factors &out)
{
    bool grey = in.name == NVJPEG_CSS_GRAY, grey_out = out.name == NVJPEG_CSS_GRAY;
    unsigned ih = (unsigned)in.h, iv = (unsigned)in.v, oh = (unsigned)out.h, ov = (unsigned)out.v;
    options o;
    o.quality = 100;
    e.set(o, out.name);
    image m;
    m.add(width, height, slow(width, height, 1, 1, 0).data());
    unsigned cw = (width + ih - 1) / ih, ch = (height + iv - 1) / iv;
    for (unsigned c = 1; !grey && c < 3; c++)
        m.add(cw, ch, slow(cw, ch, ih, iv, c).data());
    OK(nvjpegEncodeYUV(e.h, e.state, e.params, &m.at, in.name, (int)width, (int)height, 0));
    planes p = decode_planes(e.get(0));
    CHECK(p.count == (grey_out ? 1 : 3));
    CHECK(p.width[0] == width && p.height[0] == height && worst(p.plane[0], slow(width, height, 1, 1, 0)) <= 2);
    for (unsigned c = 1; c < p.count; c++) {
        unsigned w = (width + oh - 1) / oh, t = (height + ov - 1) / ov;
        CHECK(p.width[c] == w && p.height[c] == t);
        // what is in the middle of a sample's pixels, up to a sample of the coarser of both
        int bound = in.name == out.name ? 2 : 2 + (int)(ih + iv + oh + ov);
        CHECK(worst(p.plane[c], grey ? bytes((size_t)w * t, 128) : slow(w, t, oh, ov, c)) <= bound);
    }
}

static void nv12(encoder &e)
{
    unsigned width = 37, height = 23, cw = 19, ch = 12;
    bytes u = slow(cw, ch, 2, 2, 1), v = slow(cw, ch, 2, 2, 2), both;
    for (size_t i = 0; i < u.size(); i++)
        both.push_back(u[i]), both.push_back(v[i]);
    options o;
    image m, n;
    m.add(width, height, slow(width, height, 1, 1, 0).data());
    m.add(2 * cw, ch, both.data());
    n.add(width, height, slow(width, height, 1, 1, 0).data());
    n.add(cw, ch, u.data()), n.add(cw, ch, v.data());
    e.set(o, NVJPEG_CSS_420);
    OK(nvjpegEncode(e.h, e.state, e.params, &m.at, NVJPEG_CSS_420, NVJPEG_INPUT_NV12, 37, 23, 0));
    bytes a = e.get(0);
    OK(nvjpegEncode(e.h, e.state, e.params, &n.at, NVJPEG_CSS_420, NVJPEG_INPUT_YUV, 37, 23, 0));
    CHECK(a == e.get(0));
    WANT(nvjpegEncode(e.h, e.state, e.params, &m.at, NVJPEG_CSS_422, NVJPEG_INPUT_NV12, 37, 23, 0),
         NVJPEG_STATUS_INVALID_PARAMETER);
    WANT(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_NV12, 37, 23, 0),
         NVJPEG_STATUS_INVALID_PARAMETER);
}

// ---- what is copied from another file: its tables, its comments and what applications say
static void transcoding(encoder &e)
{
    static const unsigned char extra[] = {0xff, 0xe1, 0, 34, 'E', 'x', 'i',  'f',  0, 0, 'M', 'M', 0,   42,  0,
                                          0,    0,    8, 0,  1,   1,   0x12, 0,    3, 0, 0,   0,   1,   0,   6,
                                          0,    0,    0, 0,  0,   0,   0xff, 0xfe, 0, 7, 'h', 'e', 'l', 'l', 'o'};
    options fine, coarse;
    fine.quality = 93;
    bytes rgb = picture(40, 24), source = encode(rgb, 40, 24, fine);
    source.insert(source.begin() + 2, extra, extra + sizeof extra);
    nvjpegJpegStream_t s, t;
    nvjpegExifOrientation_t turned = NVJPEG_ORIENTATION_UNKNOWN;
    OK(nvjpegJpegStreamCreate(e.h, &s));
    OK(nvjpegJpegStreamParse(e.h, source.data(), source.size(), 1, 1, s));
    OK(nvjpegJpegStreamGetExifOrientation(s, &turned));
    CHECK(turned == NVJPEG_ORIENTATION_ROTATE_90);
    e.set(coarse, NVJPEG_CSS_444);
    image m;
    m.add(120, 24, rgb.data());
    OK(nvjpegEncoderParamsCopyQuantizationTables(e.params, s, 0));
    OK(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_RGBI, 40, 24, 0));
    CHECK(e.get(0) == encode(rgb, 40, 24, fine));
    OK(nvjpegEncoderParamsCopyMetadata(e.state, e.params, s, 0));
    OK(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_RGBI, 40, 24, 0));
    bytes got = e.get(0);
    OK(nvjpegJpegStreamCreate(e.h, &t));
    OK(nvjpegJpegStreamParse(e.h, got.data(), got.size(), 0, 0, t));
    OK(nvjpegJpegStreamGetExifOrientation(t, &turned));
    CHECK(turned == NVJPEG_ORIENTATION_ROTATE_90);
    CHECK(std::string(got.begin(), got.end()).find("hello") != std::string::npos);
    CHECK(decode(got, JCS_RGB) == decode(encode(rgb, 40, 24, fine), JCS_RGB));
    OK(nvjpegJpegStreamDestroy(s));
    OK(nvjpegJpegStreamDestroy(t));
}

// ---- the stream: the image is what is queued before the encoding, and may change after it
static void in_order(encoder &e, cudaStream_t stream)
{
    bytes rgb = picture(64, 64), other(rgb.size(), 9);
    options o;
    image m;
    unsigned char *from;
    m.add(192, 64);
    CUDA(cudaMalloc((void **)&from, rgb.size()));
    CUDA(cudaMemcpy(from, rgb.data(), rgb.size(), cudaMemcpyHostToDevice));
    e.set(o, NVJPEG_CSS_444);
    CUDA(cudaMemcpy2DAsync(m.at.channel[0], m.at.pitch[0], from, 192, 192, 64, cudaMemcpyDeviceToDevice, stream));
    OK(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_RGBI, 64, 64, stream));
    OK(nvjpegEncoderParamsSetQuality(e.params, 1, stream)); // is not for the one that is under way
    CUDA(cudaMemset2DAsync(m.at.channel[0], m.at.pitch[0], 9, 192, 64, stream));
    CHECK(e.get(stream) == encode(rgb, 64, 64, o));
    CUDA(cudaFree(from));
}

static void arguments(encoder &e)
{
    const auto BAD = NVJPEG_STATUS_INVALID_PARAMETER;
    image m;
    m.add(30, 10);
    size_t length = 0;
    nvjpegEncoderState_t fresh;
    WANT(nvjpegEncoderParamsSetQuality(e.params, 0, 0), BAD);
    WANT(nvjpegEncoderParamsSetQuality(e.params, 101, 0), BAD);
    WANT(nvjpegEncoderParamsSetSamplingFactors(e.params, NVJPEG_CSS_UNKNOWN, 0), BAD);
    WANT(nvjpegEncoderParamsSetEncoding(e.params, NVJPEG_ENCODING_LOSSLESS_HUFFMAN, 0), BAD);
    WANT(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_RGB, 10, 10, 0), BAD); // two planes lack
    WANT(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_RGBI, 0, 10, 0), BAD);
    WANT(nvjpegEncodeImage(e.h, e.state, e.params, &m.at, NVJPEG_INPUT_RGBI, 10, 70000, 0), BAD);
    WANT(nvjpegEncodeImage(e.h, e.state, nullptr, &m.at, NVJPEG_INPUT_RGBI, 10, 10, 0), BAD);
    WANT(nvjpegEncodeImage(e.h, e.state, e.params, nullptr, NVJPEG_INPUT_RGBI, 10, 10, 0), BAD);
    WANT(nvjpegEncodeYUV(e.h, e.state, e.params, &m.at, NVJPEG_CSS_UNKNOWN, 10, 10, 0), BAD);
    WANT(nvjpegEncoderStateCreateWithBackend(e.h, &fresh, NVJPEG_ENC_BACKEND_HARDWARE, 0), NVJPEG_STATUS_ARCH_MISMATCH);
    OK(nvjpegEncoderStateCreateWithBackend(e.h, &fresh, NVJPEG_ENC_BACKEND_GPU, 0));
    WANT(nvjpegEncodeRetrieveBitstream(e.h, fresh, nullptr, &length, 0), BAD); // nothing was encoded
    OK(nvjpegEncoderStateDestroy(fresh));
    WANT(nvjpegEncoderStateDestroy(fresh), BAD);
}

int main()
{
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    encoder e;
    options o[4];
    o[1].quality = 30;
    o[1].optimized = true;
    o[2].progressive = true;
    o[3].restart = 4;
    for (const factors &css : SUBSAMPLINGS)
        for (const options &x : o)
            colours(e, 47, 33, css, x, stream);
    colours(e, 1, 1, SUBSAMPLINGS[2], o[0], 0);
    for (const factors &in : SUBSAMPLINGS)
        for (const factors &out : SUBSAMPLINGS)
            yuv(e, 43, 37, in, out);
    nv12(e);
    in_order(e, stream);
    arguments(e);
    transcoding(e); // last: the tables stay
    return summary();
}
