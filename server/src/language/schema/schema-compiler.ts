import { Ajv, type CodeOptions } from 'ajv';
import { uniqueItems } from './unique-items.ts';

/** The compiler of all schemas, for use at run time and by builds. */
export function schemaCompiler(code: CodeOptions): Ajv {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, code });
  return ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
}
