// SPDX-License-Identifier: Apache-2.0
// The same annotations in C.
#include <nvtx3/nvToolsExt.h>

void part(void);
void part(void)
{
    nvtxEventAttributes_t a = {0};
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "in C";
    nvtxDomainMarkEx(NULL, &a);
    nvtxMarkEx(&a);
    nvtxRangeEnd(nvtxRangeStartA("nobody listens"));
}
