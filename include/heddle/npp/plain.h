// SPDX-License-Identifier: Apache-2.0
// CUDA 13 declares NPP's functions with a context alone, nppiAdd_8u_C1RSfs_Ctx. The libraries have the names of CUDA 12 too, without it,
// for the stream that nppSetStream has set; a program that defines HEDDLE_NPP_PLAIN_NAMES before it includes npp.h has them declared.
#ifndef HEDDLE_NPP_PLAIN_H
#define HEDDLE_NPP_PLAIN_H
#ifdef HEDDLE_NPP_PLAIN_NAMES
#define HEDDLE_NPP_PLAIN(name, params) NppStatus name params;
#else
#define HEDDLE_NPP_PLAIN(name, params)
#endif
#endif
