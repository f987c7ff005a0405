// SPDX-License-Identifier: Apache-2.0
// heddle compile, see compile.c.
#ifndef HEDDLE_HEDDLE_COMPILE_H
#define HEDDLE_HEDDLE_COMPILE_H
// The arguments after that; the exit status, COMPILE_USAGE: they are not ones that it takes.
enum { COMPILE_USAGE = -1 };
int compile(int argc, char **argv);
#endif
