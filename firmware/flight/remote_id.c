/* SPDX-License-Identifier: Apache-2.0 */
/* Remote identification: card, place of take-off, and the operator's data from a ground station. */
#include "firmware/flight/remote_id.h"

#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/link/route.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#include <float.h>
#include <string.h>

#define SERIAL_CHARACTERS 8u

struct mf_remote_id_card mf_remote_id_default(uint64_t uid)
{
    static const char k_maker[] = "MAYF8"; /* and how many characters come */
    static const char k_digit[] = "0123456789ABCDEF";
    struct mf_remote_id_card card = {
        .id_type = MAV_ODID_ID_TYPE_SERIAL_NUMBER,
        .ua_type = MAV_ODID_UA_TYPE_HELICOPTER_OR_MULTIROTOR,
    };
    const size_t n = sizeof k_maker - 1;
    for (size_t i = 0; i < n; i++) {
        card.uas_id[i] = (uint8_t)k_maker[i];
    }
    /* The lower half tells drones of a swarm apart; CTA-2063-A permits 15 characters, of which 0 to
     * 9 and A to F are used. */
    for (size_t i = 0; i < SERIAL_CHARACTERS; i++) {
        card.uas_id[n + i] = (uint8_t)k_digit[uid >> 4 * (SERIAL_CHARACTERS - 1 - i) & 0xFu];
    }
    return card;
}

struct mf_remote_id_card mf_remote_id_card(const struct mf_remote_id *r, uint64_t uid)
{
    return r->card != NULL ? *r->card : mf_remote_id_default(uid);
}

void mf_remote_id_take_off(struct mf_remote_id *r, const struct mf_estimate *e)
{
    MF_ASSERT(e->t_us >= 0);
    /* ASTM F3411: an operator's location of type 0 is that of the take-off. */
    r->takeoff_known = e->position;
    if (e->position) {
        r->takeoff_lat_e7 = mf_e7(e->pose.lat_deg);
        r->takeoff_lon_e7 = mf_e7(e->pose.lon_deg);
        r->takeoff_alt_ellipsoid_mm = mf_estimate_ellipsoid_mm(e, e->pose.alt_amsl_m);
    }
}

static bool finite(float x)
{
    return x >= -FLT_MAX && x <= FLT_MAX;
}

static bool anybody(const uint8_t id[MF_REMOTE_ID_BYTES])
{
    unsigned bits = 0;
    for (size_t i = 0; i < MF_REMOTE_ID_BYTES; i++) {
        bits |= id[i];
    }
    return bits != 0;
}

/* True if a message is about this vehicle's operator. Other vehicles on the link send such messages
 * about themselves to all, and receivers forward those of other aircraft, each with an id. */
static bool is_of_us(struct mf_vehicle *v, struct mf_peer from, uint8_t system, uint8_t component,
                     const uint8_t id_or_mac[MF_REMOTE_ID_BYTES])
{
    MF_ASSERT(from.link != NULL && from.link->open);
    /* A ground station leaves id_or_mac empty: it speaks of the vehicle it talks to. */
    if (!mf_is_for_us(v, system, component) || from.compid == MAV_COMP_ID_AUTOPILOT1 ||
        anybody(id_or_mac)) {
        from.link->stats.rx_foreign++;
        return false;
    }
    return true;
}

int mf_remote_id_set_operator(struct mf_remote_id *r, const struct mf_msg_open_drone_id_system *m)
{
    if (m->operator_latitude < -900000000 || m->operator_latitude > 900000000 ||
        m->operator_longitude < -1800000000 || m->operator_longitude > 1800000000 ||
        !finite(m->operator_altitude_geo) || !finite(m->area_ceiling) || !finite(m->area_floor)) {
        /* All or nothing: half of an operator would be a wrong one. */
        return MF_E_RANGE;
    }
    /* Not its timestamp: SYSTEM carries the time at which it is sent. */
    r->said = (struct mf_remote_operator){
        .lat_e7 = m->operator_latitude,
        .lon_e7 = m->operator_longitude,
        .alt_ellipsoid_m = m->operator_altitude_geo,
        .area_ceiling_m = m->area_ceiling,
        .area_floor_m = m->area_floor,
        .area_count = m->area_count,
        .area_radius = m->area_radius,
        .location_type = m->operator_location_type,
        .classification_type = m->classification_type,
        .category_eu = m->category_eu,
        .class_eu = m->class_eu,
    };
    r->operator_given = true;
    return MF_E_OK;
}

static void set_operator_id(struct mf_remote_id *r,
                            const struct mf_msg_open_drone_id_operator_id *m)
{
    memcpy(r->operator_id, m->operator_id, sizeof r->operator_id);
    r->operator_id_type = m->operator_id_type;
    r->operator_id_given = true;
}

void mf_on_open_drone_id_system(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_open_drone_id_system *m, mf_us_t now_us)
{
    (void)now_us;
    if (is_of_us(v, from, m->target_system, m->target_component, m->id_or_mac) &&
        mf_remote_id_set_operator(&v->remote_id, m) != MF_E_OK) {
        from.link->stats.rx_rejected++;
    }
}

void mf_on_open_drone_id_operator_id(struct mf_vehicle *v, struct mf_peer from,
                                     const struct mf_msg_open_drone_id_operator_id *m,
                                     mf_us_t now_us)
{
    (void)now_us;
    if (is_of_us(v, from, m->target_system, m->target_component, m->id_or_mac)) {
        set_operator_id(&v->remote_id, m);
    }
}
