// SPDX-License-Identifier: Apache-2.0
// Coefficients of the polynomials of the device math library; written by tools/devmath_fit.py, lowest power first.
#ifndef HEDDLE_DEVMATH_COEF_H
#define HEDDLE_DEVMATH_COEF_H
// EXPF_Q: degree 4 on [-0.34657, 0.34657], error 2^-26.2
#define EXPF_Q 0x1.fffffep-2f, 0x1.5554b0p-3f, 0x1.555674p-5f, 0x1.122760p-7f, 0x1.6beaf6p-10f
// EXP_Q: degree 10 on [-0.34657, 0.34657], error 2^-61.7
#define EXP_Q                                                                                                          \
    0x1.0000000000000p-1, 0x1.5555555555559p-3, 0x1.555555555553fp-5, 0x1.111111110f6e5p-7, 0x1.6c16c16c1f05fp-10,     \
        0x1.a01a01afcf262p-13, 0x1.a01a017bcad69p-16, 0x1.71ddf88b6b25ep-19, 0x1.27e5362fef5bfp-22,                    \
        0x1.af5e5da3d555ap-26, 0x1.1ee8689bd1bc9p-29
// EXPF_WIDE: degree 6 on [-0.69322, 0.69322], by search
#define EXPF_WIDE                                                                                                      \
    0x1.000000p+0f, 0x1.00000ep-1f, 0x1.5554fep-3f, 0x1.5548ecp-5f, 0x1.112266p-7f, 0x1.71f13ep-10f, 0x1.9fe6c8p-13f
// EXP2F_Q: degree 5 on [-0.5, 0.5], error 2^-28.9
#define EXP2F_Q 0x1.62e430p-1f, 0x1.ebfbdcp-3f, 0x1.c6aee8p-5f, 0x1.3b2d50p-7f, 0x1.5f3e3ap-10f, 0x1.41f9dep-13f
// LOGF_Q: degree 8 on [-0.33333, 0.33333], error 2^-27.7
#define LOGF_Q                                                                                                         \
    -0x1.000000p-1f, 0x1.555502p-2f, -0x1.fffe86p-3f, 0x1.99d1e8p-3f, -0x1.55a746p-3f, 0x1.1ebf0ap-3f,                 \
        -0x1.f25f2ep-4f, 0x1.1ece32p-3f, -0x1.092f72p-3f
// LOG_R: degree 6 on [0.0, 0.029732], error 2^-59.4
#define LOG_R                                                                                                          \
    0x1.5555555555597p-1, 0x1.999999997e431p-2, 0x1.249249437542ep-2, 0x1.c71c50b9d86a6p-3, 0x1.7466879d141bdp-3,      \
        0x1.399a08737a719p-3, 0x1.2f56752a80edap-3
// LOG_R2: degree 6 on [0.0, 0.029732], error 2^-66.2
#define LOG_R2                                                                                                         \
    0x1.9999999999b4dp-2, 0x1.2492492454376p-2, 0x1.c71c7232aa3b5p-3, 0x1.745ce80540ce6p-3, 0x1.3b1f44ed045bcp-3,      \
        0x1.0f77974354b5fp-3, 0x1.0e91ebe412db2p-3
// LOGF_R2: degree 1 on [0.0, 0.029732], error 2^-29.1
#define LOGF_R2 0x1.997a9ep-2f, 0x1.2f70f6p-2f
// SINF_P: degree 2 on [0.0, 0.62925], error 2^-27.9
#define SINF_P -0x1.555544p-3f, 0x1.1106d4p-7f, -0x1.9920dap-13f
// COSF_P: degree 2 on [0.0, 0.62925], error 2^-33.1
#define COSF_P 0x1.55554ap-5f, -0x1.6c0c22p-10f, 0x1.99e34cp-16f
// SIN_P: degree 5 on [0.0, 0.62925], error 2^-57.7
#define SIN_P                                                                                                          \
    -0x1.5555555555547p-3, 0x1.111111110f529p-7, -0x1.a01a019ba67a2p-13, 0x1.71de351a10630p-19,                        \
        -0x1.ae5e1c5796e44p-26, 0x1.5d7d6df0ab185p-33
// COS_P: degree 5 on [0.0, 0.62925], error 2^-64.0
#define COS_P                                                                                                          \
    0x1.555555555554ap-5, -0x1.6c16c16c14ec1p-10, 0x1.a01a019c6aab8p-16, -0x1.27e4f7d4da442p-22,                       \
        0x1.1ee9c6c0aaa60p-29, -0x1.8f9addb16d46fp-37
// TANF_P: degree 6 on [0.0, 0.62925], error 2^-29.3
#define TANF_P                                                                                                         \
    0x1.555562p-2f, 0x1.110d04p-3f, 0x1.baf518p-5f, 0x1.5ba51cp-6f, 0x1.6896fcp-7f, -0x1.0d1c84p-13f, 0x1.25f942p-8f
