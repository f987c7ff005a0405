// SPDX-License-Identifier: Apache-2.0
// A texture: a drawing that is turned and made smaller. The hardware's bilinear filter reads between texels, and the address mode repeats the
// picture beyond its edges. The host filters the same way, with the 8 bits of fraction that CUDA's documentation gives.
// Picture: texture.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <vector>

constexpr int N = 64, W = 240, H = 150; // the texture, the picture
constexpr float COS = 0.92387953f, SIN = 0.38268343f, SCALE = 0.011f;

__host__ __device__ inline float2 coordinate(int x, int y)
{
    float dx = (x - W / 2) * SCALE, dy = (y - H / 2) * SCALE;
    return make_float2(COS * dx - SIN * dy + 0.5f, SIN * dx + COS * dy + 0.5f); // 0 to 1 is the texture once
}
__global__ void turn(cudaTextureObject_t t, float4 *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float2 c = coordinate(x, y);
    out[y * W + x] = tex2D<float4>(t, c.x, c.y);
}

static std::vector<uchar4> drawing()
{
    std::vector<uchar4> texel(N * N);
    for (int i = 0; i < N * N; i++) {
        int x = i % N - N / 2, y = i / N - N / 2, r = x * x + y * y;
        texel[i] = (x ^ y) & 16 ? make_uchar4(30, 60, 110, 255) : make_uchar4(225, 220, 200, 255);
        if (r > 300 && r < 500)
            texel[i] = make_uchar4(200, 60, 40, 255);
    }
    return texel;
}
// As the filter does it.
static float expected(const std::vector<uchar4> &texel, float2 c)
{
    float x = (c.x - std::floor(c.x)) * N - 0.5f, y = (c.y - std::floor(c.y)) * N - 0.5f;
    int i = (int)std::floor(x), k = (int)std::floor(y);
    float a = std::round((x - i) * 256) / 256, b = std::round((y - k) * 256) / 256;
    auto at = [&](int u, int v) { return texel[(v + N) % N * N + (u + N) % N].x / 255.0f; };
    return (1 - b) * ((1 - a) * at(i, k) + a * at(i + 1, k)) + b * ((1 - a) * at(i, k + 1) + a * at(i + 1, k + 1));
}

int main()
{
    std::vector<uchar4> texel = drawing();
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, N, N));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texel.data(), N * sizeof(uchar4), N * sizeof(uchar4), N,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    how.normalizedCoords = 1;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));

    float4 *out;
    CHECK(cudaMallocManaged(&out, W * H * sizeof *out));
    turn<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(t, out);
    CHECK(cudaDeviceSynchronize());
    double worst = 0;
    std::vector<uint8_t> rgb(3 * W * H);
    for (int i = 0; i < W * H; i++) {
        worst = std::fmax(worst, std::fabs(out[i].x - expected(texel, coordinate(i % W, i / W))));
        rgb[3 * i] = (uint8_t)(255 * out[i].x), rgb[3 * i + 1] = (uint8_t)(255 * out[i].y),
                rgb[3 * i + 2] = (uint8_t)(255 * out[i].z);
    }
    printf("largest difference from the host's filter: %.4f\n", worst);
    CHECK(picture_write("texture.png", rgb.data(), W, H));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(array));
    return verdict(worst < 0.012);
}
