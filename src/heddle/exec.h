// SPDX-License-Identifier: Apache-2.0
// heddle run, see exec.c.
#ifndef HEDDLE_HEDDLE_EXEC_H
#define HEDDLE_HEDDLE_EXEC_H
// The arguments after that; returns only where no program was started: the exit status, EXEC_USAGE: they are not ones that it takes.
enum { EXEC_USAGE = -1 };
int exec_program(int argc, char **argv);
#endif
