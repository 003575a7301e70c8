/* SPDX-License-Identifier: Apache-2.0 */
/* Two drones in one process, on a clock of this program's own: both take off. */
#include <drone/drone.h>
#include <mavlink/enums.h>
#include <mavlink/frame.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRONES 2

struct inbox {
    size_t n;
    uint8_t bytes[MF_FRAME_MAX];
};

static mf_us_t s_now_us;
static struct mf_drone s_drone[DRONES];
static struct mf_link s_link[DRONES];
static struct inbox s_inbox[DRONES];

/* The library asks its user for one function: what becomes of a failed assertion. */
_Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    abort();
}

static struct mf_now clock_read(void *ctx)
{
    (void)ctx;
    return (struct mf_now){s_now_us, s_now_us};
}

/* Nobody listens: frames are taken and forgotten. */
static int inbox_write(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx, (void)bytes;
    return (int)n;
}

static int inbox_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct inbox *inbox = ctx;
    const size_t n = inbox->n <= cap ? inbox->n : 0;
    memcpy(bytes, inbox->bytes, n);
    inbox->n = 0;
    return (int)n;
}

static size_t inbox_room(void *ctx)
{
    (void)ctx;
    return SIZE_MAX;
}

static const struct mf_clock_ops k_clock = {.read = clock_read};
static const struct mf_serial_ops k_serial = {inbox_write, inbox_read, inbox_room};

static int boot(int i)
{
    struct mf_world_settings world = mf_world_settings_default();
    world.home_lat_deg += 0.001 * i; /* 111 m apart */
    struct mf_drone_setup setup = {.world = &world,
                                   .vehicle = {.hal = mf_hal_null(),
                                               .links = &s_link[i],
                                               .link_count = 1,
                                               .sysid = (uint8_t)(1 + i),
                                               .compid = 1}};
    setup.vehicle.hal.clock = &k_clock;
    static int32_t interval_us[MF_STREAM_COUNT];
    mf_stream_profile(MF_PROFILE_min, interval_us);
    const struct mf_drone_link link = {.serial = {.ops = &k_serial, .ctx = &s_inbox[i]},
                                       .name = "program",
                                       .interval_us = interval_us};
    const int err = mf_drone_init(&s_drone[i], &setup);
    return err != MF_E_OK ? err : mf_drone_open(&s_drone[i], &link);
}

static void order(int i, uint16_t command, float param1, float param7)
{
    const struct mf_sender self = {.version = 2, .sysid = 255, .compid = 190};
    const struct mf_msg_command_long m = {.command = command,
                                          .target_system = (uint8_t)(1 + i),
                                          .target_component = 1,
                                          .param1 = param1,
                                          .param7 = param7};
    s_inbox[i].n = mf_frame_encode(&self, mf_msg_find(MF_MSG_COMMAND_LONG), &m, s_inbox[i].bytes);
    (void)mf_drone_step(&s_drone[i]);
}

int main(void)
{
    for (int i = 0; i < DRONES; i++) {
        if (boot(i) != 0) {
            return EXIT_FAILURE;
        }
        order(i, MAV_CMD_COMPONENT_ARM_DISARM, 1.0f, 0.0f);
        order(i, MAV_CMD_NAV_TAKEOFF, 0.0f, 498.0f + 10.0f * (float)i);
    }
    /* Ten seconds of flight in steps of a tenth: with a clock of its own it needs no more. */
    for (int step = 0; step < 100; step++) {
        s_now_us += 100 * MF_MS_US;
        for (int i = 0; i < DRONES; i++) {
            (void)mf_drone_step(&s_drone[i]);
        }
    }
    for (int i = 0; i < DRONES; i++) {
        const struct mf_pose pose = mf_world_pose(&s_drone[i].world, s_now_us);
        printf("drone %d: %.6f, %.6f, %.1f m\n", 1 + i, pose.lat_deg, pose.lon_deg,
               pose.alt_amsl_m);
    }
    return EXIT_SUCCESS;
}
