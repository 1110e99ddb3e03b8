import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';

const graph = graphText(
  '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: [zip] }\n  - { activityName: Ship, dataObject: shipments, key: id, startTimestamp: at }\n',
);
const data = {
  'graph.entity.yaml': graph,
  'orders.csv': 'id,at,zip\n1,2024-01-01,01234\n2,2024-01-02,99999\n',
  'shipments.csv': 'id,at\n1,2024-01-03\n',
};

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** docs/files.md */
describe('declared types of columns', () => {
  async function problemsOf(folder: string): Promise<readonly (readonly [string, string, number, number])[]> {
    const { stdout } = await runCommand(
      ['validate', '--online', 'entity-sources.yaml', '--format', 'json', '--workspace', folder],
      folder,
    );
    const [file] = JSON.parse(stdout) as readonly { readonly diagnostics: readonly Diagnostic[] }[];
    return (file?.diagnostics ?? []).map(({ code, message, range: { start } }) => [
      code,
      message,
      start.line,
      start.character,
    ]);
  }

  it('of a source hold in the files that have the column', async () => {
    const sources = csvSources(', types: { zip: VARCHAR }');
    await withProject({ ...data, 'entity-sources.yaml': sources }, async ({ folder, import: run, rows }) => {
      const imported = await run();
      assert.deepEqual([imported.status, imported.warnings], ['imported', []]);
      assert.deepEqual(await rows('SELECT zip FROM properties_1 ORDER BY 1'), [['01234'], ['99999']]);
      assert.deepEqual(await problemsOf(folder), []);
      const { code } = await runCommand(['new', 'shop', '--output', 'new.entity.yaml'], folder);
      assert.equal(code, 0);
    });
  });

  it('settings that apply to none of the files are warnings', async () => {
    const files = { 'a.json': '[{"id":1,"at":"2024-01-01T10:00:00"}]', 'b.csv': 'id,at\n1,2024-01-01\n' };
    const warnings = async (settings: string): Promise<readonly string[]> => {
      const sources = `version: 1\ndataSources:\n  shop: { kind: csv, ${settings} }\n`;
      return withProject({ ...files, 'entity-sources.yaml': sources }, async ({ folder }) => {
        const { stderr } = await runCommand(['objects', 'shop'], folder);
        return stderr.split('\n').filter((line) => line !== '');
      });
    };
    assert.deepEqual(await warnings('path: a.json, nullValues: ["?"], dateFormat: "%Y"'), [
      'warning: Data source shop: nullValues holds for text files with columns and workbooks only, so it has no effect.',
    ]);
    assert.deepEqual(await warnings('path: "*.{csv,json}", nullValues: ["?"], files: { b.csv: { records: value } }'), [
      'warning: Data source shop: files.b.csv.records holds for JSON files only, so it has no effect.',
    ]);
  });

  it('of a name that no file has are a warning at the setting, and of each import', async () => {
    const sources = csvSources(
      ', types: { zp: VARCHAR }, files: { shipments.csv: { types: { zip: DATE } }, x.csv: {} }',
    );
    await withProject({ ...data, 'entity-sources.yaml': sources }, async ({ folder, import: run }) => {
      const messages = [
        'Data source shop: types.zp names a column that no file has. Did you mean "zip"?',
        'Data source shop: files.shipments.csv.types.zip names a column that the file does not have.',
        'Data source shop: files.x.csv names no file of the source.',
      ];
      const line = sources.split('\n')[2] ?? '';
      const found = await problemsOf(folder);
      assert.deepEqual(
        found.map(([code, message, row, character]) => [code, message, row, line.slice(character).split(/[:,]/)[0]]),
        messages.map((message, index) => ['source-incomplete', message, 2, ['zp', 'zip', 'x.csv'][index]]),
      );
      const imported = await run();
      assert.deepEqual([imported.status, imported.warnings], ['imported', messages]);
      const { stderr } = await runCommand(['objects', 'shop'], folder);
      assert.deepEqual(
        stderr.trimEnd().split('\n'),
        messages.map((message) => `warning: ${message}`),
      );
    });
  });

  it('that no file could have are not judged while a file is unreadable', async () => {
    const sources = csvSources(', types: { zp: VARCHAR }').replace('"*.csv"', '["*.csv", "*.gz"]');
    const project = { ...data, 'entity-sources.yaml': sources, 'torn.csv.gz': 'no gzip' };
    await withProject(project, async ({ folder }) => {
      const [problem, ...others] = await problemsOf(folder);
      assert.deepEqual(others, []);
      assert.match(problem?.[1] ?? '', /torn\.csv\.gz/);
      const { code, stderr } = await runCommand(['new', 'shop', '--output', 'new.entity.yaml'], folder);
      assert.equal(code, 0);
      assert.match(stderr, /^warning: .*torn\.csv\.gz/m);
    });
  });
});

describe('new', () => {
  it('refuses a source without tables and files', async () => {
    const sources = 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n';
    await withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': '' }, async ({ folder }) => {
      await createDuckdbFile(join(folder, 'shop.duckdb'), []);
      const { code, stderr } = await runCommand(['new', 'shop', '--output', 'new.entity.yaml'], folder);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /shop has no table or file to make a graph of\..*\[unknown-data-object\]\n {2}Correct its settings/s,
      );
      assert.equal(existsSync(join(folder, 'new.entity.yaml')), false);
    });
  });
});
