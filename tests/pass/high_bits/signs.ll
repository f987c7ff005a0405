; SPDX-License-Identifier: Apache-2.0
; expect: fires
; With fewer than 32 the bits of the sign are missing; an arithmetic shift, one of 128 bits, a second one behind a cut and an addition
; come to the same.
; CHECK: call i64 asm "", "=r,0"(i64 20)
; CHECK: lshr <8 x i64> %m,
; CHECK: call i64 asm "", "=r,0"(i64 17)
; CHECK: ashr <8 x i64> %m,
; CHECK: call i64 asm "", "=r,0"(i64 12)
; CHECK: ashr <8 x i64> %m,
; CHECK: [[COUNT:%[0-9]+]] = call i64 asm "", "=r,0"(i64 40)
; CHECK: zext i64 [[COUNT]] to i128
; CHECK: lshr <8 x i128> %w,
define void @k.full.0(<8 x i16> %a, ptr %p) {
  %x = sext <8 x i16> %a to <8 x i64>
  %m = mul nsw <8 x i64> %x, %x
  %h = lshr <8 x i64> %m, splat (i64 20)
  %i = add <8 x i64> %h, %x
  %t = trunc <8 x i64> %i to <8 x i16>
  store <8 x i16> %t, ptr %p
  %j = ashr <8 x i64> %m, splat (i64 17)
  %u = trunc <8 x i64> %j to <8 x i8>
  store <8 x i8> %u, ptr %p
  %k = ashr <8 x i64> %m, splat (i64 12)
  %v = trunc <8 x i64> %k to <8 x i32>
  %l = ashr <8 x i32> %v, splat (i32 8)
  %n = trunc <8 x i32> %l to <8 x i16>
  store <8 x i16> %n, ptr %p
  %y = sext <8 x i16> %a to <8 x i128>
  %w = mul nsw <8 x i128> %y, %y
  %q = lshr <8 x i128> %w, splat (i128 40)
  %r = trunc <8 x i128> %q to <8 x i16>
  store <8 x i16> %r, ptr %p
  ret void
}
