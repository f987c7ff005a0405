# SPDX-License-Identifier: Apache-2.0
# build/sdk is a tree shaped as a CUDA toolkit; cmake --install puts the same tree at any prefix.
set(HEDDLE_SDK ${CMAKE_BINARY_DIR}/sdk)
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)$" HEDDLE_CUDA_VERSION ${HEDDLE_CUDA_VERSION})
set(HEDDLE_CUDA_MAJOR ${CMAKE_MATCH_1})
set(HEDDLE_CUDA_MINOR ${CMAKE_MATCH_2})
set(HEDDLE_CUDA_BUILD ${CMAKE_MATCH_3})
set(HEDDLE_CUDA_RELEASE ${HEDDLE_CUDA_MAJOR}.${HEDDLE_CUDA_MINOR})
file(MAKE_DIRECTORY ${HEDDLE_SDK}/bin ${HEDDLE_SDK}/lib64 ${HEDDLE_SDK}/include)
# The run path is the installed one from the start. Where the two differ CMake appends ':' to that of the build tree, and an empty
# entry is the current directory: whoever can write there would decide which libraries are loaded.
# heddle_sdk_library(target): the target is built into lib64 and installed there.
function(heddle_sdk_library target)
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${HEDDLE_SDK}/lib64
                        ARCHIVE_OUTPUT_DIRECTORY ${HEDDLE_SDK}/lib64 INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON)
  install(TARGETS ${target} LIBRARY DESTINATION lib64 COMPONENT runtime NAMELINK_COMPONENT toolkit ARCHIVE DESTINATION lib64)
endfunction()
# heddle_sdk_program(target [component]): the target is built into bin and installed there.
function(heddle_sdk_program target)
  set(component toolkit)
  if(ARGC GREATER 1)
    set(component ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${HEDDLE_SDK}/bin
                        INSTALL_RPATH "$ORIGIN/../lib64" BUILD_WITH_INSTALL_RPATH ON)
  install(TARGETS ${target} RUNTIME DESTINATION bin COMPONENT ${component})
endfunction()
# heddle_static_library(name objects patterns archives...): libNAME.a in lib64, one object with only the names of the patterns visible, so
# that inner ones cannot meet a program's. Of the archives, and of what packs fat binaries, it has what it needs. Names with the version of
# a shared library lose it.
find_library(HEDDLE_LZ4_ARCHIVE liblz4.a)
find_library(HEDDLE_ZSTD_ARCHIVE libzstd.a)
function(heddle_static_library name objects patterns)
  set(file ${HEDDLE_SDK}/lib64/lib${name}.a)
  set(archives)
  foreach(archive ${ARGN})
    list(APPEND archives $<TARGET_FILE:${archive}>)
  endforeach()
  foreach(archive ${HEDDLE_LZ4_ARCHIVE} ${HEDDLE_ZSTD_ARCHIVE})
    if(EXISTS ${archive})
      list(APPEND archives ${archive})
    endif()
  endforeach()
  list(TRANSFORM patterns PREPEND --keep-global-symbol= OUTPUT_VARIABLE kept)
  add_custom_command(OUTPUT ${file}
                     COMMAND ${CMAKE_LINKER} -r -o ${name}.o $<TARGET_OBJECTS:${objects}> --start-group ${archives} --end-group ${HEDDLE_LIBGCOV}
                     COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY} -DFILE=${name}.o -P ${CMAKE_SOURCE_DIR}/cmake/unversion.cmake
                     COMMAND ${CMAKE_OBJCOPY} --wildcard --strip-symbol=*@* ${kept} ${name}.o
                     COMMAND ${CMAKE_COMMAND} -E rm -f ${file}
                     COMMAND ${CMAKE_AR} rcs ${file} ${name}.o
                     DEPENDS ${objects} $<TARGET_OBJECTS:${objects}> ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/unversion.cmake
                     COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${file})
  install(FILES ${file} DESTINATION lib64)
endfunction()
