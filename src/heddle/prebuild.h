// SPDX-License-Identifier: Apache-2.0
// heddle cache prebuild, see prebuild.c.
#ifndef HEDDLE_HEDDLE_PREBUILD_H
#define HEDDLE_HEDDLE_PREBUILD_H
// heddle cache prebuild: the arguments after that; the exit status.
int prebuild(int argc, char **argv);
#endif
