// `node scripts/schemas.mjs [--check]`: writes schemas/entity-sources.schema.json from the settings of the source kinds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { tsImport } from 'tsx/esm/api';
import { isMainModule, root } from './paths.mjs';

const connectors = 'server/src/connectors';
const path = join(root, 'schemas/entity-sources.schema.json');

/** Writes the schema if it differs; with `check` it is only compared. Resolves to whether it was up to date. */
export async function writeSchemas({ check = false } = {}) {
  const { sourceKinds } = await tsImport(`../${connectors}/source-kinds.ts`, import.meta.url);
  const { sourcesSchema } = await tsImport(`../${connectors}/sources-schema.ts`, import.meta.url);
  const text = await schemaText(sourcesSchema(sourceKinds()));
  if (readFileSync(path, 'utf8') === text) return true;
  if (!check) writeFileSync(path, text);
  return false;
}

/** Objects are multi-line down to the properties of a definition; deeper ones only if they do not fit on a line. */
function schemaText(schema) {
  return format(textOf(schema, 4), { parser: 'json', printWidth: 120 });
}

function textOf(value, depth) {
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each, depth - 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${textOf(each, depth - 1)}`);
  return depth > 0 ? `{\n${entries.join(',\n')}\n}` : `{${entries.join(',')}}`;
}

if (isMainModule(import.meta.url)) {
  const check = process.argv.includes('--check');
  const isCurrent = await writeSchemas({ check });
  if (check && !isCurrent) {
    console.error('schemas/entity-sources.schema.json is out of date: run node scripts/schemas.mjs.');
    process.exitCode = 1;
  } else {
    console.log(`schemas: ${isCurrent ? 'nothing to do' : 'written'}.`);
  }
}
