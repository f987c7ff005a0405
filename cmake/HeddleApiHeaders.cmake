# SPDX-License-Identifier: Apache-2.0
# Headers that follow from the tables of the interfaces, src/driver/api.def, src/runtime/api.def and those of the libraries (tools/api_headers.c). The build finds them in
# HEDDLE_GENERATED; include/CMakeLists.txt puts them into the SDK.
set(HEDDLE_GENERATED ${CMAKE_BINARY_DIR}/include)
set(HEDDLE_API_HEADERS cudaTypedefs.h cudaGLTypedefs.h cudaProfilerTypedefs.h)
foreach(name functions versions gl_functions profiler_functions d3d9_functions)
  list(APPEND HEDDLE_API_HEADERS heddle/driver/${name}.h)
endforeach()
foreach(name functions per_thread gl_functions d3d9_functions)
  list(APPEND HEDDLE_API_HEADERS heddle/runtime/${name}.h)
endforeach()
foreach(name functions names legacy_functions xt_functions)
  list(APPEND HEDDLE_API_HEADERS heddle/cublas/${name}.h)
endforeach()
foreach(name functions xt_functions w_functions)
  list(APPEND HEDDLE_API_HEADERS heddle/cufft/${name}.h)
endforeach()
list(APPEND HEDDLE_API_HEADERS heddle/cublaslt/functions.h)
list(APPEND HEDDLE_API_HEADERS heddle/cusparse/functions.h)
foreach(name common dn rf sp sp_low)
  list(APPEND HEDDLE_API_HEADERS heddle/cusolver/${name}_functions.h)
endforeach()
list(APPEND HEDDLE_API_HEADERS heddle/nvml/functions.h)
list(APPEND HEDDLE_API_HEADERS heddle/nccl/functions.h)
list(APPEND HEDDLE_API_HEADERS heddle/nvjpeg/functions.h)
foreach(name result version callbacks activity events metrics pcsampling pmsampling profiler_host profiler_target range_profiler sass_metrics target)
  list(APPEND HEDDLE_API_HEADERS heddle/cupti/${name}_functions.h)
endforeach()
list(APPEND HEDDLE_API_HEADERS cupti_driver_cbid.h cupti_runtime_cbid.h generated_cuda_meta.h generated_cuda_runtime_api_meta.h)
list(TRANSFORM HEDDLE_API_HEADERS PREPEND ${HEDDLE_GENERATED}/ OUTPUT_VARIABLE files)
list(APPEND files ${HEDDLE_GENERATED}/heddle/driver/calls.def ${HEDDLE_GENERATED}/heddle/runtime/renamed.def)
add_executable(api_headers ${CMAKE_SOURCE_DIR}/tools/api_headers.c)
add_custom_command(OUTPUT ${files}
                   COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:api_headers>
                           ${HEDDLE_GENERATED}
                   DEPENDS api_headers VERBATIM)
# NPP's, from a table that has its own generator.
add_executable(npp_table ${CMAKE_SOURCE_DIR}/tools/npp_table.c)
set(npp)
foreach(name arithmetic_and_logical_operations color_conversion data_exchange_and_initialization filtering_functions geometry_transforms linear_transforms
        morphological_operations statistics_functions support_functions threshold_and_compare_operations)
  list(APPEND npp nppi_${name}.h)
endforeach()
foreach(name arithmetic_and_logical_operations conversion_functions filtering_functions initialization statistics_functions support_functions)
  list(APPEND npp npps_${name}.h)
endforeach()
list(APPEND HEDDLE_API_HEADERS ${npp})
list(TRANSFORM npp PREPEND ${HEDDLE_GENERATED}/)
add_custom_command(OUTPUT ${npp}
                   COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:npp_table> headers
                           ${HEDDLE_GENERATED}
                   DEPENDS npp_table VERBATIM)
add_custom_target(heddle_api_headers ALL DEPENDS ${files} ${npp})
# Who includes CUDA's headers links this.
add_library(heddle_include INTERFACE)
target_include_directories(heddle_include INTERFACE ${CMAKE_SOURCE_DIR}/include ${HEDDLE_GENERATED})
add_dependencies(heddle_include heddle_api_headers)
