import assert from 'node:assert/strict';
import { ESLint } from 'eslint';

/** The place of a text, the text, and whether lint refuses it. */
const texts: readonly (readonly [path: string, text: string, isRefused: boolean])[] = [
  ['server/src/query/a.ts', 'export const all = { ...{ a, b }, c };', true],
  ['server/src/connectors/csv/a.ts', 'export const all = { ...{ a, b }, c };', true],
  ['server/src/lsp/features/to-markup.ts', 'export const all = { ...{ a, b }, c };', true],
  ['client/src/a.ts', 'export const all = { c, ...{ a } };', true],
  ['webview/src/ui/a.ts', 'export const all = { c, ...{ a } };', true],
  ['protocol/a.ts', 'export const all = { c, ...{ a } };', true],
  ['client/src/tooltip.ts', 'export const all = { c, ...{ a } };', true],
  ['server/src/cli/commands/servicenow.ts', 'export const all = { c, ...{ a } };', true],
  ['server/src/query/a.ts', 'export const all = { a, b, c };', false],
  ['server/src/query/a.ts', 'export const all = { ...given, ...(isWhole && { c }) };', false],
  ['server/src/query/a.ts', 'export const all = { ...given, ...(isWhole ? { c } : {}) };', false],
];

describe('lint of object literals', () => {
  const eslint = new ESLint();
  for (const [path, text, isRefused] of texts) {
    it(`${isRefused ? 'refuses' : 'accepts'} in ${path}: ${text}`, async () => {
      const [result] = await eslint.lintText(text, { filePath: path });
      const found = result?.messages.filter(({ message }) => message.startsWith('Write the members themselves')) ?? [];
      assert.equal(found.length > 0, isRefused, JSON.stringify(result?.messages));
    });
  }
});
