; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; An arrival at an object in shared memory releases as well.
; CHECK: remark privatise: k, block 0: no atomic is aggregated: here other threads may be told of what was done, or look for it
; CHECK: atomicrmw add
; CHECK-NOT: !heddle
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare ptr addrspace(3) @heddle.shared()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %object = call ptr addrspace(3) @heddle.shared()
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %state = atomicrmw add ptr addrspace(3) %object, i64 -1 acq_rel, align 8
  ret void
}
!0 = !{}
