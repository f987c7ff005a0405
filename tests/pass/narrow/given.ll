; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: width=16 block=64
; A width that was asked for stays, however large the code.
; CHECK: width 16 {{.*}} narrow 0
define void @k(i32 %x0) {
; repeat 4100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
