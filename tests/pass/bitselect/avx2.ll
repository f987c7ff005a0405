; SPDX-License-Identifier: Apache-2.0
; expect: declines
; cpu: haswell
; Without AVX-512 the code generator has no such instruction.
; CHECK: remark bitselect: k: does not run
; CHECK: %r = select <8 x i1> %c, <8 x i32> %x, <8 x i32> %o
define <8 x i32> @k.full.0(<8 x i1> %c, <8 x i32> %x, <8 x i32> %b, <8 x i32> %other) {
  %s = and <8 x i32> %x, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %o = or <8 x i32> %s, %b
  %r = select <8 x i1> %c, <8 x i32> %x, <8 x i32> %o
  ret <8 x i32> %r
}
