/* SPDX-License-Identifier: Apache-2.0 */
/** A drone in its world, with memory for faults, around the mock's clock and log. */
#ifndef MF_TESTS_FAULT_FIXTURE_H
#define MF_TESTS_FAULT_FIXTURE_H

#include "drone/drone.h"
#include "drone/fault_judge.h"
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S 1000000

static struct {
    struct mf_mock mock;
    struct mf_drone drone;
    struct mf_link links[1];
    struct mf_world_settings world; /* as by default, before a boot */
    uint8_t parts[MF_WORLD_PARTS_BYTES];
    struct mf_memory memory;
} fx;

static inline int fx_before(void **state)
{
    (void)state;
    memset(&fx, 0, sizeof fx);
    mf_mock_init(&fx.mock);
    fx.world = mf_world_settings_default();
    return 0;
}

/* A drone without faults on the ground at home, at 1 s. */
static inline struct mf_vehicle *fx_boot(void)
{
    const struct mf_hal mock = mf_mock_hal(&fx.mock);
    struct mf_drone_setup setup = {.world = &fx.world,
                                   .vehicle = {.hal = mf_hal_null(),
                                               .links = fx.links,
                                               .link_count = 1,
                                               .sysid = 1,
                                               .compid = 1,
                                               .uid = 1}};
    memset(&fx.drone, 0, sizeof fx.drone);
    fx.memory = (struct mf_memory){.bytes = fx.parts, .size = sizeof fx.parts};
    fx.world.memory = &fx.memory;
    setup.vehicle.hal.clock = mock.clock;
    setup.vehicle.hal.clock_ctx = mock.clock_ctx;
    setup.vehicle.hal.log = mock.log;
    setup.vehicle.hal.log_ctx = mock.log_ctx;
    fx.mock.now = (struct mf_now){0, 0};
    assert_int_equal(mf_drone_init(&fx.drone, &setup), MF_E_OK);
    (void)mf_drone_step(&fx.drone);
    fx.mock.now = (struct mf_now){S, S};
    (void)mf_drone_step(&fx.drone);
    return &fx.drone.vehicle;
}

/* Begins whatever the policy says. */
static inline void fx_force(enum mf_fault fault, const struct mf_fault_values *with)
{
    const struct mf_fault_policy *p = &fx.drone.faults;
    assert_int_equal(p->inject->set(p->inject_ctx, S, fault, true, with), MF_E_OK);
    mf_estimate_forget(&fx.drone.vehicle);
}

#endif
