// SPDX-License-Identifier: Apache-2.0
// Prints a number for the bytes of many results, which are to be the same with any number of workers.
#include "../product_test.h"

static void print(const job &o)
{
    product p(o);
    CHECK(p.call() == CUBLAS_STATUS_SUCCESS);
    CUDA(cudaDeviceSynchronize());
    uint64_t hash = 14695981039346656037ull;
    for (const memory *m : {&p.D.data, &p.aux, &p.bias, &p.largest})
        for (char c : m->pull())
            hash = (hash ^ (unsigned char)c) * 1099511628211ull;
    printf("%s %u: %016llx\n", o.name, o.epilogue, (unsigned long long)hash);
}

int main()
{
    OK(cublasLtCreate(&handle));
    job s("f32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F),
        h("f16", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F);
    job f("fp8", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF),
        i("int8", CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I);
    f.d = CUDA_R_8F_E4M3;
    f.amax = true;
    i.bias = CUDA_R_32F;
    for (job *o : {&s, &h, &f, &i}) {
        o->alpha = 0.3, o->beta = 0.7;
        o->m = 333, o->n = 451, o->k = 517;
        print(*o);
        o->epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
        print(*o);
    }
    for (uint32_t e : {CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_RELU_AUX_BIAS}) {
        s.epilogue = h.epilogue = e;
        print(s);
        print(h);
    }
    OK(cublasLtDestroy(handle));
    return summary();
}
