import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import entityGraphSchema from '../../../../schemas/entity-graph.schema.json' with { type: 'json' };
import entityTestsSchema from '../../../../schemas/entity-tests.schema.json' with { type: 'json' };
import { sourceKinds } from '../../connectors/source-kinds.ts';
import { sourcesSchema } from '../../connectors/sources-schema.ts';
import { uniqueItems } from './unique-items.ts';

export type SchemaName = 'entityGraph' | 'entitySources' | 'entityTests';

/** The schemas of entity graphs and sources files, in which fields of one name mean the same. */
export const schemaNames: readonly SchemaName[] = ['entityGraph', 'entitySources'];

/** The schema of a file; that of sources files contains the registered kinds. */
export function schemaOf(name: SchemaName): object {
  if (name === 'entityGraph') return entityGraphSchema;
  if (name === 'entityTests') return entityTestsSchema;
  const kinds = sourceKinds();
  let schema = ofSources.get(kinds);
  if (!schema) {
    schema = sourcesSchema(kinds);
    ofSources.set(kinds, schema);
  }
  return schema;
}

const ofSources = new WeakMap<object, object>();

/** Compiled on first use. */
const compiled = new WeakMap<object, ValidateFunction>();

/** Violations as reported by `ajv`; of `if` and `allOf` only the nested ones. */
export function schemaErrors(name: SchemaName, data: unknown): readonly ErrorObject[] {
  const schema = schemaOf(name);
  let validate = compiled.get(schema);
  if (!validate) {
    // Optimizing takes as long as compiling, at the start of every command; validating is as fast without it.
    const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, code: { optimize: false } });
    validate = ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems).compile(schema);
    compiled.set(schema, validate);
  }
  validate(data);
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
}
