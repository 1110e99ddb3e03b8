import type { StepPath } from '../cursor/scalar-place.ts';
import { type SchemaName, schemaOf } from './validate-schema.ts';

/** The supported subset of JSON Schema. */
export interface JsonSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly allOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  /** Offered first, because an import requires it; the schema does not. */
  readonly 'x-needed'?: boolean;
}

/** A position in a file, with the file's data, because valid content may depend on values, such as a source's kind. */
export interface SchemaPlace extends StepPath {
  readonly data: unknown;
}

/** The schema at a position, with references and conditions resolved; undefined if unknown. */
export function schemaAt(name: SchemaName, { path, indexes, data }: SchemaPlace): JsonSchema | undefined {
  const root = schemaOf(name) as JsonSchema;
  const lists = [...indexes];
  let schema = resolveSchema(root, data, name);
  let value = data;
  for (const step of path) {
    const next: JsonSchema | undefined = step === '[]' ? schema.items : childSchema(schema, step);
    if (!next) return undefined;
    value = childOf(value, step === '[]' ? String(lists.shift() ?? 0) : step);
    schema = resolveSchema(next, value, name);
  }
  return schema;
}

/** Merges a schema with its references and its applicable conditions. */
export function resolveSchema(schema: JsonSchema, value: unknown, name: SchemaName): JsonSchema {
  const { $ref, ...own } = schema;
  const definitions = (schemaOf(name) as JsonSchema).definitions;
  const referred = $ref === undefined ? undefined : definitions?.[$ref.slice('#/definitions/'.length)];
  const base: JsonSchema = referred ? { ...resolveSchema(referred, value, name), ...own } : own;
  const conditional = (base.allOf ?? []).flatMap((part) =>
    part.if && part.then && holds(part.if, value) ? [resolveSchema(part.then, value, name)] : [],
  );
  return conditional.reduce(merge, base);
}

/** Descriptions of the base schema have priority. */
function merge(base: JsonSchema, further: JsonSchema): JsonSchema {
  return {
    ...further,
    ...base,
    properties: { ...further.properties, ...base.properties },
    required: [...(base.required ?? []), ...(further.required ?? [])],
  };
}

function childSchema({ properties, additionalProperties }: JsonSchema, key: string): JsonSchema | undefined {
  return properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** Schemas with conditions on one property value. */
function holds({ properties }: JsonSchema, value: unknown): boolean {
  return Object.entries(properties ?? {}).every(([name, { const: wanted }]) => childOf(value, name) === wanted);
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
