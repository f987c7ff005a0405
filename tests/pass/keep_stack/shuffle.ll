; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 width=1 stacks
; after: waits resume_points
; Operands go to raw slots before the call, the result comes from one behind it.
; CHECK: call void @heddle.raw.set.i64(i32 0
; CHECK: call void @heddle.rt.pause(i32
; CHECK: call i64 @heddle.raw.get.i64(i32 3
declare i32 @heddle.vote.ballot(i32, i1)
define void @k() {
  %v = call i32 @heddle.vote.ballot(i32 -1, i1 true)
  store i32 %v, ptr addrspace(1) null
  ret void
}
