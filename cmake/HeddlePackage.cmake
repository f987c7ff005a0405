# SPDX-License-Identifier: Apache-2.0
# Packages of the installed tree, by CPack: heddle (component runtime: what programs need to run), heddle-toolkit (component toolkit: what
# is needed to compile them), and the debugging symbols of both. The tree stands in /usr/lib/heddle, where it meets neither NVIDIA's
# /usr/local/cuda nor a distribution's own CUDA; /usr/bin has `heddle`, and nvcc is an alternative (update-alternatives). tools/package
# calls CPack in build-package, whose build has debugging symbols; `cmake --install` of any build leaves out all that stands outside of the tree.
set(tree /usr/lib/heddle)
set(files ${CMAKE_BINARY_DIR}/package)
set(HEDDLE_PACKAGE_RELEASE 1)
set(HEDDLE_MANUALS ${files}/man)
include(HeddleCompletion)

# Names in the system's folders.
foreach(component runtime toolkit)
  set(name heddle)
  if(component STREQUAL toolkit)
    set(name heddle-toolkit)
  endif()
  install(FILES ${files}/copyright ${files}/changelog.Debian.gz DESTINATION /usr/share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_SOURCE_DIR}/cmake/package/lintian/${name} DESTINATION /usr/share/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
string(TIMESTAMP HEDDLE_YEAR %Y UTC)
configure_file(${CMAKE_SOURCE_DIR}/cmake/package/copyright.in ${files}/copyright @ONLY)
install(DIRECTORY ${HEDDLE_MANUALS}/runtime/ DESTINATION /usr/share/man/man1 COMPONENT runtime EXCLUDE_FROM_ALL)
install(DIRECTORY ${HEDDLE_MANUALS}/toolkit/ DESTINATION ${tree}/share/man/man1 COMPONENT toolkit EXCLUDE_FROM_ALL)
install(FILES ${HEDDLE_COMPLETION}/completion.bash DESTINATION /usr/share/bash-completion/completions RENAME heddle COMPONENT runtime EXCLUDE_FROM_ALL)
install(FILES ${HEDDLE_COMPLETION}/completion.zsh DESTINATION /usr/share/zsh/vendor-completions RENAME _heddle COMPONENT runtime EXCLUDE_FROM_ALL)
install(FILES ${HEDDLE_COMPLETION}/completion.fish DESTINATION /usr/share/fish/vendor_completions.d RENAME heddle.fish COMPONENT runtime EXCLUDE_FROM_ALL)
file(MAKE_DIRECTORY ${files}/bin)
file(CREATE_LINK ../lib/heddle/bin/heddle ${files}/bin/heddle SYMBOLIC)
install(FILES ${files}/bin/heddle DESTINATION /usr/bin COMPONENT runtime EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR Heddle)
# Whoever publishes packages names himself, as Debian's tools have it; example.org is nobody's.
set(CPACK_PACKAGE_CONTACT "The Heddle authors <heddle@example.org>")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "The Heddle authors <$ENV{DEBEMAIL}>")
  if(DEFINED ENV{DEBFULLNAME})
    set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
  endif()
endif()
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL runtime toolkit)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};heddle;ALL;/")
# The archives carry the place of the tree: it is that of the prefix, below the folder in which the package is put together.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX ${tree})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The names of the architecture: CPack would take those of the machine that it runs on.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_RPM_PACKAGE_ARCHITECTURE aarch64)
else()
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
  set(CPACK_RPM_PACKAGE_ARCHITECTURE x86_64)
endif()

set(about_runtime "CUDA programs on any CPU: driver, runtime and libraries
libcuda, libcudart, NVRTC, cuBLAS, cuFFT, cuSPARSE, cuSOLVER, cuRAND, NCCL and
NPP over a just-in-time compiler that makes SIMD code of PTX. With NVIDIA's
driver and a GPU, programs run there.")
set(about_toolkit "CUDA programs on any CPU: nvcc and tools
A compiler driver that takes nvcc's options, with the headers, archives and
build system files of a CUDA toolkit.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${HEDDLE_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip) # tools/package makes the final file, with xz on all processors
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME heddle)
set(CPACK_DEBIAN_TOOLKIT_PACKAGE_NAME heddle-toolkit)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION ${about_runtime})
set(CPACK_COMPONENT_TOOLKIT_DESCRIPTION ${about_toolkit})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
# What is needed of the system, from the files. dpkg-shlibdeps knows the packages of the machine that it runs on alone: for another architecture it is what
# those files ask for by name, with the C library of the sysroot as the oldest.
set(needs_system)
if(CMAKE_CROSSCOMPILING)
  find_file(HEDDLE_LIBC libc.so.6 PATHS ${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(STRINGS ${HEDDLE_LIBC} versions REGEX "^GLIBC_2[.][0-9]+$")
  list(TRANSFORM versions REPLACE "GLIBC_" "")
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  list(GET versions 0 version)
  set(needs_system "libc6 (>= ${version}), libgcc-s1, liblz4-1, libzstd1, zlib1g")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS ${needs_system})
  string(APPEND needs_system ", ")
  set(CPACK_STRIP_FILES ON) # symbols have no package of their own
else()
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_TOOLKIT_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${HEDDLE_SDK}/lib64 ${HEDDLE_SDK}/nvvm/lib64)
  set(CPACK_DEBIAN_RUNTIME_DEBUGINFO_PACKAGE ON)
  set(CPACK_DEBIAN_TOOLKIT_DEBUGINFO_PACKAGE ON)
