import type { ErrorObject } from 'ajv';
import entityGraphSchema from '../../../../schemas/entity-graph.schema.json' with { type: 'json' };
import entityTestsSchema from '../../../../schemas/entity-tests.schema.json' with { type: 'json' };
import { sourceKinds } from '../../connectors/source-kinds.ts';
import { sourcesSchema } from '../../connectors/sources-schema.ts';
import { validatorOf } from './validator.ts';

export type SchemaName = 'entityGraph' | 'entitySources' | 'entityTests';

/** The schemas of entity graphs and sources files, in which fields of one name mean the same. */
export const schemaNames: readonly SchemaName[] = ['entityGraph', 'entitySources'];

/** The schema of a file; that of sources files contains the registered kinds. */
export function schemaOf(name: SchemaName): object {
  return schemas[name]();
}

const schemas: Readonly<Record<SchemaName, () => object>> = {
  entityGraph: () => entityGraphSchema,
  entitySources: schemaOfSources,
  entityTests: () => entityTestsSchema,
};

export const allSchemaNames = Object.keys(schemas) as readonly SchemaName[];

function schemaOfSources(): object {
  const kinds = sourceKinds();
  let schema = ofSources.get(kinds);
  if (!schema) {
    schema = sourcesSchema(kinds);
    ofSources.set(kinds, schema);
  }
  return schema;
}

const ofSources = new WeakMap<object, object>();

/** Violations as reported by `ajv`; of `if` and `allOf` only the nested ones. */
export function schemaErrors(name: SchemaName, data: unknown): readonly ErrorObject[] {
  const validate = validatorOf(name, schemaOf(name));
  validate(data);
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
}
