; SPDX-License-Identifier: Apache-2.0
; expect: declines
; max(a, b) == c says neither of both.
; CHECK: %t = icmp eq i32 %m, %c
declare i32 @llvm.smax.i32(i32, i32)
define i1 @k.region.0(i32 %a, i32 %b, i32 %c) {
  %m = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %t = icmp eq i32 %m, %c
  ret i1 %t
}