endif()
# NVRTC and nvcc compile with clang: that of this LLVM, or another one that the tree is made for, since not every system has it.
set(clangs "clang-${HEDDLE_LLVM_MAJOR}")
foreach(v RANGE 22 ${HEDDLE_CLANG_OLDEST} -1)
  if(NOT v EQUAL HEDDLE_LLVM_MAJOR)
    string(APPEND clangs " | clang-${v}")
  endif()
endforeach()
# libcublas and libcusolver take OpenBLAS's code for large matrices where it is there, NCCL UCX, nvJPEG the codec.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "${clangs}, libopenblas0-pthread")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "heddle-toolkit, libjpeg62-turbo | libjpeg-turbo8, libucx0")
set(CPACK_DEBIAN_TOOLKIT_PACKAGE_DEPENDS "${needs_system}heddle (= ${PROJECT_VERSION}-${HEDDLE_PACKAGE_RELEASE}), ${clangs}, g++")
set(CPACK_DEBIAN_TOOLKIT_PACKAGE_RECOMMENDS "gdb, libsqlite3-0") # cuda-gdb and nsys cannot do without
set(CPACK_DEBIAN_TOOLKIT_PACKAGE_SUGGESTS "cmake")
set(CPACK_BUILD_SOURCE_DIRS ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
foreach(script postinst prerm)
  set(HEDDLE_TREE ${tree})
  set(HEDDLE_SLAVES ${HEDDLE_COMPLETED_NAMES}) # each an alternative that goes with nvcc; nvidia-smi is the driver's, where there is one
  configure_file(${CMAKE_SOURCE_DIR}/cmake/package/${script}.in ${files}/${script} @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
                 GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  list(APPEND CPACK_DEBIAN_TOOLKIT_PACKAGE_CONTROL_EXTRA ${files}/${script})
endforeach()

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_RELEASE ${HEDDLE_PACKAGE_RELEASE})
set(CPACK_RPM_RUNTIME_PACKAGE_NAME heddle)
set(CPACK_RPM_TOOLKIT_PACKAGE_NAME heddle-toolkit)
set(CPACK_RPM_RUNTIME_PACKAGE_SUMMARY "CUDA programs on any CPU: driver, runtime and libraries")
set(CPACK_RPM_TOOLKIT_PACKAGE_SUMMARY "CUDA programs on any CPU: nvcc and tools")
set(CPACK_RPM_TOOLKIT_PACKAGE_REQUIRES "heddle = ${PROJECT_VERSION}-${HEDDLE_PACKAGE_RELEASE}, clang >= ${HEDDLE_CLANG_OLDEST}, gcc-c++")
# The sonames of CUDA are found by the run path, not by the system: no other package may count on them, and none has to bring them. What is needed of
# the system, the version of its C library above all, rpmbuild reads from the files.
set(CPACK_RPM_PACKAGE_AUTOREQ yes)
set(CPACK_RPM_PACKAGE_AUTOPROV no)
set(CPACK_RPM_SPEC_MORE_DEFINE "%global __requires_exclude ^lib(cu|nv|npp|nccl|heddle).*$")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/bash-completion /usr/share/bash-completion/completions
    /usr/share/fish /usr/share/fish/vendor_completions.d /usr/share/zsh /usr/share/zsh/vendor-completions /usr/share/lintian /usr/share/lintian/overrides)
set(CPACK_RPM_TOOLKIT_POST_INSTALL_SCRIPT_FILE ${files}/postinst)
set(CPACK_RPM_TOOLKIT_PRE_UNINSTALL_SCRIPT_FILE ${files}/prerm)
include(CPack)
