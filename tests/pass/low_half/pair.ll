; SPDX-License-Identifier: Apache-2.0
; expect: fires
; What is known of two indices is hidden from LLVM's code generator, which cuts out the lower one.
; CHECK: [[PAIR:%[0-9]+]] = call i64 asm "", "=r,0"(i64 %e)
; CHECK: and i64 [[PAIR]], 1
; CHECK: lshr i64 [[PAIR]], 32
define i32 @k.full.0(<4 x i32> %x, i1 %c, ptr %p) {
  %y = and <4 x i32> %x, splat (i32 1)
  %a = select i1 %c, <4 x i32> %y, <4 x i32> zeroinitializer
  %b = bitcast <4 x i32> %a to <2 x i64>
  %e = extractelement <2 x i64> %b, i64 0
  %m = and i64 %e, 1
  %h = lshr i64 %e, 32
  %g = getelementptr i32, ptr %p, i64 %m
  %i = getelementptr i32, ptr %p, i64 %h
  %u = load i32, ptr %g
  %v = load i32, ptr %i
  %s = add i32 %u, %v
  ret i32 %s
}
