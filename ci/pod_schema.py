#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pod_schema.py SWAGGER.json VERSION: prints tools/simctl/base/pod_schema.h, the keys of a pod as Kubernetes' API has them.

SWAGGER.json is api/openapi-spec/swagger.json of Kubernetes' source.
"""
import json
import sys
import textwrap

CORE = 'io.k8s.api.core.v1.'
FIRST = (CORE + 'PodSpec', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
SCALARS = {'string': 's', 'integer': 'i', 'boolean': 'b', 'number': 'n', 'object': 'o'}
WIDTH = 88


def short(name):
    return name.rsplit('.', 1)[1]


class Schema:
    def __init__(self, definitions):
        self.definitions, self.types = definitions, {}
        for name in FIRST:
            self.add(name)

    def add(self, name):
        if name in self.types:
            return
        about = self.definitions[name]
        self.types[name] = ''
        must = about.get('required', [])
        self.types[name] = ' '.join(f'{key}{"!" if key in must else ""}:{self.type_of(value)}' for key, value in about['properties'].items())

    def type_of(self, value):
        name = value.get('$ref', '').rsplit('/', 1)[-1]
        if name:
            about = self.definitions[name]
            if 'properties' in about:
                self.add(name)
                return short(name)
            return 'q' if name.endswith('.Quantity') else 'x' if about.get('format') == 'int-or-string' else self.type_of(about)
        if value['type'] == 'array':
            return '[' + self.type_of(value['items'])
        if 'additionalProperties' in value:
            return '{' + self.type_of(value['additionalProperties'])
        return SCALARS[value['type']]


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        schema = Schema(json.load(f)['definitions'])
    print(f'''/* SPDX-License-Identifier: Apache-2.0 */
/** Objects of a pod and their keys, as Kubernetes {sys.argv[2]} has them; printed by ci/pod_schema.py.
 *  KEY:TYPE each, KEY!:TYPE for one that must be there. A TYPE is s a text, i a whole number, n a
 *  number, b a boolean, q a quantity, x a number or text, o any object, [TYPE a list, {{TYPE an object
 *  whose keys are free, or the name of another object. */
#ifndef MF_SIMCTL_POD_SCHEMA_H
#define MF_SIMCTL_POD_SCHEMA_H

/* clang-format off */
#define SIMCTL_POD_LIST(X)''', end='')
    for name in sorted(schema.types, key=short):
        lines = textwrap.wrap(schema.types[name], WIDTH, break_long_words=False)
        print(f' \\\n    X({short(name)}', end='')
        for n, line in enumerate(lines):
            print(f'{"," if n == 0 else ""} \\\n      "{line}{" " if n + 1 < len(lines) else ""}"', end='')
        print(')' if lines else ', "")', end='')
    print('\n/* clang-format on */\n\n#endif')


if __name__ == '__main__':
    main()
