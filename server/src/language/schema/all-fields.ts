import { type JsonSchema, resolveSchema } from './schema-at.ts';
import { type SchemaName, allSchemaNames, schemaOf } from './validate-schema.ts';

/** A field of a format. */
export interface KnownField {
  readonly format: SchemaName;
  /** With dots, and `[]` for the entries of a list, such as `elements[].key`. */
  readonly path: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/** Every field of every format, in the order of the schemas. A field of a definition that contains itself is listed once. */
export function allFields(): readonly KnownField[] {
  return allSchemaNames.flatMap((format) => fieldsBelow(format, schemaOf(format) as JsonSchema, '', new Set()));
}

function fieldsBelow(
  format: SchemaName,
  schema: JsonSchema,
  path: string,
  within: ReadonlySet<string>,
): readonly KnownField[] {
  const { $ref } = schema;
  if ($ref !== undefined && within.has($ref)) return [];
  const inner = $ref === undefined ? within : new Set([...within, $ref]);
  const { properties = {}, required = [], items, additionalProperties } = resolveSchema(schema, undefined, format);
  const named = Object.entries(properties).flatMap(([name, value]): readonly KnownField[] => {
    const place = path === '' ? name : `${path}.${name}`;
    const field = { format, path: place, name, isRequired: required.includes(name) };
    return [{ ...field, schema: resolveSchema(value, undefined, format) }, ...fieldsBelow(format, value, place, inner)];
  });
  const [list, map] = [items, typeof additionalProperties === 'object' ? additionalProperties : undefined];
  return [
    ...named,
    ...(list ? fieldsBelow(format, list, `${path}[]`, inner) : []),
    ...(map ? fieldsBelow(format, map, path === '' ? '*' : `${path}.*`, inner) : []),
    ...kindsOf(resolveSchema(schema, undefined, format)).flatMap((each) => fieldsBelow(format, each, path, inner)),
  ];
}

/** What a schema says of some values only, such as of a kind of data source. */
function kindsOf({ allOf = [] }: JsonSchema): readonly JsonSchema[] {
  return allOf.flatMap(({ then }) => (then?.$ref === undefined ? [] : [then]));
}
