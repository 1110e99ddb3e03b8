import { Ajv, type CodeKeywordDefinition, type CodeOptions, type KeywordCxt, _ } from 'ajv';
import { lastRepeated } from './last-repeated.ts';

/** The compiler of all schemas, for use at run time and by builds. */
export function schemaCompiler(code: CodeOptions): Ajv {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, code });
  return ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
}

/** `uniqueItems` in linear time: ajv compares all pairs, which takes minutes for the properties of a generated file. */
const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: 'must NOT have duplicate items',
    params: ({ params }) => _`{i: ${params['pair']}.i, j: ${params['pair']}.j}`,
  },
  code,
};

/** The function is referenced by the compiled schema, and required by one that a build generates. */
function code(context: KeywordCxt): void {
  const { gen, data, schema } = context;
  if (schema !== true) return;
  const find = gen.scopeValue('func', { ref: lastRepeated, code: _`require("./last-repeated.ts").lastRepeated` });
  const pair = gen.const('pair', _`${find}(${data})`);
  context.setParams({ pair });
  context.fail(_`${pair} !== undefined`);
}
