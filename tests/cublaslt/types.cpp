// SPDX-License-Identifier: Apache-2.0
// Products in all types, with all transposes, orders and modes of scalars, in place and not, alone and in batches.
#include "product_test.h"

struct kind {
    const char *name;
    cublasComputeType_t compute;
    cudaDataType scale, ab, cd;
    bool complex, optional;
};
static const kind kinds[] = {
    {"f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, false, false},
    {"f32 pedantic", CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, false, false},
    {"tf32", CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, false, false},
    {"fast f16", CUBLAS_COMPUTE_32F_FAST_16F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, false, false},
    {"fast bf16", CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, false, false},
    {"f64", CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, false, false},
    {"f16", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, false, false},
    {"f16 to f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, false, false},
    {"f16 in f16", CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, false, false},
    {"bf16", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, false, false},
    {"bf16 to f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, false, false},
    {"c32", CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, true, false},
    {"c64", CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, true, false},
    {"int8 to int32", CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, false, true},
    {"int8", CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, false, true},
    {"int8 to f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F, false, true},
};
static job of(const kind &k)
{
    job o(k.name, k.compute, k.scale, k.ab, k.cd);
    o.optional = k.optional;
    o.alpha = k.cd == CUDA_R_8I ? 0.0625 : is_integer(k.scale) ? 2 : k.complex ? X(1.5, -0.5) : X(0.5);
    o.beta = is_integer(k.scale) ? X(3) : k.complex ? X(-0.25, 1) : X(-0.75);
    return o;
}

static void transposes()
{
    static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    for (const kind &k : kinds)
        for (cublasOperation_t ta : ops)
            for (cublasOperation_t tb : ops) {
                if (!k.complex && (ta == CUBLAS_OP_C || tb == CUBLAS_OP_C))
                    continue;
                job o = of(k);
                o.ta = ta;
                o.tb = tb;
                o.heuristic = ta == tb;
                run(o);
                // sizes that no tile and no vector divides
                o.m = 37, o.n = 19, o.k = 41;
                o.pad = 3;
                o.count = 3;
                o.in_place = ta != tb;
                o.optional = o.optional || size_of(k.ab) < 4;
                run(o);
            }
}

static void orders()
{
    for (const kind &k : kinds)
        for (int bits = 1; bits < 16; bits++) {
            if (bits % 3 == 0 && bits != 15)
                continue;
            job o = of(k);
            o.m = 24, o.n = 40, o.k = 32;
            o.oa = bits & 1 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
            o.ob = bits & 2 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
            o.oc = bits & 4 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
            o.od = bits & 8 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
            o.ta = bits % 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
            o.tb = k.complex ? CUBLAS_OP_C : CUBLAS_OP_N;
            o.optional = o.optional || o.oc != o.od || bits != 15;
            run(o);
        }
    // orders of tiles, which GPUs have for int8
    job o("int8 in tiles", CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I);
    o.optional = true;
    o.m = 64, o.n = 96, o.k = 64;
    o.tb = CUBLAS_OP_T;
    o.oa = o.oc = o.od = CUBLASLT_ORDER_COL32;
    for (cublasLtOrder_t order : {CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4, CUBLASLT_ORDER_COL32}) {
        o.ob = order;
        run(o);
    }
    o.scale = CUDA_R_32F;
    o.c = o.d = CUDA_R_8I;
    o.alpha = 0.125, o.beta = 1;
    o.ob = CUBLASLT_ORDER_COL4_4R2_8C;
    run(o);
    job f("f32 in tiles", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    f.optional = true;
    f.m = 45, f.n = 33, f.k = 300, f.count = 2;
    f.oa = CUBLASLT_ORDER_COL32_2R_4R4, f.ob = CUBLASLT_ORDER_COL4_4R2_8C, f.oc = CUBLASLT_ORDER_COL32;
    f.beta = 2;
    run(f);
}

static void modes()
{
    static const cublasLtPointerMode_t all[] = {CUBLASLT_POINTER_MODE_DEVICE, CUBLASLT_POINTER_MODE_DEVICE_VECTOR,
                                                CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO,
                                                CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST};
    for (const kind &k : kinds)
        for (cublasLtPointerMode_t mode : all) {
            job o = of(k);
            o.mode = mode;
            o.count = 2;
            o.optional = o.optional || mode != CUBLASLT_POINTER_MODE_DEVICE;
            run(o);
        }
}

// More tiles than one, k beyond what is packed at once, and none at all.
static void sizes()
{
    for (const kind &k : kinds) {
        job o = of(k);
        o.m = 200, o.n = 104, o.k = 528;
        if (k.cd == CUDA_R_8I)
            o.alpha = 0.01;
        run(o);
    }
    job o = of(kinds[0]);
    o.m = 1000, o.n = 900, o.k = 24;
    o.beta = 0;
    run(o);
    o.m = 8, o.n = 8, o.k = 8, o.count = 300;
    run(o);
    o.m = 1, o.n = 1, o.k = 1, o.count = 1;
    run(o);
}

// The addresses of matrices in an array.
static void pointers()
{
    const int n = 5, size = 16;
    matrix a(CUDA_R_32F, size, size, n), b(CUDA_R_32F, size, size, n), c(CUDA_R_32F, size, size, n);
    memory list(3 * n * sizeof(void *));
    matrix *all[3] = {&a, &b, &c};
    uint32_t mode = CUBLASLT_BATCH_MODE_POINTER_ARRAY;
    for (int q = 0; q < 3; q++) {
        for (int i = 0; i < n; i++) // the other way round
            put_as<void *>(list.host.data(), (size_t)(q * n + i), all[q]->data.dev + (n - 1 - i) * all[q]->stride * 4);
        OK(cublasLtMatrixLayoutSetAttribute(all[q]->layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode));
    }
    list.push();
    cublasLtMatmulDesc_t d;
    float one = 1, zero = 0;
    void **dev = (void **)list.dev;
    OK(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    cublasStatus_t s = cublasLtMatmul(handle, d, &one, dev, a.layout, dev + n, b.layout, &zero, dev + 2 * n, c.layout,
                                      dev + 2 * n, c.layout, nullptr, nullptr, 0, nullptr);
    CHECK(s == CUBLAS_STATUS_SUCCESS || (!is_heddle() && is_refusal(s)));
    std::vector<X> want;
    for (int q = 0; q < n; q++)
        for (int j = 0; j < size; j++)
            for (int i = 0; i < size; i++) {
                X sum = 0;
                for (int k = 0; k < size; k++)
                    sum += a.get_at(q, i, k) * b.get_at(q, k, j);
                want.push_back(sum);
            }
    if (!s)
        CHECK(agrees(c, want, std::vector<double>(want.size(), 1e-4), "pointers"));
    OK(cublasLtMatmulDescDestroy(d));
}

// What has no factor is not read: NaN does not come through, and no address is needed.
static void not_read()
{
    job o = of(kinds[0]);
    o.beta = 0;
    product p(o);
    memset(p.C.data.host.data(), 0xff, p.C.data.host.size());
    p.C.data.push();
    OK(p.call());
    CUDA(cudaDeviceSynchronize());
    p.compare();
    float zero = 0, two = 2;
    memset(p.A.data.host.data(), 0xff, p.A.data.host.size());
    p.A.data.push();
    p.C.data.host.assign(p.C.data.host.size(), 0);
    p.C.data.push();
    OK(cublasLtMatmul(handle, p.desc, &zero, p.A.data.dev, p.A.layout, p.B.data.dev, p.B.layout, &two, p.C.data.dev,
                      p.C.layout, p.D.data.dev, p.D.layout, nullptr, nullptr, 0, nullptr));
    std::vector<X> want((size_t)(o.m * o.n));
    HEDDLE_ONLY(CHECK(agrees(p.D, want, std::vector<double>(want.size()), "alpha 0")));
}

int main()
{
    OK(cublasLtCreate(&handle));
    transposes();
    orders();
    modes();
    sizes();
    pointers();
    not_read();
    OK(cublasLtDestroy(handle));
    return summary();
}
