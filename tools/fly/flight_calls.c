/* SPDX-License-Identifier: Apache-2.0 */
/* Reports, messages and commands of a flight; its phases in flight.c and follow.c call it. */
#include "tools/fly/flight.h"

#include "mavlink/enums.h"

#include <stdarg.h>
#include <stdio.h>

#define PX4_MODE(main, sub) ((uint32_t)(main) << 16 | (uint32_t)(sub) << 24)

int fly_flight_fail(struct fly_flight *f, const char *format, ...)
{
    va_list args;
    if (f->reason[0] == '\0') {
        va_start(args, format);
        vsnprintf(f->reason, sizeof f->reason, format, args);
        va_end(args);
    }
    return -1;
}

void fly_flight_tell(struct fly_flight *f, enum fly_tone tone, const char *format, ...)
{
    char stamp[32];
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (f->armed_once) {
        snprintf(stamp, sizeof stamp, "T+%7.1f s  ",
                 (double)(f->state.time_us - f->arm_vehicle_us) * 1e-6);
    } else {
        snprintf(stamp, sizeof stamp, "%9.1f s  ",
                 (double)(fly_client_now(f->client) - f->begin_us) * 1e-6);
    }
    fly_console_event(f->console, tone, stamp, "%s", text);
}

int fly_flight_check_patience(struct fly_flight *f)
{
    const int64_t now = fly_client_now(f->client);
    const double elapsed_s = (double)(now - f->begin_us) * 1e-6;
    if (f->stop != NULL && *f->stop != 0) {
        return fly_flight_fail(f, "interrupted");
    }
    if (f->options->timeout_s > 0.0 && elapsed_s > f->options->timeout_s) {
        return fly_flight_fail(f, "not done after %.0f s (--timeout)", f->options->timeout_s);
    }
    if (f->state.seen && now - f->client->heard_us > FLY_LOST_US) {
        return fly_flight_fail(f, "nothing heard from the vehicle for %d s", FLY_LOST_US / 1000000);
    }
    return 0;
}

int fly_flight_pump(struct fly_flight *f, int64_t wait_us)
{
    struct fly_message in;
    if (fly_client_next(f->client, fly_client_now(f->client) + wait_us, &in) < 0) {
        return fly_flight_fail(f, "%s", fly_err_text(FLY_E_LINK));
    }
    return fly_flight_check_patience(f);
}

int fly_flight_command(struct fly_flight *f, uint16_t command, float p1, float p2, float p3)
{
    const struct mf_msg_command_long out = {
        .command = command, .param1 = p1, .param2 = p2, .param3 = p3};
    return fly_client_command(f->client, &out);
}

bool fly_is_copter(const struct fly_state *s)
{
    return s->type != MAV_TYPE_FIXED_WING && s->type != MAV_TYPE_GROUND_ROVER &&
           s->type != MAV_TYPE_SURFACE_BOAT && s->type != MAV_TYPE_SUBMARINE;
}

uint32_t fly_mission_mode(const struct fly_state *s)
{
    if (s->autopilot != MAV_AUTOPILOT_ARDUPILOTMEGA) {
        return PX4_MODE(4, 4);
    }
    return fly_is_copter(s) ? 3 : 10;
}

bool fly_is_down_mode(const struct fly_state *s)
{
    static const uint32_t k_px4[] = {PX4_MODE(4, 5), PX4_MODE(4, 6), PX4_MODE(4, 9)};
    static const uint32_t k_copter[] = {6, 9, 21};
    const uint32_t *down = s->autopilot == MAV_AUTOPILOT_ARDUPILOTMEGA ? k_copter : k_px4;
    return s->custom_mode == down[0] || s->custom_mode == down[1] || s->custom_mode == down[2];
}

void fly_flight_send(struct fly_flight *f, uint16_t command, float p1, float p2)
{
    const struct mf_msg_command_long out = {
        .command = command,
        .param1 = p1,
        .param2 = p2,
        .target_system = f->client->target_sysid,
        .target_component = f->client->target_compid,
    };
    (void)fly_client_send(f->client, MF_MSG_COMMAND_LONG, &out); /* a lost link shows in the pump */
}

void fly_flight_ask(struct fly_flight *f, uint32_t message)
{
    fly_flight_send(f, MAV_CMD_REQUEST_MESSAGE, (float)message, 0);
}
