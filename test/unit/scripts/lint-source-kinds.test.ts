import assert from 'node:assert/strict';
import { ESLint } from 'eslint';

/** Where a text would stand, the text, and whether lint refuses it. */
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