// ATANF_P: degree 8 on [0.0, 1.0], error 2^-28.5
#define ATANF_P                                                                                                        \
    -0x1.55553ep-2f, 0x1.9991fep-3f, -0x1.2421c2p-3f, 0x1.c09a94p-4f, -0x1.583650p-4f, 0x1.dacfeap-5f,                 \
        -0x1.fedd60p-6f, 0x1.65b336p-7f, -0x1.d646e2p-10f
// ATAN_P: degree 20 on [0.0, 1.0], error 2^-60.2
#define ATAN_P                                                                                                         \
    -0x1.555555555554dp-2, 0x1.9999999998c27p-3, -0x1.2492492456a8ap-3, 0x1.c71c71b62825ep-4, -0x1.745d15d01c01ep-4,   \
        0x1.3b139bcd61e35p-4, -0x1.1110325c436b6p-4, 0x1.e1d486666db97p-5, -0x1.aeda4e487d977p-5,                      \
        0x1.84b4411019947p-5, -0x1.5f23f4986a344p-5, 0x1.3903e4c818b10p-5, -0x1.0c9340eeff803p-5,                      \
        0x1.ac75cca2cf3cfp-6, -0x1.30f7157c03b79p-6, 0x1.72d6f484f75e7p-7, -0x1.6fca81b166539p-8,                      \
        0x1.19fdd8df33a7dp-9, -0x1.36d19a337a088p-11, 0x1.b39ffe4f38d88p-14, -0x1.225a60251d387p-17
// ASINF_P: degree 5 on [0.0, 0.25], error 2^-31.8
#define ASINF_P 0x1.55554cp-3f, 0x1.33387cp-4f, 0x1.6caed6p-5f, 0x1.049180p-5f, 0x1.d921f8p-7f, 0x1.3354cap-5f
// ASIN_P: degree 13 on [0.0, 0.25], error 2^-63.8
#define ASIN_P                                                                                                         \
    0x1.5555555555553p-3, 0x1.3333333333a3ap-4, 0x1.6db6db6d48c71p-5, 0x1.f1c71ca82fe2cp-6, 0x1.6e8b9af382686p-6,      \
        0x1.1c4f854b1cb76p-6, 0x1.c980e6d92f74ap-7, 0x1.7ba3f1e8ca0dfp-7, 0x1.36c4f5eeb7b3dp-7, 0x1.47ff1e869cc04p-7,  \
        0x1.65ff2be5f5242p-11, 0x1.96b955015d18dp-6, -0x1.ac62703b22212p-6, 0x1.1398187ab3aa4p-5
// TANHF_P: degree 4 on [0.0, 0.36], error 2^-28.4
#define TANHF_P -0x1.55553ep-2f, 0x1.1109aep-3f, -0x1.b898eap-5f, 0x1.54b8f6p-6f, -0x1.8259eap-8f
// TANH_P: degree 10 on [0.0, 0.36], error 2^-57.8
#define TANH_P                                                                                                         \
    -0x1.5555555555530p-2, 0x1.111111110e1c2p-3, -0x1.ba1ba1b7818b4p-5, 0x1.664f47f042522p-6, -0x1.226e22978f9a2p-7,   \
        0x1.d6d0c6c627841p-9, -0x1.7d79e04ffd37ap-10, 0x1.33db45b439712p-11, -0x1.e32ed79540375p-13,                   \
        0x1.4cae3c2d82bb6p-14, -0x1.203d3c461122dp-16
// SINHF_P: degree 3 on [0.0, 1.0], error 2^-34.2
#define SINHF_P 0x1.555556p-3f, 0x1.111134p-7f, 0x1.9ffe94p-13f, 0x1.7a159cp-19f
// SINH_P: degree 6 on [0.0, 1.0], error 2^-63.3
#define SINH_P                                                                                                         \
    0x1.5555555555556p-3, 0x1.11111111110a6p-7, 0x1.a01a01a028989p-13, 0x1.71de3a465c013p-19, 0x1.ae64671a71c51p-26,   \
        0x1.611a565bfa883p-33, 0x1.b4c74814caa2bp-41
// ERFF_P: degree 6 on [0.0, 1.0], error 2^-29.6
#define ERFF_P                                                                                                         \
    0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2cf8p-4f, -0x1.b7f910p-6f, 0x1.5405cap-8f, -0x1.a3f7b2p-11f, 0x1.496c26p-14f
// ERF_P: degree 12 on [0.0, 1.0], error 2^-62.7
#define ERF_P                                                                                                          \
    0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b21p-4, -0x1.b82ce312849a6p-6, 0x1.565bcd0db042dp-8,    \
        -0x1.c02db3d8f05f9p-11, 0x1.f9a321a171519p-14, -0x1.f4d1df3ef1e27p-17, 0x1.b9def1e08ed07p-20,                  \
        -0x1.5f1d38d2f39eep-23, 0x1.f7a4275667b08p-27, -0x1.386afff95edf4p-30, 0x1.057a5208e492fp-34
