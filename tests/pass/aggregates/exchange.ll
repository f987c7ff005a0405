; SPDX-License-Identifier: Apache-2.0
; expect: fires
; A phi of structures becomes phis of their parts.
; CHECK: join:
; CHECK-NEXT: phi i32
; CHECK-NEXT: phi i1
; CHECK-NOT: phi { i32, i1 }
define void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  br label %join
b:
  %y = cmpxchg ptr addrspace(1) %p, i32 2, i32 3 monotonic monotonic
  br label %join
join:
  %s = phi { i32, i1 } [ %x, %a ], [ %y, %b ]
  %old = extractvalue { i32, i1 } %s, 0
  store i32 %old, ptr addrspace(1) %p
  ret void
}
