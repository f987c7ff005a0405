; SPDX-License-Identifier: Apache-2.0
; expect: fires
; The lanes that are not defined get the value of the first one that is.
; CHECK: shufflevector <4 x i32> {{(splat \(|<)i32 -1.*}}, <4 x i32> %x
; CHECK: and <4 x i32> %s, <i32 7, i32 7, i32 0, i32 7>
define <4 x i32> @k.full.0(<4 x i32> %x) {
  %s = shufflevector <4 x i32> <i32 -1, i32 poison, i32 -1, i32 undef>, <4 x i32> %x, <4 x i32> <i32 0, i32 5, i32 2, i32 7>
  %a = and <4 x i32> %s, <i32 poison, i32 7, i32 0, i32 poison>
  ret <4 x i32> %a
}
