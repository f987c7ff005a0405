; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; The first gangs have nothing to do, those behind them have.
; CHECK: remark idle: k, k.full.0: all gangs run: no path through it without an effect stays open for the rest
; CHECK: region 0: start uniform
; CHECK-NOT: idle
define i32 @k.full.0(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
entry:
  %c = icmp uge i32 %first, 16
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
