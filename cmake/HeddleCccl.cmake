# SPDX-License-Identifier: Apache-2.0
# CCCL (Thrust, CUB, libcu++) as a part of the SDK, where `./dev setup` has brought it (tools/cccl): headers in include/cccl, where nvcc and NVRTC look,
# packages for find_package(CCCL), and the licences. Nothing is fetched here; without it the SDK has <cuda/...> of its own, and no Thrust.
set(HEDDLE_CCCL_TREE ${CMAKE_SOURCE_DIR}/build-cccl CACHE PATH "what tools/cccl has brought; NO: the SDK is without CCCL")
file(GLOB found CONFIGURE_DEPENDS ${HEDDLE_CCCL_TREE}/source)
set(there)
if(IS_SYMLINK ${HEDDLE_SDK}/include/cccl)
  file(READ_SYMLINK ${HEDDLE_SDK}/include/cccl there)
endif()
if(found)
  if(NOT there STREQUAL "${HEDDLE_CCCL_TREE}/include/cccl") # a compiler may be reading there
    file(CREATE_LINK ${HEDDLE_CCCL_TREE}/include/cccl ${HEDDLE_SDK}/include/cccl SYMBOLIC)
  endif()
  file(COPY ${HEDDLE_CCCL_TREE}/lib64 ${HEDDLE_CCCL_TREE}/share DESTINATION ${HEDDLE_SDK})
  install(DIRECTORY ${HEDDLE_CCCL_TREE}/include ${HEDDLE_CCCL_TREE}/lib64 ${HEDDLE_CCCL_TREE}/share DESTINATION .)
else()
  file(REMOVE ${HEDDLE_SDK}/include/cccl)
  file(REMOVE_RECURSE ${HEDDLE_SDK}/lib64/cmake ${HEDDLE_SDK}/share/doc/cccl)
endif()
# Our own <cuda/...> alone, for their tests.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/own_headers)
foreach(folder cuda nv)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/${folder} ${CMAKE_BINARY_DIR}/own_headers/${folder} SYMBOLIC)
endforeach()
