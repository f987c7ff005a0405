; SPDX-License-Identifier: Apache-2.0
; expect: declines
; CHECK: %s = phi i32
define void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  br i1 %c, label %a, label %join
a:
  br label %join
join:
  %s = phi i32 [ 1, %a ], [ 2, %entry ]
  store i32 %s, ptr addrspace(1) %p
  ret void
}