// ERFF_Q: degree 7 on [1.0, 4.0], error 2^-32.5
#define ERFF_Q                                                                                                         \
    0x1.a0d35cp+0f, 0x1.d55a08p-1f, 0x1.38374ep-3f, -0x1.10eb16p-5f, 0x1.2ce520p-8f, -0x1.a4402ap-13f,                 \
        -0x1.57c760p-15f, 0x1.58272ep-18f
// ERFCXF_P: degree 11 on [-1.0, 1.0], error 2^-28.2
#define ERFCXF_P                                                                                                       \
    0x1.40c522p+0f, -0x1.15c07ep-3f, -0x1.85a122p-5f, 0x1.0982b8p-3f, -0x1.e88cf0p-4f, 0x1.17d4c2p-4f,                 \
        -0x1.855ac4p-6f, 0x1.470fb8p-9f, 0x1.ebc75ep-10f, -0x1.7abf5cp-11f, -0x1.85c73ap-14f, 0x1.3dccf0p-14f
// ERFCX_P: degree 24 on [-1.0, 1.0], error 2^-57.0
#define ERFCX_P                                                                                                        \
    0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a287p-3, 0x1.f7f5df66fd639p-7, 0x1.16ecefcfa4d41p-4, -0x1.9ddb23c3e86c1p-4,    \
        0x1.7fee004e1ea3fp-4, -0x1.0fb06dfe564cbp-4, 0x1.3079edf51ed17p-5, -0x1.09623882f19aap-6,                      \
        0x1.49c672e047609p-8, -0x1.8d4a9b7b4ee5bp-11, -0x1.a1df5ddebf884p-13, 0x1.3be05314c3545p-13,                   \
        -0x1.995381c797b78p-16, -0x1.7887353378dd0p-17, 0x1.7ef697e299dc6p-18, 0x1.39b96d4622a6ap-22,                  \
        -0x1.b8d11059c20cap-21, 0x1.4bc9e93f83fd6p-24, 0x1.c8b1082aea759p-24, -0x1.5eae39b958268p-26,                  \
        -0x1.a822a8640e8dfp-27, 0x1.abb7d0276adc9p-29, 0x1.ff9fd33d4389ep-31, -0x1.19b64169d2626p-32
// ERFINV_P: degree 15 on [0.0, 0.3], error 2^-60.8
#define ERFINV_P                                                                                                       \
    0x1.c5bf891b4ef6bp-1, 0x1.db29fb2fee5ffp-3, 0x1.053c2c0ab74b1p-3, 0x1.62847c496e54cp-4, 0x1.0a131841f9c5ep-4,      \
        0x1.a7c8752ed4290p-5, 0x1.5ee8eab3150a8p-5, 0x1.2add22093313bp-5, 0x1.02171a717cad0p-5, 0x1.e2c009beb3572p-6,  \
        0x1.0b1f9c65512aep-6, 0x1.e9008b402a71fp-5, -0x1.766456e4cf5a7p-4, 0x1.feb21aec3ef86p-3,                       \
        -0x1.1d451b3dc909cp-2, 0x1.a84623d15e203p-3
// ERFCINV_T1: degree 10 on [0.83, 4.0], error 2^-19.6
#define ERFCINV_T1                                                                                                     \
    -0x1.0c7dcd922705ap-5, 0x1.0eca10fd83a7dp+0, -0x1.412ee8e3d81a1p-2, -0x1.64f86af66fbf1p-2, 0x1.ece80097c068ep-2,   \
        -0x1.2e5173b8dcd7ep-2, 0x1.c6f90d1a04714p-4, -0x1.bacf797401fb9p-6, 0x1.10d4e71ef653bp-8,                      \
        -0x1.842648e53847bp-12, 0x1.e683ebb3d1aefp-17
// ERFCINV_T2: degree 13 on [4.0, 27.4], error 2^-19.4
#define ERFCINV_T2                                                                                                     \
    0x1.b19b8d97df308p-2, 0x1.a013492be6599p-2, -0x1.3a41ca002bb92p-3, 0x1.33a1304e634a5p-5, -0x1.a36ed21993855p-8,    \
        0x1.9ce7421f915e4p-11, -0x1.2afeb8bbe7b72p-14, 0x1.40c292c7870b5p-18, -0x1.fc48878ede091p-23,                  \
        0x1.254e80add876fp-27, -0x1.def76267c3966p-33, 0x1.05f9b3f71e9d7p-38, -0x1.5838c7e56b89cp-45,                  \
        0x1.9a7be51fd8f2ap-53
