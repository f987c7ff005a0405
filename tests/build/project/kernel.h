int scale_on_device(float *values, float factor, int n);
