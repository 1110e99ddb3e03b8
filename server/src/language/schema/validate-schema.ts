import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import entityGraphSchema from '../../../../schemas/entity-graph.schema.json' with { type: 'json' };
import entitySourcesSchema from '../../../../schemas/entity-sources.schema.json' with { type: 'json' };
import { uniqueItems } from './unique-items.ts';

export const schemas = { entityGraph: entityGraphSchema, entitySources: entitySourcesSchema } as const;
export type SchemaName = keyof typeof schemas;

/** Compiled on first use: a process that never validates does not pay for it. */
const compiled = new Map<SchemaName, ValidateFunction>();

/** What data does not fulfil of a schema, as `ajv` tells it; of `if` and `allOf` only what lies below. */
export function schemaErrors(name: SchemaName, data: unknown): readonly ErrorObject[] {
  let validate = compiled.get(name);
  if (!validate) {
    const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
    validate = ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems).compile(schemas[name]);
    compiled.set(name, validate);
  }
  validate(data);
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
}
