; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; The result is used: it is what the counter had, which a worker's own sum does not tell.
; CHECK: remark privatise: k, block 0: no atomic is aggregated: here other threads may be told of what was done, or look for it
; CHECK: %old = atomicrmw add
; CHECK-NOT: !heddle
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %out) {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %out
  ret void
}
!0 = !{}
