; SPDX-License-Identifier: Apache-2.0
; expect: fires
; CHECK: remark unfold: k, k.region.0, block 0: two comparisons in place of one with smax
; CHECK: [[A:%[0-9]+]] = icmp slt i32 %a, %c
; CHECK: [[B:%[0-9]+]] = icmp slt i32 %b, %c
; CHECK: and i1 [[A]], [[B]]
; CHECK-NOT: call i32 @llvm.smax
declare i32 @llvm.smax.i32(i32, i32)
define i1 @k.region.0(i32 %a, i32 %b, i32 %c) {
  %m = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %t = icmp slt i32 %m, %c
  ret i1 %t
}
