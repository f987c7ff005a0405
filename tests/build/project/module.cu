extern "C" __global__ void answer(int *out)
{
    *out = 42;
}
