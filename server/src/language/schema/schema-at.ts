import type { StepPath } from '../cursor/scalar-place.ts';
import { type SchemaName, schemaOf } from './validate-schema.ts';

/** The parts of a JSON Schema that completion and hover read. */
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
  /** Nothing works before it is set, so it is offered first; a file without it is legal all the same. */
  readonly 'x-needed'?: boolean;
}

/** A place in a file, with the file as plain data: what is possible may depend on values, such as a source's kind. */
export interface SchemaPlace extends StepPath {
  readonly data: unknown;
}

/** What a schema says of the value at a place, references and conditions resolved; undefined where it knows nothing. */
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

/** One schema out of its own words, what it refers to, and the conditions that a value fulfils. */
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

/** The words of the base win: it describes what all the conditional ones have. */
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

/** The conditions of these schemas ask for one value of a property. */
function holds({ properties }: JsonSchema, value: unknown): boolean {
  return Object.entries(properties ?? {}).every(([name, { const: wanted }]) => childOf(value, name) === wanted);
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
