; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; Who sees the flag may rely on the addition, in the same block too.
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
  %flag = call ptr addrspace(3) @heddle.shared()
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store atomic i32 1, ptr addrspace(3) %flag release, align 4
  ret void
}
!0 = !{}
