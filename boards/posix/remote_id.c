/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/remote_id.h"

#include "firmware/flight/remote_id.h"
#include "mavlink/enums.h"

#include <string.h>

#define UUID_DIGITS 32u

static int complain(struct mf_config *config, enum mf_config_item_id item, const char *what)
{
    const struct mf_config_origin origin = {.layer = config->layer[item], .item = item};
    return mf_config_complain(config, &origin, "%s", what);
}

/* @return whether it is a printable text that fits */
static bool copy_id(const char *text, uint8_t *id)
{
    const size_t n = strlen(text);
    if (n > MF_REMOTE_ID_BYTES) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (text[i] < ' ' || text[i] > '~') {
            return false;
        }
        id[i] = (uint8_t)text[i];
    }
    return true;
}

/* The bytes of a UUID in their written order; dashes do not count. */
static bool copy_uuid(const char *text, uint8_t *id)
{
    static const char k_digits[] = "0123456789abcdef0123456789ABCDEF";
    size_t n = 0;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(k_digits, *text);
        if (*text == '-') {
            continue;
        }
        if (digit == NULL || n == UUID_DIGITS) {
            return false;
        }
        id[n / 2] = (uint8_t)(16u * id[n / 2] + (unsigned)((digit - k_digits) % 16));
        n++;
    }
    return n == UUID_DIGITS;
}

static int set_uas_id(struct mf_config *config, struct mf_remote_id_card *card)
{
    const uint8_t type = (uint8_t)config->uas_id_type;
    if (config->uas_id[0] == '\0' && type == MAV_ODID_ID_TYPE_SERIAL_NUMBER) {
        return MF_E_OK; /* the default is one */
    }
    card->id_type = type;
    memset(card->uas_id, 0, sizeof card->uas_id);
    if (type == MAV_ODID_ID_TYPE_NONE) {
        return MF_E_OK;
    }
    if (config->uas_id[0] == '\0') {
        return complain(config, MF_CONFIG_uas_id_type, "needs a uas_id");
    }
    if (type == MAV_ODID_ID_TYPE_UTM_ASSIGNED_UUID) {
        return copy_uuid(config->uas_id, card->uas_id)
                   ? MF_E_OK
                   : complain(config, MF_CONFIG_uas_id,
                              "is not a UUID, allowed: 32 hexadecimal digits");
    }
    return copy_id(config->uas_id, card->uas_id)
               ? MF_E_OK
               : complain(config, MF_CONFIG_uas_id,
                          "is not an id, allowed: at most 20 ASCII characters");
}

int board_remote_id(struct mf_config *config, uint64_t uid, struct mf_remote_id_card *card)
{
    uint8_t operator_id[MF_REMOTE_ID_BYTES] = {0};
    *card = mf_remote_id_default(uid);
    card->ua_type = (uint8_t)config->ua_type;
    card->category_eu = (uint8_t)config->eu_category;
    card->class_eu = (uint8_t)config->eu_class;
    if (!copy_id(config->operator_id, operator_id)) {
        return complain(config, MF_CONFIG_operator_id,
                        "is not an id, allowed: at most 20 ASCII characters");
    }
    memcpy(card->operator_id, operator_id, sizeof operator_id);
    return set_uas_id(config, card);
}
