// SPDX-License-Identifier: Apache-2.0
// The sampler for gangs with vectors of 16 bytes: x86-64 without more, and AArch64.
#define GANG_READ texture_gang_plain
#include "device/texture/vector/read.h"
