import { type SchemaName, schemas } from './validate-schema.ts';

/** What a schema says about a place in a document. */
export interface PropertyDocs {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly unknown[];
  /** Allowed values, when only some are. */
  readonly values: readonly (string | number | boolean)[];
  /** The schema requires it, or nothing works before it is set. */
  readonly needed: boolean;
  /** What a value looks like, for snippets. */
  readonly shape: 'text' | 'list' | 'object' | 'boolean' | 'other';
}

/** The properties that an object at a path may have; a list's entries are the step `[]`. None when the path is unknown. */
export function propertiesAt(schema: SchemaName, path: readonly string[], kind?: string): readonly PropertyDocs[] {
  const node = schemaAt(schema, path, kind);
  const required = new Set(list(node?.['required']));
  return Object.entries(record(node?.['properties'])).map(([name, value]) =>
    docsOf(name, value, schema, required.has(name)),
  );
}

/** The property that a path ends in; undefined when the schema does not know it. */
export function propertyAt(schema: SchemaName, path: readonly string[], kind?: string): PropertyDocs | undefined {
  return propertiesAt(schema, path.slice(0, -1), kind).find(({ name }) => name === path.at(-1));
}

type SchemaNode = Readonly<Record<string, unknown>>;

function schemaAt(schema: SchemaName, path: readonly string[], kind: string | undefined): SchemaNode | undefined {
  let node: SchemaNode | undefined = resolve(schemas[schema], schema);
  for (const step of path) {
    if (!node) return undefined;
    const properties = record(node['properties']);
    const next: unknown = step === '[]' ? node['items'] : (properties[step] ?? node['additionalProperties']);
    node = isRecord(next) ? resolve(next, schema, kind) : undefined;
  }
  return node;
}

/** Follows `$ref`; of a data source, the definition of its kind. Words beside the `$ref` win over those behind it. */
function resolve(node: SchemaNode, schema: SchemaName, kind?: string): SchemaNode {
  const definitions = record((schemas[schema] as SchemaNode)['definitions']);
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  const name = reference.split('/').at(-1) ?? '';
  const wanted = name === 'dataSource' && kind !== undefined && isRecord(definitions[kind]) ? kind : name;
  const target = resolve(record(definitions[wanted]), schema, kind);
  // What all kinds have is described with its values in one place.
  const common = wanted === name ? {} : record(record(definitions[name])['properties']);
  return { ...target, properties: { ...record(target['properties']), ...common }, ...node };
}

function docsOf(name: string, value: unknown, schema: SchemaName, required: boolean): PropertyDocs {
  const node = isRecord(value) ? resolve(value, schema) : {};
  const types = [node['type']].flat();
  return {
    name,
    description: typeof node['description'] === 'string' ? node['description'] : '',
    examples: list(node['examples']),
    values: valuesOf(node, types).filter(isPlain),
    needed: required || node['x-needed'] === true,
    shape: shapeOf(types),
  };
}

function valuesOf(node: SchemaNode, types: readonly unknown[]): readonly unknown[] {
  if (node['const'] !== undefined) return [node['const']];
  if (types.includes('boolean')) return [true, false];
  return list(node['enum'] ?? record(node['then'])['enum']);
}

function shapeOf(types: readonly unknown[]): PropertyDocs['shape'] {
  if (types.includes('string')) return 'text';
  if (types.includes('array')) return 'list';
  if (types.includes('object')) return 'object';
  return types.includes('boolean') ? 'boolean' : 'other';
}

function isRecord(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function record(value: unknown): SchemaNode {
  return isRecord(value) ? value : {};
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
