; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; An addition to a location that a parameter names, whose result nobody uses and behind which nothing looks at memory.
; CHECK: remark privatise: k, block 0: merged over the gangs of a block, and over blocks
; CHECK-NOT: aggregated by the worker
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, {{.*}}!heddle.merge
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load ptr addrspace(1), ptr addrspace(4) %args, align 8, !invariant.load !0
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}
!0 = !{}