// ERFINVF_LOW: degree 9 on [-2.5, 2.55], error 2^-27.2
#define ERFINVF_LOW                                                                                                    \
    0x1.805c5ep+0f, 0x1.f91e8cp-3f, -0x1.11c50ap-8f, -0x1.4866b2p-10f, 0x1.c9ea6cp-13f, -0x1.4ca926p-18f,              \
        -0x1.d1065ap-19f, 0x1.f2dcb4p-22f, 0x1.923a6ep-26f, -0x1.29b428p-27f
// ERFINVF_MID: degree 9 on [-0.78, 1.12], error 2^-26.3
#define ERFINVF_MID                                                                                                    \
    -0x1.561042p-3f, 0x1.b71034p-10f, 0x1.357f84p-7f, -0x1.f47104p-8f, 0x1.74c79ep-8f, -0x1.d82806p-9f,                \
        0x1.84a26ep-10f, -0x1.9e47cap-15f, -0x1.43126ep-12f, 0x1.d68134p-14f
// ERFINVF_FAR: degree 10 on [-3.0, 3.2], error 2^-28.5
#define ERFINVF_FAR                                                                                                    \
    -0x1.0c3f6ep-3f, 0x1.19a8dcp-7f, -0x1.0cbe68p-11f, 0x1.acf590p-18f, 0x1.923ddep-18f, -0x1.c2dde0p-20f,             \
        0x1.67d50ap-22f, -0x1.5cc534p-25f, 0x1.724e88p-28f, -0x1.5af2d8p-29f, 0x1.d06586p-32f
// LGAMMA_A: degree 23 on [-0.5, 0.1], error 2^-60.7
#define LGAMMA_A                                                                                                       \
    0x1.2788cfc6fb619p-1, -0x1.f6465978d46eap-3, 0x1.3e54520481edbp-3, -0x1.d7a3e6a8f126fp-4, 0x1.79cf9c4c550a6p-4,    \
        -0x1.3cb1f9d62fe7dp-4, 0x1.115549deddf3cp-4, -0x1.e182425de64c3p-5, 0x1.ae8ac1b76bdb4p-5,                      \
        -0x1.857ab9c2bee88p-5, 0x1.6383910558803p-5, -0x1.476a447bf31bbp-5, 0x1.35350cb7db208p-5,                      \
        -0x1.c725699837887p-6, 0x1.6c5280f53e56ep-5, -0x1.8880210290a0cp-3, -0x1.7ec8ccfbe1fddp+0,                     \
        -0x1.c27074d07ec87p+2, -0x1.4c8896ed39160p+4, -0x1.5395b59ff0356p+5, -0x1.dd0d3a1157359p+5,                    \
        -0x1.be9e0e726675dp+5, -0x1.f88d8578a4972p+4, -0x1.098993422e1e4p+3
// LGAMMA_B: degree 21 on [-0.41, 0.51], error 2^-63.4
#define LGAMMA_B                                                                                                       \
    0x1.eeb95b094c191p-2, -0x1.2aed059bd608ap-3, 0x1.01af62a2929eap-4, -0x1.007aa83cee236p-5, 0x1.13342352789dfp-6,    \
        -0x1.34dbda148541cp-7, 0x1.64f06652a8e1cp-8, -0x1.a5035242d40fcp-9, 0x1.f814b78b99164p-10,                     \
        -0x1.313e865225b35p-10, 0x1.750aed5e4860fp-11, -0x1.cb45ffc764d5bp-12, 0x1.1c73f50ed526ep-12,                  \
        -0x1.62252178cb68bp-13, 0x1.bb061ce72eba2p-14, -0x1.16e33afe55d3dp-14, 0x1.5f2e5db401cafp-15,                  \
        -0x1.ae1a998c80fc6p-16, 0x1.0c569a3e6122dp-16, -0x1.9c41a6ba2f6eap-17, 0x1.358d36782308ap-17,                  \
        -0x1.d68d6d01aefdbp-19
// LGAMMA_C: degree 17 on [-0.5, 0.5], error 2^-62.6
#define LGAMMA_C                                                                                                       \
    0x1.84afe00cddfdfp-2, -0x1.31d26e9323010p-4, 0x1.462044b0af667p-6, -0x1.8a722dfc5d7c8p-8, 0x1.feef08b13649bp-10,   \
        -0x1.59512000eba3dp-11, 0x1.e05c3c3687e10p-13, -0x1.5501aaf7a64d2p-14, 0x1.eb8f77ccbc398p-16,                  \
        -0x1.66708409005cap-17, 0x1.07c6c7379861ap-18, -0x1.871d80f0f471bp-20, 0x1.23dfa3ef71060p-21,                  \
        -0x1.b5b3cba679e24p-23, 0x1.4549d63f5192dp-24, -0x1.ead579913b38cp-26, 0x1.bd94217b13591p-27,                  \
        -0x1.5631d94743b98p-28
