import type { JsonSchema } from './schema-at.ts';
import { resolveSchema } from './schema-at.ts';
import { type SchemaName, schemaNames, schemaOf } from './validate-schema.ts';

/** Whether every field of this name, in any format, is a list or an object. */
export function isStructured(name: string): boolean {
  const all = named(name).map(({ schema, file }) => [resolveSchema(schema, undefined, file).type].flat());
  return all.length > 0 && all.every((types) => types.every((type) => type === 'object' || type === 'array'));
}

/** Whether a field of this name exists at the top level only. */
export function isTopLevel(name: string): boolean {
  const all = named(name);
  return all.length > 0 && all.every(({ isTop }) => isTop);
}

interface NamedSchema {
  readonly schema: JsonSchema;
  readonly file: SchemaName;
  readonly isTop: boolean;
}

function named(name: string): readonly NamedSchema[] {
  const found: NamedSchema[] = [];
  for (const file of schemaNames) {
    const root = schemaOf(file) as JsonSchema;
    collect(root, root);
    function collect(value: unknown, schema: JsonSchema): void {
      if (typeof value !== 'object' || value === null) return;
      if ('properties' in value) {
        const property = (value as JsonSchema).properties?.[name];
        if (property) found.push({ schema: property, file, isTop: value === schema });
      }
      for (const child of Object.values(value)) collect(child, schema);
    }
  }
  return found;
}
