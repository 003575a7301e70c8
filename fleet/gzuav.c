/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of gzuav's protocol. Called by boards/swarm/gzuav. */
#include "fleet/gzuav.h"

#include "fleet/bytes.h"

void mf_gzuav_time(uint8_t *out, double time_s)
{
    (void)mf_bytes_put_f64(out, time_s);
}

void mf_gzuav_count(uint8_t *out, uint32_t vehicles)
{
    (void)mf_bytes_put_u(out, vehicles, MF_GZUAV_COUNT);
}

void mf_gzuav_place(uint8_t *out, uint32_t id, const double *enu_m)
{
    out = mf_bytes_put_u(out, id, MF_GZUAV_ID);
    for (size_t k = 0; k < 3; k++) {
        out = mf_bytes_put_f64(out, enu_m[k]);
    }
}

uint32_t mf_gzuav_id(const uint8_t *in)
{
    return mf_bytes_u32(in);
}

void mf_gzuav_packet(uint8_t *out, uint32_t size, uint32_t sender)
{
    (void)mf_bytes_put_u(mf_bytes_put_u(out, MF_GZUAV_ID + size, 4), sender, 4);
}

uint32_t mf_gzuav_header(const uint8_t *in, int32_t *to)
{
    const uint32_t bits = mf_bytes_u32(in + 4);
    memcpy(to, &bits, sizeof bits);
    return mf_bytes_u32(in) - MF_GZUAV_ID;
}
