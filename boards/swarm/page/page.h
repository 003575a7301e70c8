/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The live page of a run (docs/swarm-page.md). The run sends frames of the bus to a thread that
 * serves browsers (page_server.h), and obeys frames that browsers send. The run never waits for the
 * thread: while the last picture is not sent completely, it does not make another.
 */
#ifndef MF_BOARDS_SWARM_PAGE_H
#define MF_BOARDS_SWARM_PAGE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "boards/swarm/output/pictures.h"
#include "fleet/bus.h"

/** Functions of the page for a kind of world. */
struct swarm_page_ops {
    swarm_picture_fn *add_frames;
    /** Obey a frame ORDERS, TASK or CLOCK of a browser. @return NULL, or the reason to refuse it */
    const char *(*obey)(struct swarm *w, const struct mf_bus_frame *frame);
};

/** Number of answers to tasks that are kept; longest reason for a refusal [bytes]. */
#define SWARM_PAGE_ANSWERS 64u
#define SWARM_PAGE_WHY_MAX 200u

/** Answer to a task that a browser sent. */
struct swarm_page_answer {
    uint32_t request, task; /**< number that the browser chose; number of the task, 0: refused */
    char why[SWARM_PAGE_WHY_MAX];
};

/** Number of tasks that browsers have sent, and the last answers: the n-th is at n %
 * SWARM_PAGE_ANSWERS. */
struct swarm_page_answers {
    uint32_t count;
    struct swarm_page_answer answer[SWARM_PAGE_ANSWERS];
};

/** @brief Answers of the page, owned by it.
 *  @return NULL: the run has a file of pictures, but not a page */
struct swarm_page_answers *swarm_page_get_answers(const struct swarm *w);

/** @brief Obey browsers, and send a picture of w->now_us if one is due.
 *  @param now  send one in any case */
void swarm_page_poll(struct swarm *w, const struct swarm_page_ops *ops, bool now);

/** @brief Serve the page, if the scenario has outputs.page.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_page_open(struct swarm *w);

/** @brief Send the end and the exit code to browsers, and stop serving. */
void swarm_page_close(struct swarm *w, int code);

/** System of the live page, and the frames of the file of pictures. */
extern const struct swarm_system swarm_page_system;

#endif
