import type { KnownValue } from '../../../catalog/catalog.ts';
import { isDescribed, type Described, type OpenApiDocument } from './document.ts';

/** A documented property of records. */
export interface DescribedColumn {
  /** DuckDB type. */
  readonly type: string;
  readonly comment?: string;
  readonly values?: readonly KnownValue[];
}

const partsOf = ['allOf', 'oneOf', 'anyOf'];

/**
 * The properties of an object schema, including its subschemas. Schemas may be recursive and shared: each is visited
 * once.
 */
export function propertiesOf(document: OpenApiDocument, schema: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const seen = new Set<Described>();
  const collect = (value: unknown): void => {
    const own = document.object(value);
    if (!own || seen.has(own) || seen.size === maxParts) return;
    seen.add(own);
    for (const part of partSchemas(own)) collect(part);
    if (!isDescribed(own['properties'])) return;
    for (const [name, property] of Object.entries(own['properties'])) found.set(name, property);
  };
  collect(schema);
  return found;
}

/** Maximum number of visited subschemas. */
const maxParts = 1000;

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

/** Types of visited schemas; undefined during the visit. */
type KnownTypes = Map<Described, string | undefined>;

/** `type` may be a list with null; subschemas of which one is not null count as that one. */
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

/** The common type of all subschemas; a recursive one has none. */
function partType(document: OpenApiDocument, schema: Described, known: KnownTypes): string {
  if (isDescribed(schema['properties'])) return 'JSON';
  if (known.size === maxParts) return 'VARCHAR';
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
