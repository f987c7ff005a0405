// SPDX-License-Identifier: Apache-2.0
// nvJPEG: what the head of a file says.
#include <nvjpeg.h>

int main()
{
    static const unsigned char file[] = {0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 16, 0,  24, 1, 1,    0x11,
                                         0,    0xff, 0xda, 0,    8, 1,  1, 0, 0,  63, 0,  0, 0xff, 0xd9};
    nvjpegHandle_t handle;
    nvjpegChromaSubsampling_t subsampling;
    int components = 0, widths[NVJPEG_MAX_COMPONENT], heights[NVJPEG_MAX_COMPONENT];
    bool ok = !nvjpegCreateSimple(&handle) &&
              !nvjpegGetImageInfo(handle, file, sizeof file, &components, &subsampling, widths, heights) &&
              !nvjpegDestroy(handle);
    return !(ok && components == 1 && subsampling == NVJPEG_CSS_GRAY && widths[0] == 24 && heights[0] == 16);
}
