; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; The same value twice in a region that gangs run in a loop.
; CHECK: define i32 @k.full.0
; CHECK: add i32 %first, 1
; CHECK-NOT: add i32 %first, 1
; CHECK: define i32 @k.full.1
define i32 @k.full.0(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
  %a = add i32 %first, 1
  %b = add i32 %first, 1
  store i32 %a, ptr %frame
  %f = getelementptr i8, ptr %frame, i64 4
  store i32 %b, ptr %f
  ret i32 1
}
define i32 @k.full.1(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
  ret i32 0
}
