heddle_unit_test(devmath_single devmath_single.c LIBS heddle_devmath_host)
heddle_unit_test(devmath_double devmath_double.c LIBS heddle_devmath_host)
heddle_unit_test(devmath_exact devmath_exact.c LIBS heddle_devmath_host)
heddle_unit_test(devmath_link devmath_link.c)
target_compile_definitions(unit_devmath_link PRIVATE HEDDLE_CLANGXX="${HEDDLE_CLANGXX}"
                           HEDDLE_BITCODE="${HEDDLE_SDK}/nvvm/libdevice/devmath.bc")
add_dependencies(unit_devmath_link heddle_devmath)
