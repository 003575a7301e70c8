/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/protocol/download.h, without functions. */
#ifndef MF_FIRMWARE_STATE_DOWNLOAD_H
#define MF_FIRMWARE_STATE_DOWNLOAD_H

#include "hal/types.h"
#include "mavlink/message.h"

/** A link's part of it: a list and a transfer may run side by side. Nothing of a log is held; `at`
 * is all that a transfer remembers. */
struct mf_download {
    bool listing;
    bool sending;
    uint16_t list_next; /**< number of the next LOG_ENTRY */
    uint16_t list_end;  /**< number of the last */
    uint16_t log;       /**< that is sent */
    uint32_t at;        /**< offset of the next LOG_DATA [bytes] */
    uint32_t end;       /**< end of the requested bytes, exclusive [bytes] */
};

#endif
