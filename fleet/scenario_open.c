/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and checks of the bus, of plug-ins and of components. Used by fleet/scenario and
 * scenario_keys. */
#include "fleet/scenario_open.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#define BUS(field) offsetof(struct mf_scenario_bus, field)

static const struct mf_key k_bus[] = {
    NAME("listen", BUS(listen), sizeof((struct mf_scenario_bus *)0)->listen,
         "[HOST:]PORT, without HOST of 127.0.0.1, or unix:PATH"),
    NAME("token", BUS(token), MF_SCENARIO_TOKEN_MAX,
         "token that participants give; other hosts than this one need it: \"${TOKEN}\""),
    REAL("tick", BUS(tick_s), 0.001, 1e4,
         "interval at which states are reported to participants [s]; 0.1"),
    WHOLE("controllers", BUS(controllers), 0, 8, "number of controllers for which time 0 waits; 1"),
    REAL("patience", BUS(patience_s), 0, 1e6,
         "longest wait for a silent controller, by the wall [s]; 0: no limit; 10"),
    WORD("silent", BUS(silent), mf_scenario_silent_words,
         "after that wait: the run ends with exit code 3, the controller is dropped, or it is "
         "named and time waits on; stop"),
    CHOSEN("heard", BUS(heard),
           "members whose radios controllers and observers hear: an entity, a member, or a list "
           "of these; none"),
    CHOSEN("sensed", BUS(sensed), "members whose sensors are reported to them; none"),
};
const struct mf_keys mf_scenario_bus_keys = {k_bus, COUNT_OF(k_bus), "listen", BUS(line)};

bool mf_scenario_bus_check(struct mf_reading *r, struct mf_scenario *s)
{
    const struct mf_scenario_bus *b = &s->bus;
    if (b->heard.count + b->sensed.count > 0 && mf_scenario_goes_by_steps(s)) {
        return mf_reading_refuse(r, b->line,
                                 "bus: heard and sensed are of no search or world of cells");
    }
    return mf_chosen_check(r, s, &b->heard) && mf_chosen_check(r, s, &b->sensed);
}

#define PLUGIN(field) offsetof(struct mf_scenario_plugin, field)

static const struct mf_key k_plugin[] = {
    NAME("file", PLUGIN(file), MF_SCENARIO_FILE_MAX, "a shared object beside the scenario"),
    REAL("limit", PLUGIN(limit_s), 0.01, 1e6, "longest time of a call of it, by the wall [s]; 10"),
};
const struct mf_keys mf_scenario_plugin_keys = {k_plugin, COUNT_OF(k_plugin), "file", PLUGIN(line)};

void mf_scenario_plugin_defaults(void *plugin)
{
    *(struct mf_scenario_plugin *)plugin = (struct mf_scenario_plugin){.limit_s = 10.0};
}

#define COMPONENT(field) offsetof(struct mf_scenario_component, field)

static const struct mf_key k_component[] = {
    NAME("run", COMPONENT(run), MF_SCENARIO_FILE_MAX,
         "a command for the shell; its standard input has a line of CSV per member and period"),
    MF_SCENARIO_OWN_KEYS(COMPONENT(own)),
    REAL("every", COMPONENT(every_s), 0.001, 1e6, "period [s]; 1"),
    WHOLE("queue", COMPONENT(queue), 1, 1e6, "maximum number of lines that wait for it; 1000"),
    CHOSEN("of", COMPONENT(of), "members: an entity, a member, or a list of these"),
};
const struct mf_keys mf_component_keys = {k_component, COUNT_OF(k_component), "run",
                                          COMPONENT(line)};

void mf_component_defaults(void *component)
{
    *(struct mf_scenario_component *)component =
        (struct mf_scenario_component){.every_s = 1.0, .queue = 1000};
}

bool mf_component_check(struct mf_reading *r, struct mf_scenario *s)
{
    for (uint32_t i = 0; i < s->components; i++) {
        const struct mf_scenario_component *c = &s->component[i];
        const bool named = c->own.name[0] != '\0', runs = c->run[0] != '\0';
        if (named == runs || (c->own.params > 0 && runs)) {
            return mf_reading_refuse(
                r, c->line,
                "components have a run each, or the name of a plug-in's, with its params");
        }
        if (mf_scenario_goes_by_steps(s)) {
            return mf_reading_refuse(r, c->line, "components have no search or world of cells");
        }
        if (!mf_chosen_check(r, s, &c->of)) {
            return false;
        }
    }
    return true;
}
