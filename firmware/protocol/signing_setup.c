/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/signing_setup.h"

#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/link/signing.h"
#include "firmware/state/vehicle.h"

/* Handle SETUP_SIGNING. A client that may set the key owns the vehicle, so the order of these
 * checks matters: the same key again changes nothing even while armed, and clients repeat it, since
 * it is not acknowledged. */
void mf_signing_setup(struct mf_vehicle *v, struct mf_peer from, const struct mf_frame *frame)
{
    MF_ASSERT(from.link->open);
    struct mf_msg_setup_signing m;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    if (!mf_means_us(v, from, m.target_system, m.target_component)) {
        return;
    }
    if (v->signing == NULL) {
        mf_say(v, MF_WARNING, "Signing key refused: this vehicle cannot sign");
        mf_count_refused(from.link);
        return;
    }
    if (mf_signing_has(v->signing, m.secret_key)) {
        return; /* said again, to be sure */
    }
    if (v->commander.armed) {
        mf_say(v, MF_WARNING, "Signing key refused: armed");
        mf_count_refused(from.link);
        return;
    }
    if (mf_signing_on(v->signing) && !mf_frame_is_signed(frame)) {
        mf_say(v, MF_WARNING, "Signing key refused: not signed with the present one");
        from.link->stats.rx_unsigned++;
        return;
    }
    mf_signing_take_key(v->signing, &m);
    mf_say(v, MF_INFO, mf_signing_on(v->signing) ? "MAVLink signing on" : "MAVLink signing off");
}
