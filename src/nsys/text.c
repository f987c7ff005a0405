// SPDX-License-Identifier: Apache-2.0
// JSON.
#include "nsys/nsys.h"

void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < 0x20)
            fprintf(out, "\\u%04x", *p);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

void json_value(FILE *out, struct statement *s, int column)
{
    switch (statement_kind(s, column)) {
    case VALUE_INTEGER:
        fprintf(out, "%lld", (long long)statement_integer(s, column));
        break;
    case VALUE_REAL:
        fprintf(out, "%.15g", statement_real(s, column));
        break;
    case VALUE_NULL:
        fputs("null", out);
        break;
    default:
        json_text(out, statement_text(s, column));
    }
}
