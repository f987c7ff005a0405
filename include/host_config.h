// SPDX-License-Identifier: Apache-2.0
// Which host compilers serve: clang and gcc, whatever version.
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#endif
