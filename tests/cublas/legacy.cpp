// SPDX-License-Identifier: Apache-2.0
// cublas.h of before CUDA 4: a program as its first manual has it, one function of each kind, and errors.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas.h>

static int passed, failed;
#define CHECK(c)                                                                                                       \
    do {                                                                                                               \
        if (c) {                                                                                                       \
            passed++;                                                                                                  \
        } else {                                                                                                       \
            failed++;                                                                                                  \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #c);                                                             \
        }                                                                                                              \
    } while (0)
#define OK(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

enum { M = 6, N = 5 };
#define AT(i, j, ld) ((j) * (ld) + (i))

// The example of the manual: a row and a column are scaled.
static void modify(float *m, int ld, int n, int p, int q, float alpha, float beta)
{
    cublasSscal(n - p, alpha, &m[AT(p, q, ld)], ld);
    cublasSscal(ld - p, beta, &m[AT(p, q, ld)], 1);
}

int main()
{
    float *a = (float *)malloc(M * N * sizeof(*a)), *dev = nullptr;
    // before cublasInit too
    OK(cublasAlloc(4, 4, (void **)&dev));
    cublasSscal(4, 2.0f, dev, 1);
    OK(cublasGetError());
    OK(cublasFree(dev));
    OK(cublasInit());
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            a[AT(i, j, M)] = (float)(i * N + j + 1);
    OK(cublasAlloc(M * N, sizeof(*a), (void **)&dev));
    OK(cublasSetMatrix(M, N, sizeof(*a), a, M, dev, M));
    modify(dev, M, N, 1, 2, 16.0f, 12.0f);
    OK(cublasGetMatrix(M, N, sizeof(*a), dev, M, a, M));
    CHECK(a[AT(1, 2, M)] == 8.0f * 16 * 12 && a[AT(2, 2, M)] == 13.0f * 12 && a[AT(1, 3, M)] == 9.0f * 16 &&
          a[AT(0, 0, M)] == 1);
    // results are returned
    float ones[4] = {1, 2, -3, 4};
    OK(cublasSetVector(4, sizeof(float), ones, 1, dev, 1));
    CHECK(cublasSasum(4, dev, 1) == 10);
    CHECK(cublasSdot(4, dev, 1, dev, 1) == 30);
    CHECK(std::fabs(cublasSnrm2(4, dev, 1) - std::sqrt(30.0f)) < 1e-5f);
    CHECK(cublasIsamax(4, dev, 1) == 4 && cublasIsamin(4, dev, 1) == 1);
    cuComplex z[2] = {{1, 2}, {3, -1}}, *zd;
    OK(cublasAlloc(2, sizeof(cuComplex), (void **)&zd));
    OK(cublasSetVector(2, sizeof(cuComplex), z, 1, zd, 1));
    cuComplex u = cublasCdotu(2, zd, 1, zd, 1), c = cublasCdotc(2, zd, 1, zd, 1);
    CHECK(u.x == 5 && u.y == -2 && c.x == 15 && c.y == 0);
    // level 2 and 3 with letters
    float two[4] = {2, 0, 1, 4}, x[2] = {1, 1}; // columns (2, 0), (1, 4)
    float *d2, *dx;
    OK(cublasAlloc(4, sizeof(float), (void **)&d2));
    OK(cublasAlloc(2, sizeof(float), (void **)&dx));
    OK(cublasSetMatrix(2, 2, sizeof(float), two, 2, d2, 2));
    OK(cublasSetVector(2, sizeof(float), x, 1, dx, 1));
    cublasStrmv('U', 'N', 'N', 2, d2, 2, dx, 1);
    OK(cublasGetVector(2, sizeof(float), dx, 1, x, 1));
    CHECK(x[0] == 3 && x[1] == 4);
    cublasStrsv('u', 'n', 'n', 2, d2, 2, dx, 1);
    OK(cublasGetVector(2, sizeof(float), dx, 1, x, 1));
    CHECK(x[0] == 1 && x[1] == 1);
    cublasSgemm('n', 't', 2, 2, 2, 1.0f, d2, 2, d2, 2, 0.0f, dev, 2);
    OK(cublasGetError());
    OK(cublasGetMatrix(2, 2, sizeof(float), dev, 2, a, 2));
    CHECK(a[0] == 5 && a[1] == 4 && a[2] == 4 && a[3] == 16);
    float sa = 3, sb = 4, sc, ss;
    cublasSrotg(&sa, &sb, &sc, &ss);
    CHECK(std::fabs(sa - 5) < 1e-6f && std::fabs(sc - 0.6f) < 1e-6f && std::fabs(ss - 0.8f) < 1e-6f);
    // errors are kept until they are asked for
    cublasSgemm('x', 't', 2, 2, 2, 1.0f, d2, 2, d2, 2, 0.0f, dev, 2);
    CHECK(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasGetError());
    CHECK(cublasAlloc(-1, 4, (void **)&dev) == CUBLAS_STATUS_INVALID_VALUE);
    cublasGetError();
    int version = 0;
    OK(cublasGetVersion(&version));
    CHECK(version > 0);
    OK(cublasFree(d2));
    OK(cublasFree(zd));
    OK(cublasShutdown());
    free(a);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
