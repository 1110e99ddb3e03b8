import type { KnownValue } from '../../../catalog/catalog.ts';
import { isDescribed, type Described, type OpenApiDocument } from './document.ts';

/** A property of records as a document describes it. */
export interface DescribedColumn {
  /** DuckDB type. */
  readonly type: string;
  readonly comment?: string;
  readonly values?: readonly KnownValue[];
}

const partsOf = ['allOf', 'oneOf', 'anyOf'];

/**
 * The properties of an object's schema, those of the parts that it is put together from among them. Schemas may be parts of themselves,
 * and of several others: each is looked at once.
 */
export function propertiesOf(document: OpenApiDocument, schema: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const seen = new Set<Described>();
  const collect = (value: unknown): void => {
    const own = document.object(value);
    if (!own || seen.has(own) || seen.size === mostParts) return;
    seen.add(own);
    for (const part of partSchemas(own)) collect(part);
    if (!isDescribed(own['properties'])) return;
    for (const [name, property] of Object.entries(own['properties'])) found.set(name, property);
  };
  collect(schema);
  return found;
}

/** Schemas that one is put together from, also of those within others: more are followed no further. */
const mostParts = 1000;

function partSchemas(schema: Described): readonly unknown[] {
  return partsOf.flatMap((name) => (Array.isArray(schema[name]) ? (schema[name] as unknown[]) : []));
}

export function columnOf(document: OpenApiDocument, schema: unknown): DescribedColumn {
  const own = document.object(schema) ?? {};
  const { description, title } = own;
  const comment = [description, title].find((each): each is string => typeof each === 'string' && each !== '');
  const values = Array.isArray(own['enum'])
    ? own['enum'].filter((each) => typeof each === 'string' || typeof each === 'number')
    : [];
  return {
    type: typeOf(document, own, new Map()),
    ...(comment !== undefined && { comment: comment.split('\n')[0] ?? comment }),
    ...(values.length > 0 && { values: values.map((value) => ({ value: String(value) })) }),
  };
}

/** The types of the schemas that were looked at; undefined while one is. */
type KnownTypes = Map<Described, string | undefined>;

/** `type` may be a list with null in it; parts of which all but one are null count as that one. */
function typeOf(document: OpenApiDocument, schema: Described, known: KnownTypes): string {
  const { type, format } = schema;
  const types: readonly unknown[] = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  if (types.length > 1) return 'VARCHAR';
  switch (types[0]) {
    case 'integer':
      return 'BIGINT';
    case 'number':
      return 'DOUBLE';
    case 'boolean':
      return 'BOOLEAN';
    case 'array':
    case 'object':
      return 'JSON';
    case 'string':
      return format === 'date-time' ? 'TIMESTAMP WITH TIME ZONE' : format === 'date' ? 'DATE' : 'VARCHAR';
    default:
      return partType(document, schema, known);
  }
}

/** The type that all parts have; one that is a part of itself says nothing of its own. */
function partType(document: OpenApiDocument, schema: Described, known: KnownTypes): string {
  if (isDescribed(schema['properties'])) return 'JSON';
  if (known.size === mostParts) return 'VARCHAR';
  known.set(schema, undefined);
  const types = new Set<string>();
  for (const each of partSchemas(schema)) {
    const part = document.object(each);
    if (!part || part['type'] === 'null') continue;
    const type = known.has(part) ? known.get(part) : typeOf(document, part, known);
    if (type !== undefined) types.add(type);
  }
  const [first] = types;
  const type = first !== undefined && types.size === 1 ? first : 'VARCHAR';
  known.set(schema, type);
  return type;
}
