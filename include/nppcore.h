// SPDX-License-Identifier: Apache-2.0
// NPP: the library's version, and with HEDDLE_NPP_PLAIN_NAMES what CUDA 12 has of the device and the stream.
#ifndef NV_NPPCORE_H
#define NV_NPPCORE_H
#include "nppdefs.h"

#if defined(__cplusplus)
extern "C" {
#endif
const NppLibraryVersion *nppGetLibVersion(void);

#ifdef HEDDLE_NPP_PLAIN_NAMES
int nppGetGpuNumSMs(void);
int nppGetMaxThreadsPerBlock(void);
int nppGetMaxThreadsPerSM(void);
int nppGetGpuDeviceProperties(int *pMaxThreadsPerSM, int *pMaxThreadsPerBlock, int *pNumberOfSMs);
const char *nppGetGpuName(void);
cudaStream_t nppGetStream(void);
NppStatus nppGetStreamContext(NppStreamContext *pNppStreamContext);
unsigned int nppGetStreamNumSMs(void);
unsigned int nppGetStreamMaxThreadsPerSM(void);
NppStatus nppSetStream(cudaStream_t hStream);
#endif
#if defined(__cplusplus)
}
#endif
#endif
