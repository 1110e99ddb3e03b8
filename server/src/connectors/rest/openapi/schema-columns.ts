import type { KnownValue } from '../../../catalog/catalog.ts';
import { isDescribed, type Described, type OpenApiDocument } from './document.ts';

/** A property of records as a document describes it. */
export interface DescribedColumn {
  /** DuckDB type. */
  readonly type: string;
  readonly comment?: string;
  readonly values?: readonly KnownValue[];
}

/** Schemas may be parts of themselves. */
const deepest = 10;

/** The properties of an object's schema, those of the parts that it is put together from among them. */
export function propertiesOf(document: OpenApiDocument, schema: unknown, depth = 0): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const own = document.object(schema);
  if (!own || depth > deepest) return found;
  for (const part of ['allOf', 'oneOf', 'anyOf']) {
    const parts = own[part];
    if (!Array.isArray(parts)) continue;
    for (const each of parts)
      for (const [name, value] of propertiesOf(document, each, depth + 1)) found.set(name, value);
  }
  if (isDescribed(own['properties']))
    for (const [name, value] of Object.entries(own['properties'])) found.set(name, value);
  return found;
}

export function columnOf(document: OpenApiDocument, schema: unknown): DescribedColumn {
  const own = document.object(schema) ?? {};
  const { description, title } = own;
  const comment = [description, title].find((each): each is string => typeof each === 'string' && each !== '');
  const values = Array.isArray(own['enum'])
    ? own['enum'].filter((each) => typeof each === 'string' || typeof each === 'number')
    : [];
  return {
    type: typeOf(document, own),
    ...(comment !== undefined && { comment: comment.split('\n')[0] ?? comment }),
    ...(values.length > 0 && { values: values.map((value) => ({ value: String(value) })) }),
  };
}

/** `type` may be a list with null in it; parts of which all but one are null count as that one. */
function typeOf(document: OpenApiDocument, schema: Described, depth = 0): string {
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
      return depth > deepest ? 'VARCHAR' : partType(document, schema, depth);
  }
}

function partType(document: OpenApiDocument, schema: Described, depth: number): string {
  if (isDescribed(schema['properties'])) return 'JSON';
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((name) =>
    Array.isArray(schema[name]) ? (schema[name] as unknown[]) : [],
  );
  const types = parts
    .map((part) => document.object(part))
    .filter((part): part is Described => part !== undefined && part['type'] !== 'null')
    .map((part) => typeOf(document, part, depth + 1));
  return types[0] !== undefined && types.every((type) => type === types[0]) ? types[0] : 'VARCHAR';
}
