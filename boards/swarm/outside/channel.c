/* SPDX-License-Identifier: Apache-2.0 */
/* Forwards gzuav's packets between Gazebo's plugins and autopilots, tick by tick. gzuav.c calls
 * it. */
#include "boards/swarm/outside/channel.h"

#include "boards/swarm/core/trace.h"
#include "boards/swarm/outside/foreign_internal.h"

#include <string.h>

static bool is_plugin_connected(const struct foreign *f)
{
    return foreign_is_plugins(f) && f->fd[FOREIGN_PLUGIN] >= 0;
}

static void trace_packet(struct swarm *w, const struct foreign *f, const char *who,
                         const void *packet, size_t n)
{
    char text[SWARM_TRACE_BYTES_MAX];
    if (swarm_trace_of(w) != NULL) {
        swarm_trace_bytes(packet, n, text);
        swarm_trace(swarm_trace_of(w), f->at_ns, "%s of %u: %s", who, (unsigned)f->i, text);
    }
}

bool swarm_has_channel(const struct swarm *w)
{
    return swarm_foreigns_of(w) != NULL && swarm_foreigns_of(w)->plugins > 0;
}

/* Disconnect a plugin and its autopilot, which cannot fly without a body. */
static void disconnect_body(struct swarm *w, struct foreign *f, const char *why)
{
    if (f->fd[FOREIGN_PLUGIN] >= 0) {
        foreign_disconnect(w, f, FOREIGN_PLUGIN, why);
    }
    if (f->fd[FOREIGN_AUTOPILOT] >= 0) {
        foreign_disconnect(w, f, FOREIGN_AUTOPILOT, "its plugin has disconnected");
    }
}

/* Read a plugin's BEGIN-TICK-AC into f->coming.
 * @param at_us  time in other packets of this tick; < 0: the packet is the first, and sets it
 * @return NULL, or the fault of the packet */
static const char *read_begin(const struct swarm *w, struct foreign *f, const uint8_t *packet,
                              size_t size, mf_us_t *at_us)
{
    const char *wrong = mf_foreign_ac_begin_read(packet, size, &f->coming);
    if (wrong != NULL) {
        return wrong;
    }
    const mf_us_t its_us = mf_us_of(f->coming.time_s);
    if (its_us <= swarm_foreigns_of(w)->tick_us) {
        return "its time must advance by a microsecond at least";
    }
    if (*at_us >= 0 && its_us != *at_us) {
        return "its time is not that of the other plugins";
    }
    *at_us = its_us;
    memcpy(f->begin, packet, sizeof f->begin);
    return NULL;
}

mf_us_t swarm_channel_wait_tick(struct swarm *w)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    uint8_t packet[MF_FOREIGN_AC_BEGIN + 1u];
    mf_us_t at_us = -1;
    a->serves = true;
    for (uint32_t k = 0; k < a->count; k++) {
        struct foreign *f = &a->all[k];
        size_t got = 0;
        if (!is_plugin_connected(f)) {
            continue;
        }
        if (!foreign_receive(w, f, FOREIGN_PLUGIN, packet, sizeof packet, &got)) {
            return MF_NEVER;
        }
        const char *wrong = got > 0 ? read_begin(w, f, packet, got, &at_us) : NULL;
        if (got == 0 || wrong != NULL) {
            disconnect_body(w, f, wrong);
        }
    }
    a->serves = false;
    a->over = at_us < 0;
    if (a->over) {
        (void)fprintf(stderr,
                      "mayfly-swarm: the last plugin has disconnected at %.6f s, so the run ends\n",
                      (double)(a->tick_us > 0 ? a->tick_us : 0) / 1e6);
        return MF_NEVER;
    }
    a->tick_us = at_us;
    return at_us;
}

double swarm_channel_begin(struct swarm *w)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    double time_s = 0.0;
    for (uint32_t k = 0; k < a->count; k++) {
        struct foreign *f = &a->all[k];
        if (!is_plugin_connected(f)) {
            continue;
        }
        f->state = f->coming;
        f->at_ns = (uint64_t)a->tick_us * 1000u;
        time_s = f->state.time_s;
        a->steps++;
        trace_packet(w, f, "plugin", f->begin, sizeof f->begin);
        foreign_send(w, f, FOREIGN_AUTOPILOT, f->begin, sizeof f->begin);
    }
    return time_s;
}

bool swarm_channel_end(struct swarm *w)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    bool all = true;
    foreign_door_look(w);
    a->serves = true;
    for (uint32_t k = 0; k < a->count && all; k++) {
        struct foreign *f = &a->all[k];
        uint8_t packet[MF_FOREIGN_AC_END];
        float motors[MF_FOREIGN_AC_MOTORS];
        if (!is_plugin_connected(f)) {
            continue;
        }
        all = foreign_receive_motors(w, f, packet, motors);
        if (!all) {
            break;
        }
        f->powered = false;
        for (size_t n = 0; n < MF_FOREIGN_AC_MOTORS; n++) {
            f->powered |= motors[n] > 0.0f;
        }
        trace_packet(w, f, "autopilot", packet, sizeof packet);
        foreign_send(w, f, FOREIGN_PLUGIN, packet, sizeof packet);
        foreign_report_events(w, f);
    }
    a->serves = false;
    return all;
}

bool swarm_channel_get_place(const struct swarm *w, uint32_t i, double *enu_m)
{
    if (mf_scenario_entity_of(w->scenario, i)->autopilot.plugin[0] == '\0') {
        return false;
    }
    const struct mf_vec3 pos_m = foreign_of(w, i)->state.pos_m;
    enu_m[0] = pos_m.y;
    enu_m[1] = pos_m.x;
    enu_m[2] = -pos_m.z;
    return true;
}

bool swarm_channel_is_over(const struct swarm *w)
{
    return swarm_foreigns_of(w) != NULL && swarm_foreigns_of(w)->over;
}
