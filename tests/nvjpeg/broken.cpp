// SPDX-License-Identifier: Apache-2.0
// Files that are broken: cut off anywhere they are bad, and with any byte changed they are decoded or refused, and nothing is written
// beside the image. Wrong arguments and objects that are gone.
#include "picture.h"

static const auto BAD = NVJPEG_STATUS_INVALID_PARAMETER, NONE = NVJPEG_STATUS_NOT_INITIALIZED;

static void cut(nvjpegHandle_t h, const bytes &file, unsigned width, unsigned height)
{
    nvjpegJpegState_t s;
    nvjpegJpegStream_t b;
    image m;
    m.add(3 * width, height);
    OK(nvjpegJpegStateCreate(h, &s));
    OK(nvjpegJpegStreamCreate(h, &b));
    for (size_t length = 0; length < file.size(); length++) {
        bytes part(file.begin(), file.begin() + (long)length); // so that a sanitizer sees what is read behind it
        part.reserve(1);
        nvjpegStatus_t got = nvjpegDecode(h, s, part.data(), length, NVJPEG_OUTPUT_RGBI, &m.at, 0);
        WANT(got, NVJPEG_STATUS_BAD_JPEG);
        got = nvjpegJpegStreamParse(h, part.data(), length, 1, 1, b);
        CHECK(got == NVJPEG_STATUS_SUCCESS || got == NVJPEG_STATUS_BAD_JPEG);
    }
    OK(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0));
    CHECK(m.equals(0, decode(file, JCS_RGB)));
    OK(nvjpegJpegStreamDestroy(b));
    OK(nvjpegJpegStateDestroy(s));
}

static bool is_known(nvjpegStatus_t s)
{
    return s == NVJPEG_STATUS_SUCCESS || s == NVJPEG_STATUS_BAD_JPEG || s == NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
}

static void changed(nvjpegHandle_t h, const bytes &file, unsigned width, unsigned height, unsigned seed)
{
    nvjpegJpegState_t s;
    OK(nvjpegJpegStateCreate(h, &s));
    for (size_t i = 0; i < file.size(); i++) {
        bytes f = file;
        seed = seed * 1664525u + 1013904223u;
        f[i] ^= (unsigned char)((seed >> 24) | 1);
        if (seed & 0x10000)
            f[(seed >> 4) % f.size()] = 0xff;
        int n = 0, w[4], t[4];
        nvjpegChromaSubsampling_t css;
        nvjpegStatus_t got = nvjpegGetImageInfo(h, f.data(), f.size(), &n, &css, w, t);
        CHECK(is_known(got));
        if (got || w[0] > (int)width || t[0] > (int)height)
            continue; // the program would make another image
        for (auto format : {NVJPEG_OUTPUT_RGBI, NVJPEG_OUTPUT_UNCHANGED}) {
            image m;
            for (int c = 0; c < 4; c++)
                m.add(3 * width, 2 * height);
            CHECK(is_known(nvjpegDecode(h, s, f.data(), f.size(), format, &m.at, 0)));
            CUDA(cudaStreamSynchronize(0));
        }
    }
    OK(nvjpegJpegStateDestroy(s));
}

static void arguments(nvjpegHandle_t h, const bytes &file)
{
    nvjpegHandle_t gone, other;
    nvjpegJpegState_t s, t;
    image m, empty;
    int n, w[4], v[4];
    unsigned engines = 7, cores = 7;
    nvjpegChromaSubsampling_t css;
    m.add(300, 100);
    OK(nvjpegCreateSimple(&gone));
    OK(nvjpegDestroy(gone));
    OK(nvjpegJpegStateCreate(h, &s));
    for (nvjpegHandle_t bad : {(nvjpegHandle_t) nullptr, gone}) {
        WANT(nvjpegDestroy(bad), NONE);
        WANT(nvjpegJpegStateCreate(bad, &t), NONE);
        WANT(nvjpegDecode(bad, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0), NONE);
        WANT(nvjpegGetImageInfo(bad, file.data(), file.size(), &n, &css, w, v), NONE);
    }
    WANT(nvjpegCreateSimple(nullptr), BAD);
    WANT(nvjpegCreateEx((nvjpegBackend_t)9, nullptr, nullptr, 0, &other), BAD);
    WANT(nvjpegCreateEx(NVJPEG_BACKEND_HARDWARE, nullptr, nullptr, 0, &other), NVJPEG_STATUS_ARCH_MISMATCH);
    WANT(nvjpegDecode(h, nullptr, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0), BAD);
    WANT(nvjpegDecode(h, (nvjpegJpegState_t)h, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0), BAD);
    WANT(nvjpegDecode(h, s, nullptr, file.size(), NVJPEG_OUTPUT_RGBI, &m.at, 0), BAD);
    WANT(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, nullptr, 0), BAD);
    WANT(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &empty.at, 0), BAD);
    WANT(nvjpegDecode(h, s, file.data(), file.size(), (nvjpegOutputFormat_t)77, &m.at, 0), BAD);
    WANT(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_UNCHANGEDI_U16, &m.at, 0),
         NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED);
    WANT(nvjpegDecodeBatched(h, s, nullptr, nullptr, nullptr, 0), BAD); // not initialised
    WANT(nvjpegDecodeBatchedInitialize(h, s, 0, 1, NVJPEG_OUTPUT_RGBI), BAD);
    OK(nvjpegGetHardwareDecoderInfo(h, &engines, &cores));
    CHECK(engines == 0 && cores == 0);
    OK(nvjpegJpegStateDestroy(s));
    WANT(nvjpegJpegStateDestroy(s), BAD);
    size_t padding = 1;
    OK(nvjpegSetDeviceMemoryPadding(12345, h));
    OK(nvjpegGetDeviceMemoryPadding(&padding, h));
    CHECK(padding == 12345);
    OK(nvjpegGetPinnedMemoryPadding(&padding, h));
    CHECK(padding == 0);
    int major = 0;
    OK(nvjpegGetProperty(MAJOR_VERSION, &major));
    CHECK(major == NVJPEG_VER_MAJOR);
    OK(nvjpegGetCudartProperty(MAJOR_VERSION, &major));
    CHECK(major == CUDART_VERSION / 1000);
}

