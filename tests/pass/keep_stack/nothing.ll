; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64 width=1 stacks
; after: waits resume_points
; Nothing waits.
; CHECK: points 0
; CHECK-NOT: heddle.rt.pause
define void @k() {
  store i32 1, ptr addrspace(1) null
  ret void
}
