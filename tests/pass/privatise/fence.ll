; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; Behind a fence others may rely on the addition.
; CHECK: remark privatise: k, block 0: no atomic is aggregated: here other threads may be told of what was done, or look for it
; CHECK: atomicrmw add
; CHECK-NOT: !heddle
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  fence seq_cst
  ret void
}
!0 = !{}
