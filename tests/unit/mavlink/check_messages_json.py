#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the compiled message table with a JSON of the MAVLink XML.

usage: check_messages_json.py DUMP_TABLE MESSAGES_JSON

DUMP_TABLE is the program built from dump_table.c. MESSAGES_JSON is not part of this repository;
without it there is nothing to compare with, which is said and is no failure.
"""
import json
import os
import subprocess
import sys

NEEDED = {"send_required", "accept_required"}


def read_dump(program):
    """What the program prints, as {id: message} in the form of the JSON."""
    messages = {}
    dump = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    for line in dump.splitlines():
        kind, *words = line.split()
        if kind == "message":
            number, name, crc_extra, len_min, len_max = words
            message = {"name": name, "crc_extra": int(crc_extra), "min_payload": int(len_min),
                       "max_payload": int(len_max), "fields": []}
            messages[int(number)] = message
        else:
            wire_type, name, count, extension = words
            message["fields"].append((wire_type, name, int(count), extension == "1"))
    return messages


def read_json(path):
    with open(path, encoding="utf-8") as file:
        messages = json.load(file)["messages"]
    for message in messages:
        message["fields"] = [(field["type"], field["name"], max(1, field["array_length"]),
                              field["is_extension"]) for field in message["fields"]]
    return {message["id"]: message for message in messages}


def differences(table, reference):
    for number, message in table.items():
        if number not in reference:
            yield f"{message['name']} ({number}): not in the JSON"
            continue
        for key, value in message.items():
            if value != reference[number][key]:
                yield f"{message['name']}.{key}: {value}, the JSON has {reference[number][key]}"
    for number, message in reference.items():
        if number not in table and NEEDED & set(message["roles"]):
            yield f"{message['name']} ({number}): needed, but not in the table"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, path = sys.argv[1:]
    if not os.path.exists(path):
        print(f"SKIPPED: {path} is absent, the message table was not compared with it")
        return
    table, reference = read_dump(program), read_json(path)
    found = list(differences(table, reference))
    if found:
        sys.exit("\n".join(found))
    print(f"{len(table)} messages agree with {path}")


if __name__ == "__main__":
    main()
