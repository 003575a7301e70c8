/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Radios that send packets: what they transmit with, what they need to receive, what it costs. How
 * packets get from one to another is world/medium.h.
 *
 * Models: Chipcon's CC2420 and Atmel's RF230 by their data sheets, and a generic radio that
 * receives everything with a margin over the noise. A radio of kind OTHER is whatever its owner
 * says.
 */
#ifndef MF_WORLD_RADIO_H
#define MF_WORLD_RADIO_H

#include "hal/types.h"

/* clang-format off */
#define MF_RADIO_LIST(X)   X(GENERIC, "generic") X(CC2420, "cc2420") X(RF230, "rf230") X(OTHER, "own")
#define MF_ANTENNA_LIST(X) X(ISOTROPIC, "isotropic") X(DIPOLE, "dipole") X(PATTERN, "pattern")

#define X(name, word) MF_RADIO_##name,
enum mf_radio_kind { MF_RADIO_LIST(X) MF_RADIOS };
#undef X
#define X(name, word) MF_ANTENNA_##name,
enum mf_antenna_kind { MF_ANTENNA_LIST(X) MF_ANTENNAS };
#undef X
/* clang-format on */

/** A pattern has a gain for each 10 degrees from the antenna's axis: 0, 10, ... 180. */
#define MF_ANTENNA_ANGLES 19u

/** An antenna, the same all around its axis. */
struct mf_antenna {
    int32_t kind; /**< enum mf_antenna_kind */
    double gain_db[MF_ANTENNA_ANGLES];
    double most_db; /**< the greatest gain */
};

/** Level and channel that mean the radio's own first ones. */
#define MF_RADIO_OWN 0xFFu

/** One radio. The caller allocates it and may change fields after mf_radio_init(). */
struct mf_radio {
    int32_t kind; /**< enum mf_radio_kind */
    double power_dbm;
    double sensitivity_dbm;          /**< weaker packets are not received */
    double margin_db;                /**< GENERIC: over the noise */
    double frequency_mhz, width_mhz; /**< band: it hears whose frequency lies in it */
    double send_ma, receive_ma, idle_ma;
    double bits_per_s;
    struct mf_antenna antenna; /**< isotropic */
    /** OTHER: part of the packets that it receives, 0 to 1. Any thread; equal calls, equal answers.
     */
    double (*ratio)(const void *ctx, double snr_db);
    const void *ctx;     /**< of ratio() */
    double least_snr_db; /**< OTHER: below it ratio() is not asked, and nothing is received */
};

/** @brief A radio as its data sheet has it.
 *  @param level  CC2420: 31, 27, ... 3; RF230: 0 .. 15; GENERIC, OTHER: MF_RADIO_OWN
 *  @param channel  11 .. 26 of IEEE 802.15.4; GENERIC: MF_RADIO_OWN is the whole band of 2.4 GHz
 *  OTHER: a generic one, until its owner sets its fields
 *  @return MF_E_OK; MF_E_RANGE: it has no such level or channel */
int mf_radio_init(struct mf_radio *r, enum mf_radio_kind kind, uint32_t level, uint32_t channel);

/** @brief An antenna. @param gain_db  PATTERN: [MF_ANTENNA_ANGLES], each within +-100; else NULL */
void mf_antenna_init(struct mf_antenna *a, enum mf_antenna_kind kind, const double *gain_db);

/** @brief Gain towards a direction [dB]. @param axis, toward  of any length above 0 */
double mf_antenna_gain_db(const struct mf_antenna *a, const double axis[3], const double toward[3]);

/** @brief How long a packet is in the air [s]. */
double mf_radio_air_s(const struct mf_radio *r, uint64_t bytes);

/** @brief Charge that a radio has used [mA s]: idle but for what it sent and received. */
double mf_radio_charge_mas(const struct mf_radio *r, double elapsed_s, uint64_t sent_bytes,
                           uint64_t received_bytes);

/** Steps of the table of reception, from 0 dB on. */
#define MF_RECEPTION_PER_DB 64u
#define MF_RECEPTION_MAX_DB 10u

/** How many packets a CC2420 receives by signal over noise, as measured (Srinivasan, Levis 2006;
 * TOSSIM's curve): a table, linear between its entries. Nothing below it, everything above. */
struct mf_reception {
    double ratio[MF_RECEPTION_MAX_DB * MF_RECEPTION_PER_DB + 1u];
};

void mf_reception_init(struct mf_reception *t);

/** @brief Part of the packets that a radio receives. @param snr_db  signal over noise */
double mf_radio_reception(const struct mf_radio *r, const struct mf_reception *t, double snr_db);

/** @brief Below this signal over noise a radio receives nothing [dB]; -infinity: it does not look
 * at the noise. */
double mf_radio_least_snr_db(const struct mf_radio *r);

#endif
