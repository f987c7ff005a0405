// libcudadevrt.a: on every link line of programs with relocatable device code, and empty here.
extern const int heddle_cudadevrt_is_empty;
