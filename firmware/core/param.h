/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Parameters: one table (params.def), their values, and MAVLink's parameter protocol.
 *
 * Two types exist, as in PX4: int32 and float. Values are kept as 32 bits each, so that what a
 * client wrote comes back bit for bit. The order of the table (ascending names) is the order of
 * PARAM_VALUE indices.
 */
#ifndef MF_FIRMWARE_PARAM_H
#define MF_FIRMWARE_PARAM_H

#include "firmware/state/options.h"
#include "firmware/state/param.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_hal;
struct mf_vehicle;

/** @brief A bit per parameter: is it set? */
bool mf_param_marked(const uint8_t *marks, enum mf_param param);

/** @brief Set or clear a parameter's bit in a set. */
void mf_param_mark(uint8_t *marks, enum mf_param param, bool on);

/** @brief All defaults, which depend on the vehicle's options. */
void mf_param_reset(struct mf_params *p, const struct mf_options *options);

/** @brief Read the saved values, by name; unknown names and values out of range are skipped.
 * @return number of values read */
int mf_param_load(struct mf_params *p, const struct mf_options *options, const struct mf_hal *hal);

/** @brief Write all that differ from the defaults to the store. What the configuration overrides
 * stays there as it is.
 * @return MF_E_OK, also without any store; MF_E_IO: it failed, or they do not fit; the store is as
 * before */
int mf_param_save(struct mf_params *p, const struct mf_options *options, const struct mf_hal *hal);

/** @brief Save what is unsaved, unless an attempt has just failed: the next one comes 10 s later.
 * @param now_us  transport time  @return what people should hear of it */
enum mf_save mf_param_save_due(struct mf_params *p, const struct mf_options *options,
                               const struct mf_hal *hal, mf_us_t now_us);

/** @brief Row of the table for a parameter. @return static */
const struct mf_param_info *mf_param_info(enum mf_param param);

/** @brief Find a parameter by its name of at most MF_PARAM_NAME_MAX characters, which may lack a
 * NUL there. @return enum mf_param, MF_E_NOENT */
int mf_param_find(const char *name);

/** The table, for the function below; others ask mf_param_info(). */
extern const struct mf_param_info mf_param_table[MF_PARAM_COUNT];

/** @brief A float parameter's value, limited to its range. Asserts that it is one.
 *  Where PX4's rules hold a value may lie outside the range; the nearest one of the range is used.
 *  Formulas may rely on the range, and the client still reads back what it wrote. In line, since
 *  each plan of the navigator reads a dozen. */
static inline float mf_param_f(const struct mf_params *p, enum mf_param param)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT && mf_param_table[param].is_float);
    const float value = (union mf_param_value){.bits = p->value[param]}.f;
    if (value < mf_param_table[param].min.f) {
        return mf_param_table[param].min.f;
    }
    return value > mf_param_table[param].max.f ? mf_param_table[param].max.f : value;
}

/** @brief An integer parameter's value, the same way. Asserts that it is one. */
int32_t mf_param_i(const struct mf_params *p, enum mf_param param);

/** @brief Set a parameter by its bits, and mark it for saving and for a second message after 5 ms.
 * @param news  out: true if the present or the saved value changes @return as mf_param_set()
 * (param_change.h), which also tells all links */
int mf_param_put(struct mf_vehicle *v, enum mf_param param, uint32_t bits, bool *news);

/** @brief The vehicle counts on: a value in the table's range for a VOLATILE parameter, which is
 * saved and, as in PX4, not told. */
void mf_param_count(struct mf_vehicle *v, enum mf_param param, uint32_t bits);

/** @brief A value for this launch: what mf_param_override() (param_change.h) does without telling.
 * @return enum mf_param, MF_E_NOENT, MF_E_RANGE */
int mf_param_launch(struct mf_params *p, const char *name, double value);

/** @brief PX4's parameter hash: CRC-32 over names and values in index order, without those that the
 * vehicle counts (VOLATILE in params.def). */
uint32_t mf_param_hash(const struct mf_params *p);

/** @brief PARAM_VALUE of a parameter. */
void mf_param_encode(const struct mf_params *p, enum mf_param param, struct mf_msg_param_value *m);

#endif
