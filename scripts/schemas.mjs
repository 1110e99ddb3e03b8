// `node scripts/schemas.mjs [--check]`: writes schemas/entity-sources.schema.json from the settings of the source kinds, and the
// fields of entries in schemas/entity-graph.schema.json from protocol/fields/. The rest of that file is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { tsImport } from 'tsx/esm/api';
import { propertiesOf } from './field-schemas.mjs';
import { isMainModule, root } from './paths.mjs';

const connectors = 'server/src/connectors';
const sourcesPath = 'schemas/entity-sources.schema.json';
const graphPath = 'schemas/entity-graph.schema.json';

/** Writes the schemas that differ; with `check` they are only compared. Resolves to those that were not up to date. */
export async function writeSchemas({ check = false } = {}) {
  const outdated = [];
  for (const [path, text] of [await sourcesText(), await graphText()]) {
    if (readFileSync(join(root, path), 'utf8') === text) continue;
    if (!check) writeFileSync(join(root, path), text);
    outdated.push(path);
  }
  return outdated;
}

async function sourcesText() {
  const { sourceKinds } = await tsImport(`../${connectors}/source-kinds.ts`, import.meta.url);
  const { sourcesSchema } = await tsImport(`../${connectors}/sources-schema.ts`, import.meta.url);
  return [sourcesPath, await schemaText(sourcesSchema(sourceKinds()))];
}

async function graphText() {
  const { fieldTables } = await tsImport('../protocol/fields/field-tables.ts', import.meta.url);
  const schema = JSON.parse(readFileSync(join(root, graphPath), 'utf8'));
  for (const [name, fields] of Object.entries(fieldTables)) {
    schema.definitions[name].properties = propertiesOf(fields);
  }
  const layout = { parser: 'json', printWidth: 120, objectWrap: 'collapse' };
  return [graphPath, await format(JSON.stringify(schema), layout)];
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
  const outdated = await writeSchemas({ check });
  if (check && outdated.length > 0) {
    console.error(`${outdated.join(' and ')} out of date: run node scripts/schemas.mjs.`);
    process.exitCode = 1;
  } else {
    console.log(`schemas: ${outdated.length === 0 ? 'nothing to do' : 'written'}.`);
  }
}
