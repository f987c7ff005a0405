// SPDX-License-Identifier: Apache-2.0
// MPI and NCCL: processes that each have a device. The id of the communicator goes round by MPI; then each rank multiplies its part of a matrix with a
// vector whose parts go round the ring, so that nobody ever holds all of it.
// Options: -lnccl -lmpi
// Run: mpirun -n 3
#include "../check.h"
#include <cmath>
#if __has_include(<mpi.h>)
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#include <nccl.h>
#include <utility>
#include <vector>

constexpr int PART = 96; // rows, and numbers of the vector, for each rank

__host__ __device__ float entry(int row, int column)
{
    return (float)((row * 7 + column * 3) % 11) - 5;
}
__host__ __device__ float number(int i)
{
    return (float)(i % 9) - 4;
}
__global__ void fill(float *x, int first)
{
    x[threadIdx.x] = number(first + threadIdx.x);
}
// y += the columns from `column` on, times x
__global__ void multiply(float *y, const float *x, int row, int column)
{
    float sum = 0;
    for (int k = 0; k < PART; k++)
        sum += entry(row + threadIdx.x, column + k) * x[k];
    y[threadIdx.x] += sum;
}

int main(int argc, char **argv)
{
    int rank, ranks, devices;
    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(rank % devices));
    ncclUniqueId id;
    ncclComm_t comm;
    if (!rank)
        CHECK(ncclGetUniqueId(&id));
    CHECK(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
    CHECK(ncclCommInitRank(&comm, ranks, id, rank));

    float *x, *next, *y;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    for (float **p : {&x, &next, &y})
        CHECK(cudaMalloc(p, PART * sizeof(float)));
    CHECK(cudaMemsetAsync(y, 0, PART * sizeof *y, s));
    fill<<<1, PART, 0, s>>>(x, rank * PART);
    for (int step = 0; step < ranks; step++) {
        int whose = (rank + step) % ranks;
        multiply<<<1, PART, 0, s>>>(y, x, rank * PART, whose * PART);
        CHECK(ncclGroupStart());
        CHECK(ncclSend(x, PART, ncclFloat, (rank + ranks - 1) % ranks, comm, s));
        CHECK(ncclRecv(next, PART, ncclFloat, (rank + 1) % ranks, comm, s));
        CHECK(ncclGroupEnd());
        std::swap(x, next);
    }
    std::vector<float> mine(PART), all(PART * ranks);
    CHECK(cudaMemcpyAsync(mine.data(), y, PART * sizeof(float), cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(MPI_Gather(mine.data(), PART, MPI_FLOAT, all.data(), PART, MPI_FLOAT, 0, MPI_COMM_WORLD));
    int wrong = 0;
    for (int i = 0; i < PART * ranks && !rank; i++) {
        float want = 0;
        for (int k = 0; k < PART * ranks; k++)
            want += entry(i, k) * number(k);
        wrong += all[i] != want; // integers: no rounding
    }
    CHECK(MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(ncclCommDestroy(comm));
    CHECK(MPI_Finalize());
    if (!rank)
        printf("%d ranks, %d rows, %d wrong\n%s\n", ranks, PART * ranks, wrong, wrong ? "WRONG" : "verified");
    return wrong != 0;
}
#else
int main()
{
    puts("skipped: there is no MPI");
    return 77;
}
#endif
