; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: free_width=16 block=64
; Small code stays as wide as it is; that it could go narrower is noted.
; CHECK: width 16 {{.*}} narrow 1
; CHECK-NOT: width 8
define void @k(i32 %x0) {
  ret void
}
