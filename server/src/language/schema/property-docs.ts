import { type JsonSchema, type SchemaPlace, resolveSchema, schemaAt } from './schema-at.ts';
import type { SchemaName } from './validate-schema.ts';

/** What a schema says about a property. */
export interface PropertyDocs {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly unknown[];
  /** Allowed values, when only some are. */
  readonly values: readonly (string | number | boolean)[];
  /** The schema requires it, or nothing works before it is set. */
  readonly needed: boolean;
  /** What a value looks like; either a list or a word in its place. */
  readonly shape: 'text' | 'list' | 'object' | 'either' | 'other';
}

/** The properties that the object at a place may have; none when it is no object, or the schema does not know it. */
export function propertiesAt(name: SchemaName, place: SchemaPlace): readonly PropertyDocs[] {
  const schema = schemaAt(name, place);
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([property, value]) =>
    docsOf(property, resolveSchema(value, undefined, name), required.has(property)),
  );
}

/** The property that a path ends in; undefined when the schema does not know it. */
export function propertyAt(name: SchemaName, place: SchemaPlace): PropertyDocs | undefined {
  const { path } = place;
  return propertiesAt(name, { ...place, path: path.slice(0, -1) }).find((property) => property.name === path.at(-1));
}

function docsOf(name: string, schema: JsonSchema, required: boolean): PropertyDocs {
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

function shapeOf(types: readonly unknown[], hasWords: boolean): PropertyDocs['shape'] {
  if (hasWords && types.includes('array')) return 'either';
  if (types.includes('string')) return 'text';
  if (types.includes('array')) return 'list';
  return types.includes('object') ? 'object' : 'other';
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
