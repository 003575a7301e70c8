/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Access of drivers to the chip's registers and its flash memory: 32-bit accesses by address. On
 * the chip a board reads and writes through a volatile pointer. Tests hand in a model of the chip
 * instead, so that they can check the order of accesses, which is the essence of a driver.
 */
#ifndef MF_HAL_STM32_BUS_H
#define MF_HAL_STM32_BUS_H

#include "hal/types.h"

struct mf_bus {
    uint32_t (*read)(void *ctx, uint32_t address);
    void (*write)(void *ctx, uint32_t address, uint32_t value);
    void *ctx;
};

static inline uint32_t mf_bus_read(const struct mf_bus *bus, uint32_t address)
{
    return bus->read(bus->ctx, address);
}

static inline void mf_bus_write(const struct mf_bus *bus, uint32_t address, uint32_t value)
{
    bus->write(bus->ctx, address, value);
}

/** @brief Bits of @p mask become @p value; the others stay. */
static inline void mf_bus_modify(const struct mf_bus *bus, uint32_t address, uint32_t mask,
                                 uint32_t value)
{
    mf_bus_write(bus, address, (mf_bus_read(bus, address) & ~mask) | (value & mask));
}

/** @brief Poll until bits of @p mask are @p value, at most @p polls times.
 *  @return false if they never were */
static inline bool mf_bus_wait(const struct mf_bus *bus, uint32_t address, uint32_t mask,
                               uint32_t value, uint32_t polls)
{
    for (uint32_t i = 0; i < polls; i++) {
        if ((mf_bus_read(bus, address) & mask) == value) {
            return true;
        }
    }
    return false;
}

#endif