// STIRLING_P: degree 7 on [0.0, 0.015625], error 2^-62.6
#define STIRLING_P                                                                                                     \
    0x1.5555555555555p-4, -0x1.6c16c16c16b32p-9, 0x1.a01a019ee9bb8p-11, -0x1.38137ecdb915dp-11, 0x1.b94f76e07603ep-11, \
        -0x1.f600ec8ddd2f6p-10, 0x1.96ef758651317p-8, -0x1.561004f86a797p-6
// LANCZOS_N: numerator, g = 6.0246..., error 2^-55.0 for x > 0.5
#define LANCZOS_N                                                                                                      \
    0x1.b2298cf4eca2ep+25, 0x1.8bf15ec772306p+26, 0x1.4972fed270dcep+26, 0x1.4aa644a98efcep+25, 0x1.bdba142ce50eap+23, \
        0x1.a903813d667e3p+21, 0x1.25e073bfd7560p+19, 0x1.28df4b04add10p+16, 0x1.b2bffe5f3508ap+12,                    \
        0x1.c1f1ce7b3dd77p+8, 0x1.38519fe638382p+4, 0x1.0509f77f7c44bp-1, 0x1.8d44d6a172145p-8
// LANCZOS_D: denominator x (x+1) ... (x+11)
#define LANCZOS_D                                                                                                      \
    0x0.0p+0, 0x1.308a800000000p+25, 0x1.cbd6980000000p+26, 0x1.1fda6b0000000p+27, 0x1.9187170000000p+26,              \
        0x1.5eeb690000000p+25, 0x1.97171e0000000p+23, 0x1.41f7b00000000p+21, 0x1.5d0bc00000000p+18,                    \
        0x1.fe78000000000p+14, 0x1.e140000000000p+10, 0x1.0800000000000p+6, 0x1.0000000000000p+0
// J0_Z1_HI: a zero
#define J0_Z1_HI 0x1.33d152e971b40p+1
// J0_Z1_LO: the rest of it
#define J0_Z1_LO -0x1.0f539d7da258ep-53
// J0_A: degree 11 on [0.0, 16.5], error 2^-62.2
#define J0_A                                                                                                           \
    -0x1.62214bb3c7121p-3, 0x1.b4c4fb6b81b41p-7, -0x1.a04594c033932p-12, 0x1.add15692284f4p-18,                        \
        -0x1.17e92e43e9b60p-24, 0x1.f6e02e33d0251p-32, -0x1.4aa9002bd6756p-39, 0x1.4c370dcc187e8p-47,                  \
        -0x1.075e65a0c1216p-55, 0x1.51c4eea50f8adp-64, -0x1.625be800aa963p-73, 0x1.11ffbbf103679p-82
// J0_Z2_HI: a zero
#define J0_Z2_HI 0x1.6148f5b2c2e45p+2
// J0_Z2_LO: the rest of it
#define J0_Z2_LO 0x1.75054cd60a517p-54
// J0_B: degree 19 on [-1.5201, 2.5299], error 2^-65.9
#define J0_B                                                                                                           \
    0x1.5c6e60a097823p-2, -0x1.f8f72e7a848e0p-6, -0x1.b2150cb41e8c1p-5, 0x1.2f7ffe90256bap-8, 0x1.27e31fe9a9777p-9,    \
        -0x1.6f641f419566ep-13, -0x1.863f481a42f4cp-15, 0x1.ad77d7489b6c1p-19, 0x1.32e6d99c69fe1p-21,                  \
        -0x1.2da37e36b64aep-25, -0x1.41d72d9643650p-28, 0x1.1d0433527eb8ap-32, 0x1.e2f33c56a999fp-36,                  \
        -0x1.8498d16ada799p-40, -0x1.104889264ef7dp-43, 0x1.911623d98fec6p-48, 0x1.def3c0ecfaa41p-52,                  \
        -0x1.4640ece7bb182p-56, -0x1.5bdcad210753cp-60, 0x1.27ff90257e604p-64
// J1_Z1_HI: a zero
#define J1_Z1_HI 0x1.ea75575af6f09p+1
// J1_Z1_LO: the rest of it
#define J1_Z1_LO -0x1.60155a9d1b256p-53
// J1_A: degree 11 on [0.0, 20.3], error 2^-61.2
#define J1_A                                                                                                           \
    -0x1.16fb4ba6b9f63p-5, 0x1.fbdfb0a3d17bcp-10, -0x1.7cf8005bc4ca4p-15, 0x1.43316b3aefda9p-21,                       \
        -0x1.648984557b2acp-28, 0x1.15732c1404ec9p-35, -0x1.419b22bb5c170p-43, 0x1.20bacbadc6de0p-51,                  \
        -0x1.9d9d5d7bf8b0dp-60, 0x1.e38f445cc9bb5p-69, -0x1.d0db7eca49a1cp-78, 0x1.46722a0430e2cp-87
