# SPDX-License-Identifier: Apache-2.0
"""As much of JSON Schema as the OpenAPI documents here use."""


def resolved(document, schema):
    """What a reference within the document stands for."""
    while '$ref' in schema:
        found = document
        for part in schema['$ref'].split('/')[1:]:
            found = found[part]
        schema = found
    return schema


def flaws(document, schema, value, path=''):
    """Where a value is not what a schema of the document says."""
    schema = resolved(document, schema)
    if 'anyOf' in schema:
        choices = [flaws(document, choice, value, path) for choice in schema['anyOf']]
        return [] if [] in choices else choices[0]
    kinds = schema['type'] if isinstance(schema['type'], list) else [schema['type']]
    fits = {'null': value is None, 'boolean': isinstance(value, bool), 'string': isinstance(value, str),
            'number': isinstance(value, (int, float)) and not isinstance(value, bool), 'array': isinstance(value, list),
            'integer': isinstance(value, int) and not isinstance(value, bool), 'object': isinstance(value, dict)}
    if not any(fits[kind] for kind in kinds):
        return [f'{path}: {value!r} is no {schema["type"]}']
    if 'enum' in schema and value not in schema['enum']:
        return [f'{path}: {value!r} is not in the list']
    if isinstance(value, list):
        return [f for i, item in enumerate(value) for f in flaws(document, schema['items'], item, f'{path}[{i}]')]
    if isinstance(value, dict) and 'properties' in schema:       # what events tell differs
        known = schema['properties']
        return ([f'{path}/{name} is missing' for name in schema['required'] if name not in value] +
                [f'{path}/{name} is not in the document' for name in value if name not in known] +
                [f for name in value if name in known for f in flaws(document, known[name], value[name], f'{path}/{name}')])
    return []
