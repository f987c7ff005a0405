; SPDX-License-Identifier: Apache-2.0
; expect: fires
; CHECK: object ELF
define i32 @k.entry(ptr %launch, ptr %block, i64 %count) {
  ret i32 0
}
