# SPDX-License-Identifier: Apache-2.0
# What build systems look for in a CUDA toolkit besides programs, headers and libraries: other names of its folders, its
# version as text, files for pkg-config, and archives that are named on every link line.
configure_file(${CMAKE_SOURCE_DIR}/cmake/sdk/version.json.in ${HEDDLE_SDK}/version.json @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/sdk/version.txt.in ${HEDDLE_SDK}/version.txt @ONLY)
install(FILES ${HEDDLE_SDK}/version.json ${HEDDLE_SDK}/version.txt DESTINATION .)

# heddle_sdk_link(name target): a symbolic link in the tree, to a path as seen from the link's folder.
# Those that the loader follows go with the libraries.
function(heddle_sdk_link name target)
  get_filename_component(dir ${name} DIRECTORY)
  set(component toolkit)
  if(name MATCHES "^lib64/lib[^/]*[.]so[.]" OR name STREQUAL lib OR name MATCHES "^nvvm/libdevice/")
    set(component runtime)
  endif()
  file(MAKE_DIRECTORY ${HEDDLE_SDK}/${dir})
  file(CREATE_LINK ${target} ${HEDDLE_SDK}/${name} SYMBOLIC)
  install(CODE "set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
                file(MAKE_DIRECTORY \"\${root}/${dir}\")
                file(CREATE_LINK ${target} \"\${root}/${name}\" SYMBOLIC)
                list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${name}\")" COMPONENT ${component})
endfunction()
heddle_sdk_link(lib lib64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(targets sbsa-linux aarch64-linux)
else()
  set(targets x86_64-linux)
endif()
foreach(target ${targets})
  heddle_sdk_link(targets/${target}/include ../../include)
  heddle_sdk_link(targets/${target}/lib ../../lib64)
endforeach()
heddle_sdk_link(nvvm/libdevice/libdevice.10.bc devmath.bc)
heddle_sdk_link(nvvm/include/nvvm.h ../../include/nvvm.h)
heddle_sdk_link(lib64/libnvvm.so.4 ../nvvm/lib64/libnvvm.so.4)
heddle_sdk_link(lib64/libnvvm.so libnvvm.so.4)
# A program that is linked by the full name of stubs/libcuda.so is given a run path to that folder.
heddle_sdk_link(lib64/stubs/libcuda.so ../libcuda.so.1)
heddle_sdk_link(lib64/stubs/libcuda.so.1 ../libcuda.so.1)
# The linker looks for what a library of stubs/ needs beside it.
heddle_sdk_link(lib64/stubs/libcudart.so.13 ../libcudart.so.13)
heddle_sdk_link(lib64/stubs/libnvvm.so.4 ../libnvvm.so.4)

# The folder of libraries that nvcc names to build systems: a folder of its own, with links. CMake takes that one for a folder that
# every linker and loader searches, and gives no run path to it; CUDA::cudart and the others lie in lib64, to which it does.
foreach(name libcuda.so libcudadevrt.a libcudart.so libcudart_static.a libcurand.so libnvToolsExt.so libnvrtc.so libnvvm.so)
  heddle_sdk_link(lib64/link/${name} ../${name})
endforeach()

# pkg-config: as NVIDIA names its files, and without the version. A run path makes programs find the libraries.
function(heddle_sdk_package name title)
  cmake_parse_arguments(P "" "" "LIBS;PRIVATE" ${ARGN})
  set(PACKAGE ${name})
  set(DESCRIPTION ${title})
  list(JOIN P_LIBS " " LIBS)
  list(JOIN P_PRIVATE " " LIBS_PRIVATE)
  set(file ${HEDDLE_SDK}/lib64/pkgconfig/${name}-${HEDDLE_CUDA_RELEASE}.pc)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/sdk/package.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION lib64/pkgconfig)
  heddle_sdk_link(lib64/pkgconfig/${name}.pc ${name}-${HEDDLE_CUDA_RELEASE}.pc)
endfunction()
heddle_sdk_package(cuda "CUDA Driver Library" LIBS -L\${libdir}/stubs -Wl,-rpath,\${libdir} -lcuda)
heddle_sdk_package(cudart "CUDA Runtime Library" LIBS -L\${libdir} -Wl,-rpath,\${libdir} -lcudart PRIVATE -ldl -lpthread -lrt)
heddle_sdk_package(nvrtc "CUDA Run-Time Compilation Library" LIBS -L\${libdir} -Wl,-rpath,\${libdir} -lnvrtc)
