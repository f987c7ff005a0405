; SPDX-License-Identifier: Apache-2.0
; expect: declines
; A division must not run where the branch kept it away.
; CHECK: a:
; CHECK-NEXT: %w = udiv i64 5, %v
define i64 @k.region.0(i1 %c, i64 %v) {
entry:
  br i1 %c, label %a, label %b
a:
  %w = udiv i64 5, %v
  br label %join
b:
  br label %join
join:
  %s = phi i64 [ %w, %a ], [ 0, %b ]
  ret i64 %s
}
