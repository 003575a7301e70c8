/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the receptions of radios to a file. radio.c calls it. */
#include "boards/swarm/radio/radio_file.h"

#include "boards/swarm/core/file.h"
#include "hal-sim/crowd.h"

const size_t swarm_radio_file_bytes = sizeof(struct swarm_gathered);

struct swarm_gathered *swarm_radio_file_rows(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RADIO_FILE];
}

int swarm_radio_file_open(struct swarm *w)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.radio;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    if (!swarm_has(w, SWARM_SLOT_RADIO)) {
        return swarm_refuse(w, o->line, "outputs: radio: no member has a radio");
    }
    swarm_radio_file_rows(w)->file = swarm_open(w, o, 0);
    if (swarm_radio_file_rows(w)->file == NULL) {
        return SWARM_INPUT;
    }
    if (w->command->resume == NULL) {
        (void)fputs("t_s,receiver,sender,number,bytes,strength_dbm,payload\n",
                    swarm_radio_file_rows(w)->file);
    }
    return SWARM_OK;
}

void swarm_radio_file_write(struct swarm *w, const struct swarm_reception *got, mf_us_t at_us)
{
    (void)fprintf(swarm_radio_file_rows(w)->file, "%.6f,%s,%s,%u,%u,%.2f,", (double)at_us / 1e6,
                  swarm_name(w, got->receiver).text, swarm_name(w, got->sender).text,
                  (unsigned)got->number, (unsigned)got->size, got->strength_dbm);
    for (uint32_t b = 0; b < got->size; b++) {
        (void)fprintf(swarm_radio_file_rows(w)->file, "%02x", (unsigned)got->bytes[b]);
    }
    (void)fputc('\n', swarm_radio_file_rows(w)->file);
}

void swarm_radio_file_write_all(struct swarm *w, mf_us_t at_us)
{
    for (uint32_t shard = 0; shard < MF_CROWD_SHARDS; shard++) {
        struct swarm_rows *of = &swarm_radio_file_rows(w)->shard[shard];
        for (size_t k = 0; k < of->count; k++) {
            swarm_radio_file_write(w, &((const struct swarm_reception *)of->at)[k], at_us);
        }
        of->count = 0;
    }
}
