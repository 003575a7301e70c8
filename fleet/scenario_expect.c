/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of expectations. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_expect.h"

#include "fleet/grid.h"
#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>

#define EXPECT(field) offsetof(struct mf_scenario_expect, field)

/* clang-format off */
#define X(name, word) word,
const char *const mf_scenario_event_words[] = {MF_SCENARIO_EVENT_LIST(X) NULL};
#undef X
/* clang-format on */

static const struct mf_key k_expect[] = {
    CHOSEN("of", EXPECT(of), "members: an entity, a member, or a list of these; everybody"),
    WORD("event", EXPECT(event), mf_scenario_event_words, "event that each of the members has"),
    WORD("never", EXPECT(never), mf_scenario_event_words, "event that none of the members has"),
    WHOLE("item", EXPECT(item), 0, UINT16_MAX, "item of the mission that is reached, from 0"),
    REAL("by", EXPECT(by_s), 0, 1e7, "latest time [s]"),
    PAIR("between", EXPECT(between_s), 0, 1e7, "[earliest, latest] [s]"),
    NAME("mode", EXPECT(mode), MF_SCENARIO_NAME_MAX, "mode, at the time \"at\""),
    TRIPLE("position", EXPECT(position), -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M,
           "[north, east, up] of the origin, at the time \"at\" [m]"),
    WHOLE("task", EXPECT(task), 1, MF_GRID_TASKS_MAX,
          "world of cells: this task is done, the first one is 1"),
    NAME("found", EXPECT(found), MF_FIELD_NAME_MAX,
         "world of cells: a drone has reported this attribute"),
    REAL("within", EXPECT(within_m), 0, MF_SCENARIO_FAR_M,
         "largest distance from that position [m]; 1"),
    REAL("at", EXPECT(at_s), 0, 1e7, "time at which mode or position is compared [s]; at the end"),
};
const struct mf_keys mf_scenario_expect_keys = {k_expect, COUNT_OF(k_expect), NULL, EXPECT(line)};

void mf_scenario_expect_defaults(void *expect)
{
    *(struct mf_scenario_expect *)expect = (struct mf_scenario_expect){
        .event = -1,
        .never = -1,
        .item = UINT32_MAX,
        .by_s = (double)NAN,
        .between_s = {(double)NAN, (double)NAN},
        .at_s = (double)NAN,
        .position = {(double)NAN, 0.0, 0.0},
        .within_m = 1.0,
    };
}

static bool check_one(struct mf_reading *r, const struct mf_scenario *s,
                      struct mf_scenario_expect *e)
{
    const int things = (e->event >= 0) + (e->never >= 0) + (e->mode[0] != '\0') +
                       (isnan(e->position[0]) ? 0 : 1) + (e->task > 0) + (e->found[0] != '\0');
    if (things != 1) {
        return mf_reading_refuse(
            r, e->line, "expect must have one of: event, never, mode, position, task, found");
    }
    e->any_item = e->item == UINT32_MAX;
    if (!e->any_item && e->event != MF_SCENARIO_EVENT_ITEM && e->never != MF_SCENARIO_EVENT_ITEM) {
        return mf_reading_refuse(r, e->line, "item needs event or never: item");
    }
    return mf_chosen_check(r, s, &e->of);
}

bool mf_scenario_expect_check(struct mf_reading *r, struct mf_scenario *s)
{
    bool good = true;
    for (uint32_t i = 0; good && i < s->expects; i++) {
        good = check_one(r, s, &s->expect[i]);
    }
    return good;
}
