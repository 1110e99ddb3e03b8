import { join } from 'node:path';
import { root } from './paths.mjs';

const folder = join(root, 'server/src/language/schema');

/** Replaces `validator.ts` of the server by a module with the compiled schemas. */
export const schemaValidators = {
  name: 'schema-validators',
  setup(build) {
    build.onLoad({ filter: /[\\/]language[\\/]schema[\\/]validator\.ts$/ }, async () => {
      return { contents: await validatorsCode(), resolveDir: folder, loader: 'js' };
    });
  },
};

let code;

/** The same for all bundles of a build. */
function validatorsCode() {
  code ??= generateCode();
  return code;
}

async function generateCode() {
  // Packages are imported here, because this module is also loaded before they are installed.
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  const { tsImport } = await import('tsx/esm/api');
  const { schemaCompiler } = await tsImport(join(folder, 'schema-compiler.ts'), import.meta.url);
  const { allSchemaNames: names, schemaOf } = await tsImport(join(folder, 'validate-schema.ts'), import.meta.url);
  const compiler = schemaCompiler({ source: true, esm: true });
  for (const name of names) compiler.addSchema(schemaOf(name), name);
  const exported = standaloneCode.default(compiler, Object.fromEntries(names.map((name) => [name, name])));
  return `${exported}\nconst validators = { ${names.join(', ')} };\nexport const validatorOf = (name) => validators[name];\n`;
}
