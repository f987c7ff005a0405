; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; The members are 8 bytes apart, and so are the records of two threads, of which one may raise behind the barrier what the other adds to.
; So the parameter that both come from would have to lead elsewhere, and the launch sees that it does not.
; CHECK: monotonic, align 4, !heddle.window !1
; CHECK: !1 = !{i64 0, i64 1}
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %t = call i32 @heddle.tid.x()
  %b = call i32 @heddle.ctaid.x()
  %first = mul i32 %b, 65
  %n = add i32 %first, %t
  %i = zext i32 %n to i64
  %in = shl i64 %i, 3
  %at = add i64 %p, %in
  %record = inttoptr i64 %at to ptr addrspace(1)
  %sum = getelementptr i8, ptr addrspace(1) %record, i64 8
  %old = atomicrmw add ptr addrspace(1) %sum, i32 5 monotonic
  call void @heddle.barrier(i32 0, i32 0)
  %most = atomicrmw max ptr addrspace(1) %record, i32 10 monotonic
  ret void
}
!0 = !{}
