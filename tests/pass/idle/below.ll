; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; From some gang on all others skip the work too: the region says so behind the uniform slots.
; CHECK: remark idle: k, k.full.0: the loop over the gangs ends where the rest have nothing to do
; CHECK: region 0: start uniform idle
; CHECK: entry:
; CHECK: %idle = zext i1
; CHECK: store i64 %idle, ptr
define i32 @k.full.0(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
entry:
  %c = icmp ult i32 %first, 16
  br i1 %c, label %work, label %out
work:
  store i32 1, ptr %frame
  br label %out
out:
  ret i32 1
}
define i32 @k.full.1(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
  store i32 1, ptr %frame
  ret i32 0
}
