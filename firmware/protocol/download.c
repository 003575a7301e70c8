/* SPDX-License-Identifier: Apache-2.0 */
/* MAVLink's log protocol has neither sequence numbers nor acknowledgements: every LOG_DATA says its
 * offset, and a client asks again for the gaps that it finds. So this side remembers a position
 * only, and sends as fast as the link takes it. */
#include "firmware/protocol/download.h"

#include "firmware/core/tasks.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"

/* Pause between two bursts: MF_DOWNLOAD_BURST messages each make at most 360 kB/s, which a local
 * client can receive. */
#define PAUSE_US (10 * MF_MS_US)

void mf_on_log_request_list(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_log_request_list *m, mf_us_t now_us)
{
    (void)now_us;
    if (mf_means_us(v, from, m->target_system, m->target_component)) {
        struct mf_download *d = &from.link->download;
        d->listing = true;
        d->list_next = m->start;
        d->list_end = m->end;
        mf_wake_at(v, MF_TASK_DOWNLOADS, v->now.transport_us);
    }
}

/* Begin to send a part of a log. A request replaces the one before: MAVLink does not acknowledge
 * these messages, so clients request missing parts again. */
void mf_on_log_request_data(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_log_request_data *m, mf_us_t now_us)
{
    (void)now_us;
    if (mf_means_us(v, from, m->target_system, m->target_component)) {
        struct mf_download *d = &from.link->download;
        d->sending = true;
        d->log = m->id;
        d->at = m->ofs;
        d->end = m->count < UINT32_MAX - m->ofs ? m->ofs + m->count : UINT32_MAX;
        mf_wake_at(v, MF_TASK_DOWNLOADS, v->now.transport_us);
    }
}

void mf_on_log_erase(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_log_erase *m,
                     mf_us_t now_us)
{
    (void)now_us;
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    for (uint16_t i = 0; i < v->links_top; i++) { /* numbers of logs mean others from now on */
        v->links[i].download = (struct mf_download){0};
    }
    if (mf_archive_erase(&v->hal) != MF_E_OK) {
        mf_say(v, MF_WARNING, "Logs could not be erased");
    }
}

void mf_on_log_request_end(struct mf_vehicle *v, struct mf_peer from,
                           const struct mf_msg_log_request_end *m, mf_us_t now_us)
{
    (void)now_us;
    if (mf_means_us(v, from, m->target_system, m->target_component)) {
        from.link->download = (struct mf_download){0};
    }
}

/* ---- what leaves */

/* Make the next LOG_ENTRY. An empty list is answered with an entry that has the number of logs,
 * because QGroundControl ends its list with it. @return the entry */
static struct mf_msg_log_entry entry_of(const struct mf_hal *hal, const struct mf_download *d)
{
    struct mf_archive_info info;
    const int count = mf_archive_count(hal);
    MF_ASSERT(d->listing && count >= 0 && count <= UINT16_MAX);
    struct mf_msg_log_entry m = {.num_logs = (uint16_t)count,
                                 .last_log_num = (uint16_t)(count > 0 ? count - 1 : 0)};
    if (mf_archive_info(hal, d->list_next, &info) == MF_E_OK) {
        m.time_utc = (uint32_t)info.utc_s;
        m.size = info.size;
        m.id = d->list_next;
    }
    return m;
}

/* Note that an entry was sent: the list ends with the last log, or after it. */
static void entry_left(struct mf_download *d, const struct mf_msg_log_entry *m)
{
    MF_ASSERT(d->listing);
    d->listing = d->list_next < d->list_end && d->list_next < m->last_log_num;
    d->list_next++;
}

/* The next LOG_DATA. One that is not full is the last, and there is always one: a client that asks
 * behind the end of a log, or for one that is gone, must not wait for its time-out. */
static struct mf_msg_log_data data_of(const struct mf_hal *hal, const struct mf_download *d)
{
    struct mf_msg_log_data m = {.ofs = d->at, .id = d->log};
    MF_ASSERT(d->sending && d->at <= d->end);
    const uint32_t left = d->end - d->at;
    const size_t want = left < sizeof m.data ? left : sizeof m.data;
    const int n = want == 0 ? 0 : mf_archive_read(hal, d->log, d->at, m.data, want);
    MF_ASSERT(n <= (int)want);
    m.count = (uint8_t)(n > 0 ? n : 0);
    return m;
}

static void data_left(struct mf_download *d, const struct mf_msg_log_data *m)
{
    MF_ASSERT(d->sending && m->count <= d->end - d->at);
    d->at += m->count;
    d->sending = m->count == sizeof m->data && d->at < d->end;
}

/* @return whether it left */
static bool send_next(struct mf_vehicle *v, struct mf_link *link)
{
    struct mf_download *d = &link->download;
    if (d->listing) {
        const struct mf_msg_log_entry m = entry_of(&v->hal, d);
        const bool left = mf_link_send(v, link, MF_MSG_LOG_ENTRY, &m);
        if (left) {
            entry_left(d, &m);
        }
        return left;
    }
    const struct mf_msg_log_data m = data_of(&v->hal, d);
    const bool left = mf_link_send(v, link, MF_MSG_LOG_DATA, &m);
    if (left) {
        data_left(d, &m);
    }
    return left;
}

/* Run a burst, the list first: it is short, and a client that requests both needs the list first.
 * @return true: more is to be sent */
static bool run(struct mf_vehicle *v, struct mf_link *link)
{
    MF_ASSERT(link->open);
    struct mf_download *d = &link->download;
    for (unsigned n = 0; n < MF_DOWNLOAD_BURST && (d->listing || d->sending); n++) {
        if (mf_serial_room(&link->serial) < MF_DOWNLOAD_ROOM_MIN) {
            break;
        }
        if (!send_next(v, link)) {
            break;
        }
    }
    return d->listing || d->sending;
}

mf_us_t mf_downloads_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us <= v->now.transport_us);
    return mf_links_run_each(v, run) ? v->now.transport_us + PAUSE_US : MF_NEVER;
}

/* An event clock must not jump while bytes are on their way: the client counts the wall's time. */
bool mf_download_busy(const struct mf_vehicle *v)
{
    bool busy = false;
    for (uint16_t i = 0; i < v->links_top; i++) {
        const struct mf_link *link = &v->links[i];
        busy = busy || (link->open && (link->download.listing || link->download.sending));
    }
    return busy;
}
