/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A USART as a serial device (hal/serial.h): 8 data bits, no parity, one stop bit, a ring in each
 * direction, emptied and filled by its interrupt.
 *
 * A write fills the transmit ring and starts the transmitter; the interrupt goes on from there.
 * QEMU's USART is always ready for the next byte and raises no interrupt when it is: the write
 * itself then hands over all bytes, by the same code.
 */
#ifndef MF_HAL_STM32_USART_H
#define MF_HAL_STM32_USART_H

#include "hal-stm32/bus.h"
#include "hal-stm32/ring.h"
#include "hal/serial.h"

struct mf_usart {
    const struct mf_bus *bus;
    uint32_t base; /**< USARTn_BASE */
    struct mf_ring rx, tx;
    uint32_t rx_dropped; /**< bytes that arrived when the ring was full */
    uint32_t rx_errors;  /**< bytes that came damaged (framing, noise) or not at all (overrun) */
};

/** @brief Give it its rings; before mf_usart_init(). @param rx  [rx_size] @param tx  [tx_size] */
void mf_usart_buffers(struct mf_usart *usart, uint8_t *rx, uint32_t rx_size, uint8_t *tx,
                      uint32_t tx_size);

/**
 * @brief Switch a USART on. Its clock and pins are on already; its interrupt may come from now on.
 * @param clock_hz  of the peripheral bus (APB1 or APB2) @param baud  [1/s]
 */
void mf_usart_init(struct mf_usart *usart, const struct mf_bus *bus, uint32_t base,
                   uint32_t clock_hz, uint32_t baud);

/** @brief The interrupt of this USART. */
void mf_usart_interrupt(struct mf_usart *usart);

/** Serial contract; the context is a struct mf_usart. */
extern const struct mf_serial_ops mf_usart_ops;

#endif
