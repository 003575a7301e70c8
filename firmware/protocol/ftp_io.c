/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/ftp_io.h"

#include "firmware/core/tasks.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/protocol/ftp.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"

/* Time after a request for which its sender counts as busy (ftp.c), and after which the task looks
 * again. */
#define BUSY_US MF_SECOND_US

void mf_on_file_transfer_protocol(struct mf_vehicle *v, struct mf_peer from,
                                  const struct mf_msg_file_transfer_protocol *m, mf_us_t now_us)
{
    struct mf_msg_file_transfer_protocol answer;
    enum mf_ftp_reply reply = MF_FTP_NOW;
    (void)now_us;
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    if (mf_ftp_is_answer(m)) {
        /* The vehicle never sent a request, and answers to answers would never end. */
        mf_count_refused(from.link);
        return;
    }
    if (v->ftp == NULL) {
        mf_ftp_refuse(mf_client_of(v, from), m, &answer);
    } else {
        const mf_us_t wall_us =
            v->now.transport_us; /* files are a matter between client and wall */
        reply = mf_ftp_answer(v->ftp, mf_client_of(v, from), m, &answer, wall_us);
        mf_wake_at(v, MF_TASK_FTP, reply == MF_FTP_BEGUN ? wall_us : wall_us + BUSY_US);
    }
    if (reply == MF_FTP_NOW) {
        (void)mf_link_send(v, from.link, MF_MSG_FILE_TRANSFER_PROTOCOL, &answer);
    }
}

/* Send as much of a burst as this pass and the link's room allow. A frame that was not sent is made
 * again in the next run: frames of a burst are not kept. */
static void run_burst(struct mf_vehicle *v, struct mf_ftp_session *s)
{
    struct mf_msg_file_transfer_protocol m;
    for (unsigned n = 0; s->bursting && n < MF_FTP_BURST; n++) {
        struct mf_link *link = mf_client_peer(v, s->client).link;
        MF_ASSERT(s->open); /* it would have ended with its link */
        if (mf_serial_room(&link->serial) < MF_FTP_ROOM_MIN) {
            return;
        }
        mf_ftp_burst(v->ftp, s, &m);
        if (!mf_link_send(v, link, MF_MSG_FILE_TRANSFER_PROTOCOL, &m)) {
            return;
        }
        mf_ftp_burst_sent(s, &m, v->now.transport_us);
    }
}

mf_us_t mf_ftp_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_ftp *ftp = v->ftp;
    struct mf_msg_file_transfer_protocol m;
    MF_ASSERT(due_us <= v->now.transport_us && ftp != NULL);
    if (ftp->sum.running && mf_ftp_sum_step(ftp, &m)) {
        const struct mf_peer to = mf_client_peer(v, ftp->sum.client);
        (void)mf_link_send(v, to.link, MF_MSG_FILE_TRANSFER_PROTOCOL, &m);
    }
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        run_burst(v, &ftp->session[i]);
    }
    return mf_ftp_rest(ftp, v->now.transport_us);
}
