; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: check=1 args=16
; Each access has a call before it: the address, what it comes from, the word of abi/check.h. Elements of one vector are one access.
; CHECK: ptrtoint ptr addrspace(1) %q to i64
; CHECK: call void @heddle.rt.check.access(i64 %{{.*}}, i64 %p, i32 {{[0-9]*}}, i64 0)
; CHECK: load i32, ptr addrspace(1) %q
; CHECK: call void @heddle.rt.check.access(i64 %{{.*}}, i64 0, i32 {{[0-9]*}}, i64 0)
; CHECK: store float
; CHECK-NEXT: %v1 = getelementptr
; CHECK-NEXT: store float
declare ptr addrspace(4) @heddle.args()
define void @k(i64 %any) {
  %args = call ptr addrspace(4) @heddle.args()
  %p = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %i = zext i32 7 to i64
  %sum = add i64 %p, %i
  %q = inttoptr i64 %sum to ptr addrspace(1)
  %x = load i32, ptr addrspace(1) %q, align 4
  %v = inttoptr i64 %any to ptr addrspace(1)
  store float 1.0, ptr addrspace(1) %v, align 8
  %v1 = getelementptr i8, ptr addrspace(1) %v, i64 4
  store float 2.0, ptr addrspace(1) %v1, align 4
  ret void
}
!0 = !{}
