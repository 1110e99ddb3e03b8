import shared from './shared-settings.schema.json' with { type: 'json' };
import type { SourceKind } from './source-kind.ts';

/**
 * The JSON Schema of sources files: common settings, then those of each kind. `scripts/schemas.mjs` writes the file in
 * `schemas/` from it.
 */
export function sourcesSchema(kinds: readonly SourceKind[]): object {
  const definitions: Record<string, object> = { ...shared.definitions, dataSource: dataSourceOf(kinds) };
  for (const { name, settingsSchema } of kinds) {
    for (const [key, definition] of Object.entries(settingsSchema)) {
      if (key in definitions) throw new Error(`The settings of ${name} define ${key}, which is taken.`);
      definitions[key] = definition;
    }
  }
  return { ...shared, definitions };
}

/** The definition named after its kind describes a data source. */
function dataSourceOf(kinds: readonly SourceKind[]): object {
  const { dataSource } = shared.definitions;
  const names = kinds.map(({ name, kindNote }) => (kindNote === undefined ? name : `${name} (${kindNote})`));
  return {
    ...dataSource,
    properties: {
      kind: {
        ...dataSource.properties.kind,
        description: `What the data source is: ${names.join(', ')}.`,
        enum: kinds.map(({ name }) => name),
      },
    },
    allOf: kinds.map(({ name }) => ({
      if: { properties: { kind: { const: name } }, required: ['kind'] },
      then: { $ref: `#/definitions/${name}` },
    })),
  };
}
