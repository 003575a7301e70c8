/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/usart.h"

#include "hal-stm32/regs.h"

static uint32_t reg_read(const struct mf_usart *usart, uint32_t offset)
{
    return mf_bus_read(usart->bus, usart->base + offset);
}

static void reg_write(const struct mf_usart *usart, uint32_t offset, uint32_t value)
{
    mf_bus_write(usart->bus, usart->base + offset, value);
}

void mf_usart_buffers(struct mf_usart *usart, uint8_t *rx, uint32_t rx_size, uint8_t *tx,
                      uint32_t tx_size)
{
    mf_ring_init(&usart->rx, rx, rx_size);
    mf_ring_init(&usart->tx, tx, tx_size);
}

void mf_usart_init(struct mf_usart *usart, const struct mf_bus *bus, uint32_t base,
                   uint32_t clock_hz, uint32_t baud)
{
    MF_ASSERT(baud > 0 && clock_hz / baud >= 16u); /* oversampling by 16 */
    usart->bus = bus;
    usart->base = base;
    usart->rx_dropped = 0;
    usart->rx_errors = 0;
    reg_write(usart, USART_CR1, 0); /* off while it is set up */
    /* BRR is the divider in sixteenths (RM0090, 30.3.4), so all of it is clock / baud, rounded. */
    reg_write(usart, USART_BRR, (clock_hz + baud / 2u) / baud);
    reg_write(usart, USART_CR1, USART_CR1_UE | USART_CR1_TE | USART_CR1_RE | USART_CR1_RXNEIE);
}

/* Hand over bytes as long as the transmitter takes them; its interrupt is on while some wait. */
static void pump(struct mf_usart *usart)
{
    uint8_t byte;
    while ((reg_read(usart, USART_SR) & USART_SR_TXE) != 0 &&
           mf_ring_get(&usart->tx, &byte, 1) == 1) {
        reg_write(usart, USART_DR, byte);
    }
    mf_bus_modify(usart->bus, usart->base + USART_CR1, USART_CR1_TXEIE,
                  mf_ring_used(&usart->tx) > 0 ? USART_CR1_TXEIE : 0);
}

/* SR, then DR: the order in which the chip clears the flags. */
static void take_byte(struct mf_usart *usart, uint32_t status)
{
    const uint8_t byte = (uint8_t)reg_read(usart, USART_DR);
    usart->rx_errors += (status & (USART_SR_ORE | USART_SR_NF | USART_SR_FE)) != 0;
    if ((status & USART_SR_RXNE) != 0 && !mf_ring_put(&usart->rx, &byte, 1)) {
        usart->rx_dropped++;
    }
}

void mf_usart_interrupt(struct mf_usart *usart)
{
    const uint32_t status = reg_read(usart, USART_SR);
    if ((status & (USART_SR_RXNE | USART_SR_ORE)) != 0) {
        take_byte(usart, status);
    }
    if ((reg_read(usart, USART_CR1) & USART_CR1_TXEIE) != 0) {
        pump(usart);
    }
}

static int usart_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_usart *usart = ctx;
    if (n > UINT16_MAX || !mf_ring_put(&usart->tx, bytes, (uint32_t)n)) {
        return 0;
    }
    /* The interrupt reads the same end of the ring as pump(): it must not come in between. */
    mf_bus_modify(usart->bus, usart->base + USART_CR1, USART_CR1_TXEIE, 0);
    pump(usart);
    return (int)n;
}

static int usart_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_usart *usart = ctx;
    return (int)mf_ring_get(&usart->rx, bytes, cap < UINT16_MAX ? (uint32_t)cap : UINT16_MAX);
}

static size_t usart_room(void *ctx)
{
    const struct mf_usart *usart = ctx;
    return mf_ring_room(&usart->tx);
}

const struct mf_serial_ops mf_usart_ops = {usart_write, usart_read, usart_room};
