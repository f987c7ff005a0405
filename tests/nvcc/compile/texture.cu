// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects: every shape and size.
__global__ void textures(cudaTextureObject_t t, float4 *out, int *n)
{
    float x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[0].x = tex1Dfetch<float>(t, 3) + tex1D<float>(t, x) + tex2D<float>(t, x, y) + tex3D<float>(t, x, y, z);
    out[1] = tex2D<float4>(t, x, y);
    n[0] = tex2D<int>(t, x, y) + tex2D<unsigned char>(t, x, y) + tex2D<short2>(t, x, y).y + tex1D<uchar4>(t, x).w;
    out[2] = tex2DLayered<float4>(t, x, y, 1);
    out[3] = tex2DLod<float4>(t, x, y, 2.0f);
    out[4] = tex2DGrad<float4>(t, x, y, make_float2(1, 2), make_float2(3, 4));
    out[5] = tex2Dgather<float4>(t, x, y, 2);
    out[6] = texCubemap<float4>(t, x, y, z);
    tex2D(&out[7], t, x, y);
}
__global__ void surfaces(cudaSurfaceObject_t s, float4 *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v;
    surf2Dread(&v, s, x * 4, y);
    surf2Dwrite(v + 1.0f, s, x * 4, y, cudaBoundaryModeZero);
    out[0] = surf2Dread<float4>(s, x * 16, y, cudaBoundaryModeClamp);
    surf1Dwrite((unsigned char)3, s, x);
    surf3Dwrite(make_float2(1, 2), s, x * 8, y, 1);
    surf2DLayeredwrite(make_uint4(1, 2, 3, 4), s, x * 16, y, 1);
    surf1Dwrite((short)surf1Dread<short>(s, 2 * x), s, 2 * x);
}
int main()
{
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float4>();
    return d.x;
}
