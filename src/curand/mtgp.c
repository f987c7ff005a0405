// SPDX-License-Identifier: Apache-2.0
// MTGP32 on the host side: parameters and seeds, as curand_mtgp32_host.h makes them for programs.
#include "curand/mtgp.h"
#include <curand_mtgp32dc_p_11213.h>
#include <string.h>

void heddle_mtgp_fill(struct mtgp32_kernel_params *p, struct curandStateMtgp32 *states, unsigned int count,
                      unsigned long long seed, void *device_parameters)
{
    for (int i = 0; i < mtgpdc_params_11213_num; i++) {
        const struct mtgp32_params_fast *row = &mtgp32dc_params_fast_11213[i];
        p->pos_tbl[i] = (unsigned int)row->pos;
        p->sh1_tbl[i] = (unsigned int)row->sh1;
        p->sh2_tbl[i] = (unsigned int)row->sh2;
        memcpy(p->param_tbl[i], row->tbl, sizeof(row->tbl));
        memcpy(p->temper_tbl[i], row->tmp_tbl, sizeof(row->tmp_tbl));
        memcpy(p->single_temper_tbl[i], row->flt_tmp_tbl, sizeof(row->flt_tmp_tbl));
    }
    p->mask[0] = mtgp32dc_params_fast_11213[0].mask;
    for (unsigned int i = 0; i < count; i++) {
        const struct mtgp32_params_fast *row = &mtgp32dc_params_fast_11213[i];
        unsigned int *s = states[i].__s, hidden = row->tbl[4] ^ row->tbl[8] << 16, sum = hidden + (hidden >> 16);
        sum += sum >> 8;
        memset(s, (int)(sum & 0xFF), MTGPDC_N * sizeof(*s));
        s[0] = (unsigned int)(seed ^ seed >> 32) + i + 1;
        s[1] = hidden;
        for (unsigned int k = 1; k < MTGPDC_N; k++)
            s[k] ^= 1812433253u * (s[k - 1] ^ s[k - 1] >> 30) + k;
        states[i].offset = 0;
        states[i].pIdx = (int)i;
        states[i].__k = device_parameters;
    }
}
