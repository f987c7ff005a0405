// SPDX-License-Identifier: Apache-2.0
// Every epilogue in every type that has one, alone and in batches: D, the mask or matrix beside it, and gradients.
#include "product_test.h"

static const struct {
    const char *name;
    uint32_t value;
} epilogues[] = {
    {"DEFAULT", CUBLASLT_EPILOGUE_DEFAULT},     {"RELU", CUBLASLT_EPILOGUE_RELU},
    {"RELU_AUX", CUBLASLT_EPILOGUE_RELU_AUX},   {"BIAS", CUBLASLT_EPILOGUE_BIAS},
    {"RELU_BIAS", CUBLASLT_EPILOGUE_RELU_BIAS}, {"RELU_AUX_BIAS", CUBLASLT_EPILOGUE_RELU_AUX_BIAS},
    {"DRELU", CUBLASLT_EPILOGUE_DRELU},         {"DRELU_BGRAD", CUBLASLT_EPILOGUE_DRELU_BGRAD},
    {"GELU", CUBLASLT_EPILOGUE_GELU},           {"GELU_AUX", CUBLASLT_EPILOGUE_GELU_AUX},
    {"GELU_BIAS", CUBLASLT_EPILOGUE_GELU_BIAS}, {"GELU_AUX_BIAS", CUBLASLT_EPILOGUE_GELU_AUX_BIAS},
    {"DGELU", CUBLASLT_EPILOGUE_DGELU},         {"DGELU_BGRAD", CUBLASLT_EPILOGUE_DGELU_BGRAD},
    {"BGRADA", CUBLASLT_EPILOGUE_BGRADA},       {"BGRADB", CUBLASLT_EPILOGUE_BGRADB},
};

static void in_type(const char *type, cublasComputeType_t compute, cudaDataType scale, cudaDataType ab, cudaDataType cd,
                    bool optional)
{
    for (auto &e : epilogues) {
        std::string name = std::string(type) + " " + e.name;
        job o(name.c_str(), compute, scale, ab, cd);
        o.optional = optional || e.value & (8 | 16 | 64 | 256 | 512); // gradients
        o.epilogue = e.value;
        o.alpha = 0.25;
        o.m = 136, o.n = 48, o.k = 16;
        run(o);
        // batches, rows that no byte of a mask is filled by, C
        o.m = 52, o.n = 24, o.k = 24;
        o.count = 3;
        o.beta = 0.5;
        o.ta = CUBLAS_OP_T;
        o.tb = CUBLAS_OP_T;
        o.optional = true;
        run(o);
    }
}

// D by rows: a bias is added to its rows all the same. What lies beside D is by columns, so that it is refused.
static void by_rows()
{
    job o("bias by rows", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    o.optional = true;
    o.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
    o.oa = o.ob = o.oc = o.od = CUBLASLT_ORDER_ROW;
    run(o);
    o.epilogue = CUBLASLT_EPILOGUE_RELU_AUX;
    product p(o);
    HEDDLE_ONLY(WANT(p.call(), CUBLAS_STATUS_NOT_SUPPORTED));
}

// Types of the bias and of what is kept that are not D's; many tiles; a strip of several tiles for a gradient.
static void others()
{
    job o("f16, bias in f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F);
    o.optional = true;
    o.epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    o.bias = CUDA_R_32F;
    run(o);
    o.bias = (cudaDataType)-1;
    o.name = "f16, aux in f32";
    o.aux = CUDA_R_32F;
    run(o);
    job t("f32, many tiles", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    t.m = 520, t.n = 1600, t.k = 8;
    t.alpha = 0.125;
    for (uint32_t e : {CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_DGELU_BGRAD}) {
        t.epilogue = e;
        t.optional = e != CUBLASLT_EPILOGUE_RELU_AUX_BIAS;
        run(t);
    }
    job i("int8, RELU_BIAS", CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I);
    i.optional = true;
    i.ta = CUBLAS_OP_T;
    i.bias = CUDA_R_32F;
    i.alpha = 0.0625;
    for (uint32_t e : {CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS}) {
        i.epilogue = e;
        run(i);
    }
}

int main()
{
    OK(cublasLtCreate(&handle));
    in_type("f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, false);
    in_type("f16", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, false);
    in_type("bf16", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, false);
    in_type("f16 to f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, true);
    in_type("f64", CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, true);
    by_rows();
    others();
    OK(cublasLtDestroy(handle));
    return summary();
}
