import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ESLint } from 'eslint';

/** The place of a text, the text, and whether lint refuses it. */
const texts: readonly (readonly [path: string, text: string, isRefused: boolean])[] = [
  ['server/src/operations/a.ts', "export const is = source.kind?.value === 'csv';", true],
  ['server/src/operations/a.ts', "export const is = kind !== 'postgresql';", true],
  ['server/src/language/a.ts', "export const is = 'rest' === sourceKind;", true],
  ['server/src/language/a.ts', "export const is = name == 'servicenow';", true],
  ['server/src/lsp/features/to-markup.ts', "export const is = connector.kind === 'csv';", true],
  ['server/src/connectors/http/a.ts', "export const is = config.kind === 'rest';", true],
  ['server/src/project/a.ts', "switch (source.kind) { case 'csv': run(); }", true],
  ['server/src/project/a.ts', "switch (source.kind?.value) { case 'csv': run(); }", true],
  ['server/src/project/a.ts', "switch (kind) { case 'postgresql': run(); }", true],
  ['server/src/project/a.ts', 'export const rows = { csv: 1, servicenow: 2 };', true],
  ['server/src/project/a.ts', "export const kinds = new Set(['rest', 'servicenow']);", true],
  ['client/src/a.ts', "export const is = kinds.includes(source.kind) && source.kind === 'rest';", true],
  ['client/src/a.ts', "export const kinds = ['servicenow'];", true],
  ['server/src/connectors/csv/a.ts', "export const is = plan.kind === 'csv';", false],
  ['server/src/export/a.ts', "export const is = form === 'csv';", false],
  ['server/src/query/a.ts', 'export const words = { postgresql: 1, duckdb: 2 };', false],
  ['server/src/cli/a.ts', "export const command = { name: 'servicenow' };", false],
  ['server/src/project/a.ts', 'export const rows = { ocel: 1, xes: 2 };', true],
  ['server/src/export/a.ts', 'export const formats = { csv: 1, xes: 2 };', false],
  ['client/src/a.ts', "export const endings = ['csv', 'tsv'];", false],
  ['server/src/operations/platform/a.ts', "export const key = row['sys_id'];", true],
  ['server/src/operations/platform/a.ts', 'export const { sys_id: key } = row;', true],
  ['server/src/lsp/a.ts', 'export const text = `?sysparm_limit=${limit}`;', true],
  ['server/src/cli/commands/a.ts', "export const usage = 'TABLE SYS_ID';", true],
  ['client/src/a.ts', "export const prompt = 'sys_id of the record';", true],
  ['webview/src/a.ts', 'export const open = /SYS_ID|STAGING_TABLE/;', true],
  ['protocol/a.ts', "export const limit = 'sysparm_limit';", true],
  ['server/src/cli/commands/servicenow.ts', "export const usage = 'TABLE SYS_ID';", false],
  ['server/src/connectors/servicenow/a.ts', "export const key = 'sys_id';", false],
  ['server/src/connectors/rest/a.ts', "export const key = 'sys_id';", true],
  ['server/src/connectors/csv/a.ts', "export const limit = 'sysparm_limit';", true],
  ['server/src/connectors/http/a.ts', "export const property = 'glide.oauth.enabled';", true],
  ['server/src/connectors/trino/csv-rows.ts', 'export const table = STAGING_TABLE;', true],
  ['server/src/connectors/rest/a.ts', "export const is = plan.kind === 'csv';", true],
  ['client/src/tooltip.ts', "export const is = source.kind === 'rest';", true],
];

describe('lint of source kinds', () => {
  const eslint = new ESLint();
  for (const [path, text, isRefused] of texts) {
    it(`${isRefused ? 'refuses' : 'accepts'} in ${path}: ${text}`, async () => {
      const [result] = await eslint.lintText(text, { filePath: path });
      const found = result?.messages.filter(({ message }) => message.startsWith('Ask the source kind')) ?? [];
      assert.equal(found.length > 0, isRefused, JSON.stringify(result?.messages));
    });
  }
});

interface ImportRule {
  readonly name: string;
  readonly from: Place;
  readonly to: Place;
}

interface Place {
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
}

/** An importing file, an imported file, and whether the import rules refuse this because of the source kind. */
const imports: readonly (readonly [from: string, to: string, isRefused: boolean])[] = [
  ['operations/platform/a.ts', 'connectors/servicenow/api/client.ts', true],
  ['operations/a.ts', 'connectors/rest/source-kind.ts', true],
  ['cli/commands/a.ts', 'connectors/csv/read-settings.ts', true],
  ['connectors/rest/a.ts', 'connectors/servicenow/read-settings.ts', true],
  ['connectors/fetched/a.ts', 'connectors/csv/pull.ts', true],
  ['connectors/create-connector.ts', 'connectors/postgresql/connector.ts', true],
  ['connectors/source-kinds.ts', 'connectors/postgresql/connector.ts', true],
  ['connectors/source-kinds.ts', 'connectors/postgresql/source-kind.ts', false],
  ['connectors/rest/a.ts', 'connectors/rest/read-settings.ts', false],
  ['connectors/rest/a.ts', 'connectors/endpoints/endpoint.ts', false],
  ['operations/platform/a.ts', 'connectors/source-writer.ts', false],
];

describe('import rules of source kinds', () => {
  const { forbidden } = createRequire(join(process.cwd(), 'package.json'))('./.dependency-cruiser.cjs') as {
    readonly forbidden: readonly ImportRule[];
  };
  const rules = forbidden.filter(({ name }) => /^kind-|^registry-/.test(name));
  const isAt = (path: string, { path: within = '', pathNot = [] }: Place): boolean =>
    [within].flat().some((each) => new RegExp(each).test(path)) &&
    ![pathNot].flat().some((each) => new RegExp(each).test(path));
  for (const [from, to, isRefused] of imports) {
    it(`${isRefused ? 'refuse' : 'accept'} ${to} in ${from}`, () => {
      const found = rules.filter((rule) => isAt(`server/src/${from}`, rule.from) && isAt(`server/src/${to}`, rule.to));
      assert.equal(found.length > 0, isRefused);
    });
  }
});
