// SPDX-License-Identifier: Apache-2.0
// heddle info, see info.c.
#ifndef HEDDLE_HEDDLE_INFO_H
#define HEDDLE_HEDDLE_INFO_H
// heddle info: the arguments after that; the exit status.
enum { INFO_USAGE = -1 };
int info(int argc, char **argv);
#endif
