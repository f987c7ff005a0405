# SPDX-License-Identifier: Apache-2.0
if(TARGET heddle_translate)
  heddle_unit_test(translate translate/translate.c LIBS heddle_translate llvm_shared)
  heddle_unit_test(translate_ops translate/translate_ops.c LIBS heddle_translate llvm_shared)
  heddle_unit_test(translate_forms translate/translate_forms.c LIBS heddle_translate llvm_shared)
endif()
