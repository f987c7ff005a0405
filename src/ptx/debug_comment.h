// SPDX-License-Identifier: Apache-2.0
// Debug information of a text that was linked of several: its sections as the last lines of the text, each of them a comment, behind this
// line. Other assemblers pass over it, since some take no sections with units of several texts; our parser reads it as if the
// sections stood there, and takes the text as one with `.target debug`.
#ifndef HEDDLE_PTX_DEBUG_COMMENT_H
#define HEDDLE_PTX_DEBUG_COMMENT_H
#define PTX_DEBUG_COMMENT "\n//heddle.debug\n"
#endif
