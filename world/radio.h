/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Radios that send packets: their transmission, their reception, and their current. world/medium.h
 * carries packets from one to another.
 *
 * Models: Chipcon's CC2420 and Atmel's RF230 by their data sheets, and a generic radio that
 * receives everything with a margin over the noise. A plug-in defines a radio of kind OTHER.
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

/** Number of gains of a pattern, for each 10 degrees from the antenna's axis: 0, 10, ... 180. */
#define MF_ANTENNA_ANGLES 19u

/** Antenna, symmetric about its axis. */
struct mf_antenna {
    int32_t kind; /**< enum mf_antenna_kind */
    double gain_db[MF_ANTENNA_ANGLES];
    double most_db; /**< greatest gain */
};

/** Level or channel that means the model's default. */
#define MF_RADIO_OWN 0xFFu

/** Radio. The caller allocates it and may change fields after mf_radio_init(). */
struct mf_radio {
    int32_t kind; /**< enum mf_radio_kind */
    double power_dbm;
    double sensitivity_dbm; /**< the radio does not receive weaker packets */
    double margin_db;       /**< GENERIC: margin over the noise */
    double frequency_mhz,
        width_mhz; /**< band: the radio receives senders whose frequency lies in it */
    double send_ma, receive_ma, idle_ma;
    double bits_per_s;
    struct mf_antenna antenna; /**< isotropic */
    /** OTHER: share of the packets that the radio receives, 0 to 1. Any thread; equal calls, equal
     * answers. */
    double (*ratio)(const void *ctx, double snr_db);
    const void *ctx; /**< context of ratio() */
    double
        least_snr_db; /**< OTHER: below it the radio receives nothing, and ratio() is not called */
};

/** @brief Begin a radio by its data sheet.
 * @param level  CC2420: 31, 27, ... 3; RF230: 0 .. 15; GENERIC, OTHER: MF_RADIO_OWN
 * @param channel  11 .. 26 of IEEE 802.15.4; GENERIC: MF_RADIO_OWN is the whole band of 2.4 GHz
 * OTHER: a generic radio, until the plug-in sets its fields
 * @return MF_E_OK; MF_E_RANGE: the model lacks the level or the channel */
int mf_radio_init(struct mf_radio *r, enum mf_radio_kind kind, uint32_t level, uint32_t channel);

/** @brief Begin an antenna. @param gain_db  PATTERN: [MF_ANTENNA_ANGLES], each within +-100; else
 * NULL */
void mf_antenna_init(struct mf_antenna *a, enum mf_antenna_kind kind, const double *gain_db);

/** @brief Gain in a direction [dB]. @param axis, toward  of any length above 0 */
double mf_antenna_gain_db(const struct mf_antenna *a, const double axis[3], const double toward[3]);

/** @brief Duration of a packet's transmission [s]. */
double mf_radio_air_s(const struct mf_radio *r, uint64_t bytes);

/** @brief Charge that a radio has used [mA s]: idle current, except while it sent and received. */
double mf_radio_charge_mas(const struct mf_radio *r, double elapsed_s, uint64_t sent_bytes,
                           uint64_t received_bytes);

/** Resolution of the table of reception, from 0 dB on. */
#define MF_RECEPTION_PER_DB 64u
#define MF_RECEPTION_MAX_DB 10u

/** Share of packets that a CC2420 receives by signal over noise, as measured (Srinivasan, Levis
 * 2006; TOSSIM's curve): a table, linear between its entries. 0 below it, 1 above. */
struct mf_reception {
    double ratio[MF_RECEPTION_MAX_DB * MF_RECEPTION_PER_DB + 1u];
};

void mf_reception_init(struct mf_reception *t);

/** @brief Share of packets that a radio receives. @param snr_db  signal over noise */
double mf_radio_reception(const struct mf_radio *r, const struct mf_reception *t, double snr_db);

/** @brief Signal over noise below which a radio receives nothing [dB]; -infinity: the noise does
 * not matter. */
double mf_radio_least_snr_db(const struct mf_radio *r);

#endif
