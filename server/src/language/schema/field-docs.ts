import { type JsonSchema, type SchemaPlace, resolveSchema, schemaAt } from './schema-at.ts';
import type { SchemaName } from './validate-schema.ts';

/** Schema documentation of a field. */
export interface FieldDocs {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly unknown[];
  /** Allowed values, if restricted. */
  readonly values: readonly (string | number | boolean)[];
  /** Required by the schema, or by an import. */
  readonly needed: boolean;
  /** Insert form of the value: a list, or a placeholder. */
  readonly shape: 'text' | 'list' | 'object' | 'either' | 'other';
}

/** The fields of an object at a position; empty for other values, and for unknown paths. */
export function fieldsAt(name: SchemaName, place: SchemaPlace): readonly FieldDocs[] {
  const schema = schemaAt(name, place);
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([property, value]) =>
    docsOf(property, resolveSchema(value, undefined, name), required.has(property)),
  );
}

/** The field at the end of a path; undefined if unknown. */
export function fieldAt(name: SchemaName, place: SchemaPlace): FieldDocs | undefined {
  const { path } = place;
  return fieldsAt(name, { ...place, path: path.slice(0, -1) }).find((property) => property.name === path.at(-1));
}

function docsOf(name: string, schema: JsonSchema, required: boolean): FieldDocs {
  const types = [schema.type].flat();
  return {
    name,
    description: schema.description ?? '',
    examples: schema.examples ?? [],
    values: valuesOf(schema, types).filter(isPlain),
    needed: required || schema['x-needed'] === true,
    shape: shapeOf(types, schema.then?.enum !== undefined),
  };
}

function valuesOf(schema: JsonSchema, types: readonly unknown[]): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const];
  if (types.includes('boolean')) return [true, false];
  return schema.enum ?? schema.then?.enum ?? [];
}

function shapeOf(types: readonly unknown[], hasWords: boolean): FieldDocs['shape'] {
  if (hasWords && (types.includes('array') || types.includes('object'))) return 'either';
  if (types.includes('string')) return 'text';
  if (types.includes('array')) return 'list';
  return types.includes('object') ? 'object' : 'other';
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
