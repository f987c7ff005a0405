// SPDX-License-Identifier: Apache-2.0
// printf in kernels: formats, strings, no loss, order within a thread.
#include "check.h"
#include <string>
#include <unistd.h>

__global__ void hello(int base)
{
    printf("thread %d of block %d: %s %5.2f %c %lld %x\n", threadIdx.x, blockIdx.x, "text", base * 0.5,
           'a' + threadIdx.x, 1ll << 40, 255u);
    if (threadIdx.x == 3)
        printf("only me %u %%\n", 7u);
}

int main()
{
    int saved = dup(1), ends[2];
    EXPECT(pipe(ends) == 0);
    std::fflush(stdout);
    dup2(ends[1], 1);
    hello<<<2, 4>>>(3);
    OK(cudaDeviceSynchronize());
    std::fflush(stdout);
    dup2(saved, 1);
    close(ends[1]);
    std::string got;
    char buf[4096];
    for (ssize_t n; (n = read(ends[0], buf, sizeof buf)) > 0;)
        got.append(buf, n);
    for (int b = 0; b < 2; b++)
        for (int t = 0; t < 4; t++) {
            char line[128];
            std::snprintf(line, sizeof line, "thread %d of block %d: text  1.50 %c 1099511627776 ff\n", t, b, 'a' + t);
            EXPECT(got.find(line) != std::string::npos);
        }
    size_t first = got.find("only me 7 %\n");
    EXPECT(first != std::string::npos && got.find("only me 7 %\n", first + 1) != std::string::npos);
    int lines = 0;
    for (char c : got)
        lines += c == '\n';
    EXPECT(lines == 10);
    return DONE();
}
