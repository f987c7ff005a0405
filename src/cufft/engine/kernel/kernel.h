// SPDX-License-Identifier: Apache-2.0
// All of a kernel, for the SCALAR and the VECTOR_BYTES of the file that includes this and that is compiled for one kind of
// processor. KERNEL is its name.
#include "cufft/engine/kernel/vector.h"
#include "cufft/engine/kernel/pass.h"
#include "cufft/engine/kernel/panel.h"
#include "cufft/engine/kernel/lanes.h"
#include "cufft/engine/kernel/single.h"
#include "cufft/engine/kernel/move.h"
#include <math.h>
#include "cufft/engine/kernel/table.h"

static void run(const struct fft_phase *ph, char *const buffer[3], bool backward, uint64_t first, uint64_t count,
                void *scratch)
{
    bool swap = ph->ready ? ph->flip : backward != ph->flip;
    if (ph->ready && __atomic_load_n(ph->ready, __ATOMIC_ACQUIRE))
        return;
    for (uint64_t part = first; part < first + count; part++) {
        if (ph->kind == PHASE_LANES)
            lanes_part(ph, buffer, swap, part, scratch);
        else if (ph->kind == PHASE_SINGLE)
            single_part(ph, buffer, swap, part, scratch);
        else
            move_part(ph, buffer, swap, part);
    }
}

const struct fft_kernel KERNEL = {
    .lanes = LANES,
    .scalar = sizeof(scalar),
    .line_init = line_init,
    .roots = table_roots,
    .twist_lanes = table_twist_lanes,
    .run = run,
};
