/* SPDX-License-Identifier: Apache-2.0 */
/* Where an airframe and its sensors will be: a board that flies puts them into the setup. Until
 * then the vehicle says what is missing and cannot be armed. */
#include "boards/stm32f405/board.h"
#include "firmware/state/vehicle.h"

static struct mf_vehicle s_vehicle;

const char board_body_name[] = "no body";

int board_boot(const struct mf_setup *setup)
{
    return mf_vehicle_init(&s_vehicle, setup);
}

struct mf_vehicle *board_vehicle(void)
{
    return &s_vehicle;
}
