// SPDX-License-Identifier: Apache-2.0
// NPP: all of its functions.
#ifndef NV_NPP_H
#define NV_NPP_H
#define NPP_VER_MAJOR     13
#define NPP_VER_MINOR     0
#define NPP_VER_PATCH     1
#define NPP_VER_BUILD     2
#define NPP_VERSION       (NPP_VER_MAJOR * 1000 + NPP_VER_MINOR * 100 + NPP_VER_PATCH)
#define NPP_VERSION_MAJOR NPP_VER_MAJOR
#define NPP_VERSION_MINOR NPP_VER_MINOR
#define NPP_VERSION_PATCH NPP_VER_PATCH
#define NPP_VERSION_BUILD NPP_VER_BUILD
#include "nppcore.h"
#include "nppdefs.h"
#include "nppi.h"
#include "npps.h"
#endif
