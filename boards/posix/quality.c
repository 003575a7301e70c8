/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/quality.h"

#include <stdio.h>

void board_quality_set(struct board_drone *d, uint16_t port, const struct mf_link_quality *quality)
{
    struct mf_config_link *link = &d->board->config.link[port];
    mf_drone_run(d->object, mf_monotonic_us()); /* the loop may have slept for long */
    link->has_quality = true;
    link->quality = *quality;
    link->quality.since_us = d->wiring.now_us - d->wiring.has.start_us;
    const int result = mf_drone_set_quality(d->object, port, &link->quality);
    MF_ASSERT(result == MF_E_OK);
}

void board_quality_log(struct board_drone *d, uint16_t index)
{
    const struct mf_quality_link *quality = mf_drone_quality(d->object, index);
    char text[512];
    if (quality == NULL) {
        return;
    }
    const int n = snprintf(text, sizeof text, "%s quality: ", d->board->peer[index].name);
    MF_ASSERT(n > 0 && n < (int)sizeof text);
    mf_link_counts_text(quality, text + n, sizeof text - (size_t)n);
    board_drone_log(d, MF_INFO, "net", text);
}

void board_quality_run(struct board_drone *d)
{
    for (int cut = mf_drone_cut(d->object); cut >= 0; cut = mf_drone_cut(d->object)) {
        mf_net_drop(&d->board->net, (uint16_t)cut, "disconnected, as link_quality says");
    }
}
