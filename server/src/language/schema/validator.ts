import type { ValidateFunction } from 'ajv';
import { schemaCompiler } from './schema-compiler.ts';

/** Compiled on first use. */
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * The validator of a schema. Compiling takes longer than everything else that a command does, so builds replace this
 * module by the compiled schemas (`scripts/schema-validators.mjs`).
 */
export function validatorOf(_name: string, schema: object): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) {
    // Optimizing takes as long as compiling; validating is as fast without it.
    validate = schemaCompiler({ optimize: false }).compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}