// A stream that a graph is made of: refused, and the graph is not spoilt.
static void captured(nvjpegHandle_t h, const bytes &file)
{
    nvjpegJpegState_t s;
    nvjpegEncoderState_t e;
    nvjpegEncoderParams_t p;
    cudaStream_t stream;
    cudaGraph_t graph;
    image m;
    const auto NOT = NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
    m.add(300, 100);
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(nvjpegJpegStateCreate(h, &s));
    OK(nvjpegEncoderStateCreate(h, &e, stream));
    OK(nvjpegEncoderParamsCreate(h, &p, stream));
    OK(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, stream));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    HEDDLE_ONLY(WANT(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, stream), NOT),
                WANT(nvjpegEncodeImage(h, e, p, &m.at, NVJPEG_INPUT_RGBI, 20, 20, stream), NOT));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphDestroy(graph));
    OK(nvjpegDecode(h, s, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &m.at, stream));
    OK(nvjpegEncodeImage(h, e, p, &m.at, NVJPEG_INPUT_RGBI, 20, 20, stream));
    OK(nvjpegEncoderParamsDestroy(p));
    OK(nvjpegEncoderStateDestroy(e));
    OK(nvjpegJpegStateDestroy(s));
    CUDA(cudaStreamDestroy(stream));
}

// Phases out of order.
static void phases(nvjpegHandle_t h, const bytes &file)
{
    nvjpegJpegDecoder_t d;
    nvjpegJpegState_t s;
    nvjpegJpegStream_t b;
    nvjpegDecodeParams_t p;
    nvjpegBufferDevice_t device;
    image m;
    m.add(300, 100);
    OK(nvjpegDecoderCreate(h, NVJPEG_BACKEND_DEFAULT, &d));
    OK(nvjpegDecoderStateCreate(h, d, &s));
    OK(nvjpegJpegStreamCreate(h, &b));
    OK(nvjpegDecodeParamsCreate(h, &p));
    OK(nvjpegBufferDeviceCreate(h, nullptr, &device));
    OK(nvjpegDecodeParamsSetOutputFormat(p, NVJPEG_OUTPUT_RGBI));
    WANT(nvjpegDecodeJpegHost(h, d, s, p, b), BAD); // nothing was parsed
    OK(nvjpegJpegStreamParse(h, file.data(), file.size(), 0, 0, b));
    WANT(nvjpegDecodeJpegTransferToDevice(h, d, s, b, 0), BAD);
    OK(nvjpegStateAttachDeviceBuffer(s, device));
    WANT(nvjpegDecodeJpegTransferToDevice(h, d, s, b, 0), BAD);
    OK(nvjpegDecodeJpegHost(h, d, s, p, b));
    WANT(nvjpegDecodeJpegDevice(h, d, s, &m.at, 0), BAD);
    OK(nvjpegDecodeJpegTransferToDevice(h, d, s, b, 0));
    OK(nvjpegDecodeJpegDevice(h, d, s, &m.at, 0));
    WANT(nvjpegDecodeParamsSetExifOrientation(p, NVJPEG_ORIENTATION_ROTATE_90),
         NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED);
    OK(nvjpegDecodeParamsSetExifOrientation(p, NVJPEG_ORIENTATION_NORMAL));
    OK(nvjpegBufferDeviceDestroy(device));
    OK(nvjpegDecodeParamsDestroy(p));
    OK(nvjpegJpegStreamDestroy(b));
    OK(nvjpegJpegStateDestroy(s));
    OK(nvjpegDecoderDestroy(d));
}

int main()
{
    nvjpegHandle_t h, strict;
    OK(nvjpegCreateSimple(&h));
    OK(nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, nullptr, nullptr, NVJPEG_FLAGS_BITSTREAM_STRICT, &strict));
    for (bool progressive : {false, true}) {
        options o;
        o.h = o.v = 2;
        o.quality = 40;
        o.progressive = progressive;
        o.restart = progressive ? 0 : 2;
        bytes file = encode(picture(37, 26), 37, 26, o);
        cut(h, file, 37, 26);
        changed(h, file, 37, 26, 1);
        changed(strict, file, 37, 26, 2);
        arguments(h, file);
        phases(h, file);
        captured(h, file);
    }
    OK(nvjpegDestroy(h));
    OK(nvjpegDestroy(strict));
    return summary();
}
