/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/signing_setup.h"

#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/link/signing.h"
#include "firmware/state/vehicle.h"

#include <string.h>

void mf_signing_setup(struct mf_vehicle *v, struct mf_peer from, const struct mf_frame *frame)
{
    MF_ASSERT(from.link->open);
    struct mf_msg_setup_signing m;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    if (!mf_is_for_us(v, m.target_system, m.target_component)) {
        from.link->stats.rx_foreign++;
        return;
    }
    if (v->signing.has_key && memcmp(v->signing.key, m.secret_key, sizeof m.secret_key) == 0) {
        return; /* said again, to be sure */
    }
    if (v->commander.armed) {
        mf_say(v, MF_WARNING, "Signing key refused: armed");
        from.link->stats.rx_rejected++;
        return;
    }
    if (v->signing.has_key && !mf_frame_is_signed(frame)) {
        mf_say(v, MF_WARNING, "Signing key refused: not signed with the present one");
        from.link->stats.rx_unsigned++;
        return;
    }
    mf_signing_take_key(v, &m);
    mf_say(v, MF_INFO, v->signing.has_key ? "MAVLink signing on" : "MAVLink signing off");
}
