"""Compares the schemas of martlet.d.ts with those of openapi.yaml: names, members, types.

    /usr/bin/python3 Checks/javascript/schemas.py            rewrites this part of martlet.d.ts
    /usr/bin/python3 Checks/javascript/schemas.py --check    compares (part of `make check`)
"""

import argparse
import json
import pathlib
import re
import sys
import textwrap

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPENAPI = ROOT / "openapi.yaml"
TYPES = ROOT / "App" / "martlet.d.ts"
TITLE = "// The schemas of openapi.yaml (Checks/javascript/schemas.py writes them)"
# Not a JSON value.
LEFT_OUT = {"EventStream"}
SCALARS = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


def typed(schema):
    """A schema as a type of TypeScript."""
    if "$ref" in schema:
        # `#/components/schemas/A` is A, and `#/components/schemas/A/properties/b` is A["b"].
        name, *path = schema["$ref"].split("/")[3:]
        return name + "".join(f'["{part}"]' for part in path[1::2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "allOf" in schema:
        return " & ".join(typed(part) for part in schema["allOf"])
    choices = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
    choices = [choice for choice in choices if set(choice) != {"required"}]
    if choices:
        return " | ".join(typed(choice) for choice in choices)
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return " | ".join(typed_as(kind, schema) for kind in kinds) or "unknown"


def typed_as(kind, schema):
    if kind in SCALARS:
        return SCALARS[kind]
    if kind == "array":
        item = typed(schema["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if "properties" in schema:
        return "{ " + "; ".join(members(schema)) + " }"
    more = schema.get("additionalProperties", {})
    return f"Record<string, {typed(more) if isinstance(more, dict) else 'never'}>"


def members(schema):
    required = schema.get("required", [])
    for name, value in schema["properties"].items():
        yield f"{name}{'' if name in required else '?'}: {typed(value)}"


def declarations(openapi):
    """The declarations that martlet.d.ts must have, by name."""
    schemas = yaml.safe_load(pathlib.Path(openapi).read_text())["components"]["schemas"]
    for name, schema in schemas.items():
        if name in LEFT_OUT:
            continue
        if "properties" in schema and schema.get("type") == "object":
            yield name, f"export interface {name} {{ {'; '.join(members(schema))} }}"
        else:
            yield name, f"export type {name} = {typed(schema)}"


def normal(text):
    """Without comments, line breaks, and what else is a matter of layout."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"\s+", " ", text.replace(";", "; "))
    return text.replace("; }", " }").strip(" ;")


def found(text):
    """The exported declarations of a text, by name."""
    for part in re.split(r"\n(?=export )", text):
        if match := re.match(r"export (?:interface|type) (\w+)", part):
            yield match.group(1), normal(part)


def faults(openapi=OPENAPI, types=TYPES):
    try:
        wanted = {name: normal(text) for name, text in declarations(openapi)}
    except yaml.YAMLError as error:
        yield f"openapi.yaml is not valid YAML: {error}"
        return
    present = dict(found(pathlib.Path(types).read_text().split(TITLE)[1]))
    for name in sorted(wanted.keys() | present.keys()):
        has, needs = present.get(name, "nothing"), wanted.get(name, "nothing")
        if has != needs:
            yield f"{name} of martlet.d.ts differs from openapi.yaml:"
            yield f"  has   {has}\n    needs {needs}"


def wrapped(text):
    whole = {"break_long_words": False, "break_on_hyphens": False}
    return "\n".join(textwrap.wrap(text, 100, subsequent_indent="  ", **whole))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    if parser.parse_args().check:
        found_faults = list(faults())
        for fault in found_faults:
            print(fault)
        sys.exit(1 if found_faults else 0)
    own = TYPES.read_text().split(TITLE)[0]
    texts = [wrapped(text) for _, text in declarations(OPENAPI)]
    TYPES.write_text(own + TITLE + "\n\n" + "\n".join(texts) + "\n")


if __name__ == "__main__":
    main()
