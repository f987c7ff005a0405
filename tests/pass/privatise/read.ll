; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; The thread itself reads memory behind it by an address that was read: it may be the sum.
; CHECK: remark privatise: k, block 0: goes to memory: what follows may look at it
; CHECK: atomicrmw add
; CHECK-NOT: !heddle
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %list) {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %q = load ptr addrspace(1), ptr addrspace(1) %list
  %v = load i32, ptr addrspace(1) %q
  store i32 %v, ptr addrspace(1) %list
  ret void
}
!0 = !{}
