// SPDX-License-Identifier: Apache-2.0
// heddle explore: a program's kernels under several schedules.
#ifndef HEDDLE_EXPLORE_H
#define HEDDLE_EXPLORE_H

enum { EXPLORE_USAGE = -1 };
int explore_program(int argc, char **argv); // the arguments behind `explore`
#endif
