/* SPDX-License-Identifier: Apache-2.0 */
/* The default: the body of world/, with faults on request, so that the board flies on a desk. */
#include "boards/stm32f405/board.h"
#include "drone/drone.h"

static struct mf_drone s_drone;
static uint8_t s_parts[MF_MEMORY_BYTES(sizeof(struct mf_fault_book))];
static struct mf_memory s_memory = {.bytes = s_parts, .size = sizeof s_parts};

const char board_body_name[] = "simulated body";

int board_boot(const struct mf_setup *setup)
{
    struct mf_world_settings world = mf_world_settings_default();
    world.memory = &s_memory;
    const struct mf_drone_setup drone = {.vehicle = *setup, .world = &world};
    return mf_drone_init(&s_drone, &drone);
}

struct mf_vehicle *board_vehicle(void)
{
    return &s_drone.vehicle;
}
