; SPDX-License-Identifier: Apache-2.0
; expect: declines
; The greater of two signed numbers need not be the greater of two unsigned ones.
; CHECK: %t = icmp ult i32 %m, %c
declare i32 @llvm.smax.i32(i32, i32)
define i1 @k.region.0(i32 %a, i32 %b, i32 %c) {
  %m = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %t = icmp ult i32 %m, %c
  ret i1 %t
}
