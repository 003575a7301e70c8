/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/quality.h"

#include "hal-posix/clock.h"

#include <stdio.h>

void board_quality_init(struct board *b, uint64_t uid, mf_us_t now_us)
{
    const struct mf_quality_memory memory = {b->memory.quality, BOARD_LINKS, b->pools->chunks,
                                             BOARD_QUALITY_CHUNKS};
    mf_quality_init(&b->quality, &memory, (uint64_t)b->config.seed, uid, now_us);
}

bool board_quality_open(struct mf_quality *s, const struct mf_config *config, uint16_t index,
                        uint16_t port, struct mf_serial *serial)
{
    const struct mf_link_quality *quality = mf_config_quality(config, &config->link[port]);
    if (!quality->shaped) {
        return true;
    }
    mf_quality_run(s, mf_monotonic_us()); /* the loop may have slept for long */
    if (!mf_quality_admit(s, quality, serial)) {
        return false;
    }
    *serial = mf_quality_open(s, index, quality, port, serial);
    return true;
}

void board_quality_set(struct mf_quality *s, struct mf_config *config, uint16_t port,
                       const struct mf_link_quality *quality)
{
    struct mf_config_link *link = &config->link[port];
    mf_quality_run(s, mf_monotonic_us());
    link->has_quality = true;
    link->quality = *quality;
    link->quality.since_us = s->now_us - s->start_us;
}

void board_quality_change(struct mf_quality *s, const struct mf_config *config, uint16_t index,
                          uint16_t port, struct mf_serial *serial)
{
    const struct mf_link_quality *quality = mf_config_quality(config, &config->link[port]);
    if (mf_quality_exists(s, index)) {
        mf_quality_change(s, index, quality);
    } else if (quality->shaped) {
        *serial = mf_quality_open(s, index, quality, port, serial);
    }
}

void board_quality_close(struct mf_quality *s, uint16_t index, const char *name,
                         void (*note)(void *ctx, enum mf_severity severity, const char *text),
                         void *ctx)
{
    char text[512];
    if (!mf_quality_exists(s, index)) {
        return;
    }
    const int n = snprintf(text, sizeof text, "%s quality: ", name);
    MF_ASSERT(n > 0 && n < (int)sizeof text);
    mf_link_counts_text(&s->links[index], text + n, sizeof text - (size_t)n);
    note(ctx, MF_INFO, text);
    mf_quality_close(s, index);
}

mf_us_t board_quality_run(struct mf_quality *s, struct mf_net *net)
{
    for (int cut = mf_quality_cut(s); cut >= 0; cut = mf_quality_cut(s)) {
        mf_net_drop(net, (uint16_t)cut, "disconnected, as link_quality says");
    }
    return mf_quality_due(s);
}
