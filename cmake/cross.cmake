# SPDX-License-Identifier: Apache-2.0
# Toolchain for the other architecture of the two: AArch64 where this machine is an x86-64, and the other way round. The
# script tools/cross makes what is named here: the packages of that architecture in build-cross/sysroot, and compilers
# under their usual names in build-cross/tools. Programs of it run under QEMU's user emulation.
set(CMAKE_SYSTEM_NAME Linux)
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
else()
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
endif()
set(triple ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
get_filename_component(cross ${CMAKE_CURRENT_LIST_DIR}/../build-cross ABSOLUTE)

set(CMAKE_SYSROOT ${cross}/sysroot)
set(CMAKE_LIBRARY_ARCHITECTURE ${triple})
set(CMAKE_C_COMPILER /usr/bin/${triple}-gcc)
set(CMAKE_CXX_COMPILER /usr/bin/${triple}-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(HEDDLE_CROSS_TOOLS ${cross}/tools)
set(CMAKE_CROSSCOMPILING_EMULATOR ${HEDDLE_CROSS_TOOLS}/emulator)