// J1_Z2_HI: a zero
#define J1_Z2_HI 0x1.c0ff5f3b47250p+2
// J1_Z2_LO: the rest of it
#define J1_Z2_LO -0x1.b226d9d243827p-54
// J1_B: degree 19 on [-2.5156, 1.0344], error 2^-68.3
#define J1_B                                                                                                           \
    0x1.33518b3874e8ap-2, -0x1.5e70dc60362bfp-6, -0x1.80c83bdeee5b0p-5, 0x1.9a4b292e3de42p-9, 0x1.13fbc7d698218p-9,    \
        -0x1.07358bbdbff5ep-13, -0x1.796a751f89154p-15, 0x1.4255b015aad34p-19, 0x1.3026e0ce9bb1bp-21,                  \
        -0x1.d48dcdab83a84p-26, -0x1.44639d7bc3cc5p-28, 0x1.c62cc9d2f7707p-33, 0x1.ecae8a5546b0ap-36,                  \
        -0x1.3bb6512ebb847p-40, -0x1.183bb007f81d3p-43, 0x1.4b00f2486e3c2p-48, 0x1.eea44c2260905p-52,                  \
        -0x1.1f51a904da956p-56, -0x1.b4e9472a702b8p-60, -0x1.4599d3c787ab3p-67
// Y0_Z1_HI: a zero
#define Y0_Z1_HI 0x1.c982eb8d417eap-1
// Y0_Z1_LO: the rest of it
#define Y0_Z1_LO 0x1.ea9d270347f83p-56
// Y0_A: degree 9 on [0.0, 6.0], error 2^-64.7
#define Y0_A                                                                                                           \
    0x1.750811790a13cp-3, -0x1.12583f4a4abcep-6, 0x1.268a9aaaeb08ep-11, -0x1.4c030d99a6811p-17, 0x1.cf0413d962461p-24, \
        -0x1.b797031b35fc8p-31, 0x1.2eb3e4d0edb52p-38, -0x1.3c52301773b4fp-46, 0x1.02f9b57264152p-54,                  \
        -0x1.41ecaae44137bp-63
// Y0_Z2_HI: a zero
#define Y0_Z2_HI 0x1.fa9534d98569cp+1
// Y0_Z2_LO: the rest of it
#define Y0_Z2_LO -0x1.f06ae7804384ep-54
// Y0_B: degree 24 on [-1.5577, 1.5423], error 2^-62.0
#define Y0_B                                                                                                           \
    -0x1.9c34256a12a0cp-2, 0x1.a09c9290367efp-5, 0x1.df6d59bf50ebcp-5, -0x1.c116fdc5980d5p-8, -0x1.1e32bc4ef898ep-9,   \
        0x1.998276516c35cp-13, 0x1.ab2c1fecc4f11p-15, -0x1.486371eb01a65p-18, -0x1.3b21680ad45d4p-22,                  \
        -0x1.77704a6bd2f2dp-26, 0x1.452e971f94278p-26, -0x1.f694679d1b1dbp-29, 0x1.a5a3d87e26c94p-31,                  \
        -0x1.993c5301eaa8fp-33, 0x1.888bfc185bcd4p-35, -0x1.762e8eebb3ec9p-37, 0x1.65e4c250c2a13p-39,                  \
        -0x1.4c15de788861dp-41, 0x1.39dc3c12759d0p-43, -0x1.740de7ff5ae7dp-45, 0x1.7d9864e9a49dcp-47,                  \
        -0x1.39097b7420d50p-51, 0x1.1573cb0336553p-55, -0x1.65f0909fed825p-52, 0x1.7ca60045bc7f3p-54
// Y0_Z3_HI: a zero
#define Y0_Z3_HI 0x1.c581dc4e72103p+2
// Y0_Z3_LO: the rest of it
#define Y0_Z3_LO -0x1.9774a495f56cfp-54
// Y0_C: degree 17 on [-1.5861, 0.96395], error 2^-66.4
#define Y0_C                                                                                                           \
    0x1.334cca0697a5bp-2, -0x1.5aef611fc4d57p-6, -0x1.8969c64cbf452p-5, 0x1.b2f14a95527c8p-9, 0x1.1d35e85fde2a2p-9,    \
        -0x1.26dd71e391a61p-13, -0x1.8177e4fe51dcep-15, 0x1.6a92273509ebfp-19, 0x1.34aa75737ac50p-21,                  \
        -0x1.0a2814c3104efp-25, -0x1.442a3c9308456p-28, 0x1.fa6c3a3be98a7p-33, 0x1.f14d6d91882adp-36,                  \
        -0x1.7147d60ca5dc2p-40, -0x1.06263478ef671p-43, 0x1.34eea4d306896p-48, 0x1.21c6cdc52b7f2p-51,                  \
        -0x1.cf60e83d30022p-55
