if(TARGET heddle_translate)
  heddle_unit_test(translate translate.c LIBS heddle_translate)
  heddle_unit_test(translate_ops translate_ops.c LIBS heddle_translate)
endif()
