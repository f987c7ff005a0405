// SPDX-License-Identifier: Apache-2.0
// OpenMP in host code: every kind of loop, reductions, single, ordered, sections and tasks, beside a kernel.
// nvcc: -Xcompiler -fopenmp
#include "check.h"
#include <omp.h>
#include <set>
#include <thread>

__global__ void square(int *p)
{
    p[threadIdx.x] *= p[threadIdx.x];
}

static int fibonacci(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static long loops()
{
    long t = 0, u = 0; // u under the lock: others may still add to t
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3) nowait
        for (long i = 5; i < 1005; i += 5) {
#pragma omp atomic
            t += i;
        }
#pragma omp for schedule(guided)
        for (unsigned i = 0; i < 777; i++) {
#pragma omp critical
            u += i;
        }
#pragma omp for schedule(static, 7)
        for (int i = 100; i > 0; i--) {
#pragma omp atomic
            t += i;
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            t += i;
        }
    }
    return t + u;
}

// Loops in regions in loops: with a team, with one thread, and with none.
static long nested(int outer, int inner)
{
    long t = 0;
#pragma omp parallel for schedule(dynamic) num_threads(outer)
    for (int i = 0; i < 10; i++) {
#pragma omp parallel for schedule(dynamic) if (inner)
        for (int j = 0; j < 30; j++) {
#pragma omp parallel for schedule(guided) if (!inner)
            for (int k = 0; k < 5; k++) {
#pragma omp atomic
                t += i * 150 + j * 5 + k;
            }
        }
    }
    return t;
}

// Teams of several threads of the program at once.
static void teams(int value, int *wrong)
{
    for (int i = 0; i < 200; i++) {
#pragma omp parallel num_threads(3)
        {
            int copied = 0;
#pragma omp single copyprivate(copied)
            copied = value + i;
            if (copied != value + i) {
#pragma omp atomic
                ++*wrong;
            }
        }
    }
}

static void regions()
{
    int singles = 0, masters = 0, last = -1, order[50], n = 0, wrong = 0, first = 5;
#pragma omp parallel num_threads(3) firstprivate(first)
    {
        int copied = 0;
        first += omp_get_thread_num();
#pragma omp single
        singles++;
#pragma omp master
        masters++;
#pragma omp barrier
#pragma omp for lastprivate(last)
        for (int i = 0; i < 20; i++)
            last = i;
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 50; i++) {
#pragma omp ordered
            order[n++] = i;
        }
#pragma omp single copyprivate(copied)
        copied = 42;
#pragma omp critical
        wrong += copied != 42 || first != 5 + omp_get_thread_num();
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                singles += 10;
            }
#pragma omp section
            {
#pragma omp atomic
                singles += 100;
            }
        }
    }
    for (int i = 0; i < 50; i++)
        wrong += order[i] != i;
    EXPECT(wrong == 0);
    EXPECT(singles == 111);
    EXPECT(masters == 1);
    EXPECT(last == 19);
}

int main()
{
    long sum = 0, tasks = 0;
    float most = -1;
    int f = 0, team = 0;
    std::set<int> who;
    omp_set_num_threads(4);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    EXPECT(sum == 499500);
#pragma omp parallel for reduction(max : most) collapse(2)
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 40; j++)
            most = i * 40 + j > most ? i * 40 + j : most;
    EXPECT(most == 1199);
    for (int i = 0; i < 20; i++) // more loops than there are slots for
        EXPECT(loops() == 100500 + 776 * 777 / 2 + 5050 + 45);
    regions();
    for (int outer = 1; outer < 4; outer += 2)
        for (int inner = 0; inner < 2; inner++)
            EXPECT(nested(outer, inner) == 1500 * 1499 / 2);
    int wrong[2] = {0, 0};
    std::thread other(teams, 1000, &wrong[0]);
    teams(2000, &wrong[1]);
    other.join();
    EXPECT(wrong[0] == 0 && wrong[1] == 0);
#pragma omp parallel
#pragma omp single
    f = fibonacci(12);
    EXPECT(f == 144);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        tasks += i;
    }
    EXPECT(tasks == 4950);
#pragma omp parallel
    {
#pragma omp critical
        who.insert(omp_get_thread_num());
    }
    EXPECT(who.size() == 4);
#pragma omp parallel if (0)
    team = omp_get_num_threads();
    EXPECT(team == 1);

    int *p;
    OK(cudaMallocManaged(&p, 64 * sizeof(int)));
#pragma omp parallel for
    for (int i = 0; i < 64; i++)
        p[i] = i;
    square<<<1, 64>>>(p);
    LAUNCHED();
    for (int i = 0; i < 64; i++)
        EXPECT(p[i] == i * i);
    OK(cudaFree(p));
    return DONE();
}
