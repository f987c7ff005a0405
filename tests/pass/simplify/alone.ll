; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; One region whose loops nobody marked is left to the optimiser.
; CHECK: remark simplify: k: does not run
; CHECK: %b = add i32 %first, 1
define i32 @k.full.0(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
  %a = add i32 %first, 1
  %b = add i32 %first, 1
  store i32 %a, ptr %frame
  %f = getelementptr i8, ptr %frame, i64 4
  store i32 %b, ptr %f
  ret i32 0
}
