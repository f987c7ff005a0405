// Names and properties of the enumerators, from the tables.
#include "ptx/ptx.h"

struct type_row {
    const char *text;
    uint8_t bytes, class;
};
static const struct type_row types[PTX_TYPE_COUNT] = {
    {"none", 0, PTX_CLASS_NONE},
#define TYPE(name, text, bytes, class) {text, bytes, PTX_CLASS_##class},
#include "ptx/type.def"
#undef TYPE
};

static const char *const sregs[PTX_SREG_COUNT] = {
    "none",
#define SREG(name, text, type, vec) text,
#include "ptx/sreg.def"
#undef SREG
};

const char *ptx_type_name(enum ptx_type t)
{
    return types[t].text;
}

unsigned ptx_type_bytes(enum ptx_type t)
{
    return types[t].bytes;
}

enum ptx_type_class ptx_type_class(enum ptx_type t)
{
    return types[t].class;
}

const char *ptx_sreg_name(enum ptx_sreg s)
{
    return sregs[s];
}
