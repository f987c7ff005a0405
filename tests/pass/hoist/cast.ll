; SPDX-License-Identifier: Apache-2.0
; expect: fires
; A cast that a phi gets from one arm of a branch goes up before the branch, where structurizecfg does not take it for another path's.
; CHECK: entry:
; CHECK-NEXT: [[W:%[0-9]+|%w]] = zext i32 %v to i64
; CHECK-NEXT: br i1 %c
define i64 @k.region.0(i1 %c, i32 %v) {
entry:
  br i1 %c, label %a, label %b
a:
  %w = zext i32 %v to i64
  br label %join
b:
  br label %join
join:
  %s = phi i64 [ %w, %a ], [ 0, %b ]
  ret i64 %s
}
