// See stddef_types.h.
#include "heddle/rtc/cmath"
