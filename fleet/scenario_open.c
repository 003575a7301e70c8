/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the bus, of plug-ins and of components. Used by fleet/scenario_keys. */
#include "fleet/scenario_open.h"

#include "fleet/key_forms.h"
#include "fleet/scenario_network.h"

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
    {.name = "heard",
     .type = MF_KEY_OTHER,
     .offset = BUS(heard),
     .read = mf_chosen_read,
     .help = "members whose radios controllers and observers hear: an entity, a member, or a list "
             "of these; none"},
    {.name = "sensed",
     .type = MF_KEY_OTHER,
     .offset = BUS(sensed),
     .read = mf_chosen_read,
     .help = "members whose sensors are reported to them; none"},
};
const struct mf_keys mf_scenario_bus_keys = {k_bus, COUNT_OF(k_bus), "listen", BUS(line)};

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
    {.name = "of",
     .type = MF_KEY_OTHER,
     .offset = COMPONENT(of),
     .read = mf_chosen_read,
     .help = "members: an entity, a member, or a list of these"},
};
const struct mf_keys mf_component_keys = {k_component, COUNT_OF(k_component), "run",
                                          COMPONENT(line)};

void mf_component_defaults(void *component)
{
    *(struct mf_scenario_component *)component =
        (struct mf_scenario_component){.every_s = 1.0, .queue = 1000};
}
