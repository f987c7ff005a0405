// See stddef_types.h.
#include "heddle/rtc/stddef_types.h"
