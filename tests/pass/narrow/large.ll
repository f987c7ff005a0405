; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=16 block=64
; Code so large goes to width 8 at once.
; CHECK: width 8 {{.*}} narrow 1
define void @k(i32 %x0) {
; repeat 4100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
