import assert from 'node:assert/strict';
import { ESLint } from 'eslint';
import { projectFolder } from '../../support/vscode-host.ts';

describe('lint of dialect comparisons outside server/src/dialects', () => {
  const eslint = new ESLint({ cwd: projectFolder });
  const refused = async (code: string, file: string): Promise<readonly (string | null)[]> => {
    const text = `export function of(dialect: string): unknown {\n  ${code}\n}\n`;
    const [result] = await eslint.lintText(text, { filePath: file });
    const rules = (result?.messages ?? []).map(({ ruleId }) => ruleId);
    return rules.filter((rule) => rule === 'no-restricted-syntax');
  };

  for (const code of [
    "return dialect === 'duckdb' ? 1 : 2;",
    "return 'postgresql' !== dialect;",
    "switch (dialect) { case 'postgresql': return 1; default: return 2; }",
    'return { duckdb: 1, postgresql: 2 };',
  ]) {
    it(`refuses ${code}`, async () => {
      assert.deepEqual(await refused(code, 'server/src/query/x.ts'), ['no-restricted-syntax']);
      assert.deepEqual(await refused(code, 'server/src/dialects/duckdb/x.ts'), []);
    });
  }

  for (const file of [
    'client/src/x.ts',
    'webview/src/x.ts',
    'protocol/x.ts',
    'server/src/connectors/trino/x.ts',
    'server/src/connectors/redact-secrets.ts',
  ]) {
    it(`refuses comparisons in ${file}`, async () => {
      assert.deepEqual(await refused("return dialect === 'duckdb' ? 1 : 2;", file), ['no-restricted-syntax']);
    });
  }

  it('accepts names that decide nothing', async () => {
    assert.deepEqual(await refused("return { dialect: 'duckdb', old: dialect };", 'server/src/query/x.ts'), []);
  });

  for (const code of [`return \`'\${dialect.replaceAll("'", "''")}'\`;`, `return dialect.replaceAll('"', '""');`]) {
    it(`refuses ${code}`, async () => {
      for (const room of ['export', 'event-graph', 'operations']) {
        assert.deepEqual(await refused(code, `server/src/${room}/x.ts`), ['no-restricted-syntax']);
      }
      assert.deepEqual(await refused(code, 'server/src/dialects/standard/x.ts'), []);
    });
  }
});
