/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/frame.h"

#include "host/record/recording.h"

#define V2_SIGNED          1u
#define V2_SIGNATURE_BYTES 13u

struct replay_frame replay_frame(const uint8_t *bytes, size_t n)
{
    struct replay_frame f = {.version = 2};
    if (n >= 12 && bytes[0] == MF_STX_V2 && (size_t)bytes[1] + 12u <= n) {
        f.n = bytes[1];
        f.size = f.n + 12u + ((bytes[2] & V2_SIGNED) != 0 ? V2_SIGNATURE_BYTES : 0u);
        f.seq = bytes[4];
        f.sysid = bytes[5];
        f.compid = bytes[6];
        f.info = mf_msg_find((uint32_t)mf_record_get(bytes + 7, 3));
        f.payload = bytes + 10;
    } else if (n >= 8 && bytes[0] == MF_STX_V1 && (size_t)bytes[1] + 8u <= n) {
        f.version = 1;
        f.n = bytes[1];
        f.size = f.n + 8u;
        f.seq = bytes[2];
        f.sysid = bytes[3];
        f.compid = bytes[4];
        f.info = mf_msg_find(bytes[5]);
        f.payload = bytes + 6;
    }
    return f;
}
