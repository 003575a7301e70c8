/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the objects of scenes, and checks the instances that simctl reads from them. */
#include "tests/unit/tools/simctl/kube/scene.h"

#include "tests/unit/support/names.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

json_t *scene_yaml(const char *text)
{
    struct web_error error = {0};
    json_t *value = text != NULL ? simctl_document_read("t", text, strlen(text), &error) : NULL;
    if (value == NULL && text != NULL) {
        fail_msg("%s: %s", error.message, text);
    }
    return value;
}

void scene_merge(json_t *into, json_t *from)
{
    (void)json_object_update_recursive(into, from);
    json_decref(from);
}

void scene_begin(struct fixture *f, const char *template, const char *job, const char *pod)
{
    struct web_error error = {0};
    char text[2048];
    (void)snprintf(text, sizeof text, "lifetime: {default: 45s, max: 45s}\nttl: 30s\n%s", template);
    *f = (struct fixture){.pod = scene_yaml(pod)};
    if (!simctl_template_take(&f->template, "t", scene_yaml(text), &error)) {
        fail_msg("%s", error.message);
    }
    const struct simctl_order order = {.template = &f->template,
                                       .tenant = "default",
                                       .id = "abc-0",
                                       .hash = "1234",
                                       .values = json_object(),
                                       .labels = scene_yaml("{suite: night}"),
                                       .lifetime_s = 45.0};
    f->job = simctl_kube_job(&order, f->template.pod);
    scene_merge(f->job, scene_yaml("{metadata: {uid: j, creationTimestamp: " T("00") "}}"));
    scene_merge(f->job, scene_yaml(job));
    json_decref((json_t *)order.values);
    json_decref((json_t *)order.labels);
}

void scene_end(struct fixture *f)
{
    json_decref(f->job);
    json_decref(f->pod);
    json_decref(f->service);
    json_decref(f->failure);
    simctl_template_free(&f->template);
}

struct simctl_kube_objects scene_objects(const struct fixture *f)
{
    return (struct simctl_kube_objects){f->job, f->pod, f->service, f->failure};
}

void scene_read(const struct fixture *f, struct simctl_instance *is)
{
    const struct simctl_kube_objects objects = scene_objects(f);
    simctl_kube_read(&objects, is);
}

bool scene_must_tell(const struct fixture *f, struct simctl_kube_verdict *verdict)
{
    const struct simctl_kube_objects objects = scene_objects(f);
    return simctl_kube_must_tell(&objects, verdict);
}

void scene_expect(const struct scene *s)
{
    struct simctl_instance is;
    struct fixture f;
    scene_begin(&f, s->template, s->job, s->pod);
    f.failure = scene_yaml(s->failure);
    scene_read(&f, &is);
    if (is.state != s->state || is.outcome != s->outcome ||
        !(s->data[0] == '\0' ? is.reason[0] == '\0' : mf_names(is.reason, s->data))) {
        fail_msg("%s: %s %s '%s'", s->name, simctl_state_word(is.state),
                 simctl_outcome_code(is.outcome), is.reason);
    }
    assert_string_equal(is.id, "abc-0");
    assert_string_equal(simctl_shape_text(is.labels, "suite", ""), "night");
    simctl_instance_free(&is);
    scene_end(&f);
}