// Y1_Z1_HI: a zero
#define Y1_Z1_HI 0x1.193bed4dff243p+1
// Y1_Z1_LO: the rest of it
#define Y1_Z1_LO -0x1.bd1e50d219bfdp-55
// Y1_A: degree 10 on [0.0, 14.0], error 2^-65.0
#define Y1_A                                                                                                           \
    0x1.069922dcaf0e0p-6, -0x1.7c2ca06d8e35ep-10, 0x1.5ba2f20a559f2p-15, -0x1.4f29406949688p-21,                       \
        0x1.96551dc2dd0a0p-28, -0x1.549cf86d4abd0p-35, 0x1.a3ab2a978f8c0p-43, -0x1.8cac7d482f8e7p-51,                  \
        0x1.28ec12d89c2b0p-59, -0x1.667e749cf9349p-68, 0x1.4069fe3231da2p-77
// Y1_Z2_HI: a zero
#define Y1_Z2_HI 0x1.5b7fe4e87b02ep+2
// Y1_Z2_LO: the rest of it
#define Y1_Z2_LO 0x1.dfe7bac228e8cp-52
// Y1_B: degree 21 on [-1.7297, 1.5703], error 2^-61.1
#define Y1_B                                                                                                           \
    -0x1.5c7c556f0c19ap-2, 0x1.00b9f8571ca1fp-5, 0x1.a15d92dfe3e26p-5, -0x1.10a329e2c23c3p-8, -0x1.1be6db9923a5cp-9,   \
        0x1.337c7e138bad6p-13, 0x1.85b940eb5666dp-15, -0x1.8061914436575p-19, -0x1.255e6cef959cfp-21,                  \
        0x1.b62ccc5bf1876p-26, 0x1.80b1a42aa9f63p-28, -0x1.a7eccc1d9cb40p-32, 0x1.40a0b3dec664ep-39,                   \
        -0x1.3887e8726f626p-38, 0x1.492ae60ed9152p-40, -0x1.bbd02570d2055p-43, 0x1.453535420a425p-45,                  \
        -0x1.05e348b30b0d2p-47, 0x1.35093d73c0ec8p-50, -0x1.ed01b0df75eefp-54, 0x1.375f8d52e6211p-54,                  \
        -0x1.64849ecf18569p-56
// Y1_Z3_HI: a zero
#define Y1_Z3_HI 0x1.13127ae6169b4p+3
// Y1_Z3_LO: the rest of it
#define Y1_Z3_LO 0x1.479cc068d9046p-52
// Y1_C: degree 13 on [-1.596, -0.54601], error 2^-66.8
#define Y1_C                                                                                                           \
    0x1.15f993fceb4f0p-2, -0x1.02b3933c62996p-6, -0x1.6395dfe2b21ddp-5, 0x1.3ced2aaf9d7cbp-9, 0x1.07a67a45ebfe0p-9,    \
        -0x1.b50d1fe2b46fep-14, -0x1.6f7a8c7c5e6f1p-15, 0x1.1782fd80973d6p-19, 0x1.2c3425887d84cp-21,                  \
        -0x1.9da84740ec9b9p-26, -0x1.3676deb885d28p-28, 0x1.0f7fa065a3ecep-32, 0x1.718faa237b15ep-35,                  \
        0x1.159ec4aea3d0bp-40
// J0_AMP: degree 10 on [1.0e-8, 0.015625], error 2^-53.1
#define J0_AMP                                                                                                         \
    0x1.fffffffffffffp-1, -0x1.ffffffffc4b1ap-5, 0x1.a7fffec0627c9p-4, -0x1.15ef569862ad2p-1, 0x1.76224c98ff5a7p+2,    \
        -0x1.a7abedab4e705p+6, 0x1.582a746e6ca77p+11, -0x1.4548e65159300p+16, 0x1.165640a15dc6dp+21,                   \
        -0x1.4e2e15f3611c0p+25, 0x1.87772d8c68447p+28
// J0_PHASE: degree 10 on [1.0e-8, 0.015625], error 2^-50.2
#define J0_PHASE                                                                                                       \
    -0x1.fffffffffffc8p-4, 0x1.0aaaaaa9c3d24p-4, -0x1.ad332e5054ea9p-3, 0x1.a355adf716568p+0, -0x1.773d3ff876f9ep+4,   \
        0x1.07eef15326a87p+9, -0x1.f6b7de58bd198p+13, 0x1.073d7b1c4e637p+19, -0x1.de20659807a52p+23,                   \
        0x1.28ec7647a7eb7p+28, -0x1.62e802dfb52a3p+31
// J1_AMP: degree 10 on [1.0e-8, 0.015625], error 2^-52.9
#define J1_AMP                                                                                                         \
    0x1.0000000000001p+0, 0x1.7fffffffef195p-3, -0x1.8bffff49f486ep-3, 0x1.9c4f3f2bf8cdap-1, -0x1.ef26313c36da8p+2,    \
        0x1.0752a4ae12803p+7, -0x1.9c78aa4b7804fp+11, 0x1.7df9c7f4dcb07p+16, -0x1.435b131d8dccap+21,                   \
        0x1.820658f197b2cp+25, -0x1.c2be80b60f3b8p+28
