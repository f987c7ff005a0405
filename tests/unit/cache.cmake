heddle_unit_test(cache cache.c LIBS heddle_jitcore)
