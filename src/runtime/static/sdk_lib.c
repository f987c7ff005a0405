// SPDX-License-Identifier: Apache-2.0
// The folder of Heddle's libraries, for programs that carry libcudart inside and have no object that nvcc made.
extern const char __heddle_sdk_lib[];
__attribute__((visibility("hidden"))) const char __heddle_sdk_lib[] = HEDDLE_SDK_LIB;
