// SPDX-License-Identifier: Apache-2.0
// Prototypes of the bodies: a row's call names its body, which has the row's parameters.
#ifndef HEDDLE_CUPTI_BODY_H
#define HEDDLE_CUPTI_BODY_H
#include "cupti/inner.h"
#define ROW(result, name, params, args, body, status) BODY_##status(result, body, params)
#define BODY_NONE(result, body, params)
#define BODY_FULL(result, body, params) result body params;
#include "cupti/api.def"
#undef ROW
#undef BODY_NONE
#undef BODY_FULL
#endif