// J1_PHASE: degree 10 on [1.0e-8, 0.015625], error 2^-50.0
#define J1_PHASE                                                                                                       \
    0x1.7fffffffffff0p-2, -0x1.4fffffff7c91cp-3, 0x1.7bccca05223c0p-2, -0x1.2f46f271b1e14p+1, 0x1.e992782aff142p+4,    \
        -0x1.452f187e86a80p+9, 0x1.2b9bc433bc9c2p+14, -0x1.341be48612da4p+19, 0x1.1524ba6aab7adp+24,                   \
        -0x1.5673903417cb7p+28, 0x1.981d210d5d12ep+31
// I0_A: degree 15 on [0.0, 64.0], error 2^-60.0
#define I0_A                                                                                                           \
    0x1.0000000000000p+0, 0x1.0000000000000p-2, 0x1.ffffffffffff3p-7, 0x1.c71c71c71c85cp-12, 0x1.c71c71c71a932p-18,    \
        0x1.23456789c5ea6p-24, 0x1.02e85c06c9109p-31, 0x1.522a442193bc2p-39, 0x1.522a4126619e7p-47,                    \
        0x1.0b3153e9ebaafp-55, 0x1.55ff4d5d2fe65p-64, 0x1.69e620b4e1792p-73, 0x1.40a5d3418b2bep-82,                    \
        0x1.f2a34ae33a505p-92, 0x1.108aa6a1b63a7p-101, 0x1.1cb09e07e4b9bp-110
// I1_A: degree 15 on [0.0, 64.0], error 2^-62.7
#define I1_A                                                                                                           \
    0x1.0000000000000p-1, 0x1.0000000000000p-4, 0x1.5555555555552p-9, 0x1.c71c71c71c7a1p-15, 0x1.6c16c16c160bep-21,    \
        0x1.845c8a0cf7704p-28, 0x1.27e4fb7658640p-35, 0x1.522a44114496cp-43, 0x1.2c9757301b3dbp-51,                    \
        0x1.ab82105af3886p-60, 0x1.f17427f51f126p-69, 0x1.e28088b5215e1p-78, 0x1.8ad6b3c08a2bcp-87,                    \
        0x1.1c184cf8b01eep-96, 0x1.26fea62ae53acp-106, 0x1.17cdb81a47d88p-115
// I0_B: degree 24 on [-0.0624, 0.0625], error 2^-57.7
#define I0_B                                                                                                           \
    0x1.9bd428ad249a5p-2, 0x1.b87969bb93b9bp-5, 0x1.1daa72b5e2718p-5, 0x1.75e5ee711cd27p-5, 0x1.8e513a79603fep-4,      \
        0x1.3f49a96ab25c1p-2, 0x1.7d0f0a350b90dp+0, 0x1.51cdd396ae1f0p+3, 0x1.7234e22a264d7p+6, 0x1.03a4df6e8264bp+9,  \
        -0x1.cfe8000e0798ep+12, -0x1.cd022ce7641fdp+17, -0x1.729363d7259cfp+20, 0x1.0443d69dd9e4fp+25,                 \
        0x1.fc74c3781254fp+28, -0x1.e73958ea60310p+31, -0x1.95713c11b4197p+36, 0x1.ae2a23ab5461cp+38,                  \
        0x1.ebc5a9c5c60e7p+43, -0x1.4bf9a0dce4126p+45, -0x1.b175098c657d5p+50, 0x1.6d0e9abfa95dbp+51,                  \
        0x1.e4ade4f9d7eddp+56, -0x1.8dc369295a143p+56, -0x1.fbbadcc52b41fp+61
// I1_B: degree 24 on [-0.0624, 0.0625], error 2^-57.6
#define I1_B                                                                                                           \
    0x1.8ebe783a84030p-2, -0x1.3f796198ee632p-3, -0x1.cbc54df1e8d9ap-5, -0x1.f89c23059e47dp-5, -0x1.ec8e10777e55dp-4,  \
        -0x1.761381118f13ep-2, -0x1.ad8d46b7b1033p+0, -0x1.727970dc14fbbp+3, -0x1.9191e40bfe56bp+6,                    \
        -0x1.21a4b7f48e317p+9, 0x1.cf03a3b4e030fp+12, 0x1.e27f9cd949334p+17, 0x1.99aa8e50ce2d3p+20,                    \
        -0x1.075d21f5c8e27p+25, -0x1.0de38232f769dp+29, 0x1.dc5e4adb3ba0dp+31, 0x1.a911c41d6bd79p+36,                  \
        -0x1.980f92bce8d84p+38, -0x1.00620ccd57e99p+44, 0x1.3547082c011ffp+45, 0x1.c2cf564214ee4p+50,                  \
        -0x1.51e401cd50020p+51, -0x1.f76d58afc824dp+56, 0x1.701f8763b8c5ep+56, 0x1.077b5203799aap+62
#endif
