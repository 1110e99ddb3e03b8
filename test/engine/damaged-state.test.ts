import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';

const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n'),
  'other.entity.yaml': graphText('  - { activityName: B, dataObject: orders, key: id, startTimestamp: at }\n'),
  'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
};

/** Commands that read the graph of the last import. */
const reading: readonly (readonly string[])[] = [
  ['map', 'graph.entity.yaml', '--output', 'map.svg'],
  ['export', 'graph.entity.yaml', '--as', 'csv', '--output', 'exported'],
  ['diff', 'graph.entity.yaml'],
];

describe('a damaged state folder', () => {
  /** Imports both graphs, damages the state of one, and passes what commands print. */
  const damaged = (
    damage: (state: string, store: string) => Promise<void>,
    use: (run: (...args: readonly string[]) => Promise<string>, folder: string) => Promise<void>,
  ): Promise<void> =>
    withProject(files, async ({ folder }) => {
      const run = async (...args: readonly string[]): Promise<string> => {
        const { code, stdout, stderr } = await runCommand([...args, '--workspace', folder], folder);
        return `${code}\n${stdout}${stderr}`;
      };
      for (const name of ['graph', 'other']) assert.match(await run('import', `${name}.entity.yaml`), /^0\n/);
      const graphs = join(folder, '.entity-graph/graphs/graph');
      const [store] = (await readdir(graphs)).filter((name) => name.endsWith('.duckdb'));
      await damage(join(folder, '.entity-graph/state/graph.json'), join(graphs, String(store)));
      await use(run, folder);
      // Nothing has to be repaired by hand.
      assert.match(await run('import', 'graph.entity.yaml'), /^0\n/);
      assert.match(await run('map', 'graph.entity.yaml', '--output', 'again.svg'), /^0\n/);
      assert.doesNotMatch(await run('status'), /Not Imported/);
    });

  for (const [field, value] of [
    ['text', 7],
    ['store', 5],
    ['counts', { elements: 'none' }],
  ] as const) {
    it(`a status with another type of "${field}" counts as not imported, and the other graphs are listed`, () =>
      damaged(
        async (state) =>
          writeFile(
            state,
            JSON.stringify({ ...(JSON.parse(await readFile(state, 'utf8')) as object), [field]: value }),
          ),
        async (run) => {
          const status = await run('status');
          assert.match(status, /graph\.entity\.yaml +shop +Not Imported/);
          assert.match(status, /other\.entity\.yaml +shop +Imported/);
          assert.match(status, new RegExp(`does not hold the state of an import: .*"${field}`));
          for (const args of reading) {
            const said = await run(...args);
            assert.match(said, /\[not-imported\]/, `${args.join(' ')}: ${said}`);
            assert.doesNotMatch(said, /internal-error/, said);
          }
        },
      ));
  }

  for (const [what, damage, said] of [
    ['missing', (path: string) => rm(path), /is missing/],
    ['no database', (path: string) => writeFile(path, 'text'), /is damaged, or is no graph/],
  ] as const) {
    it(`a graph whose file is ${what} is named, with what to do`, () =>
      damaged(
        (_state, store) => damage(store),
        async (run) => {
          if (what === 'missing') {
            const status = await run('status');
            assert.match(status, /graph\.entity\.yaml +shop +Not Imported/);
            assert.match(status, /is missing/);
          }
          for (const args of reading) {
            const printed = await run(...args);
            // There is no graph of an earlier import.
            if (/\[no-earlier-run\]/.test(printed)) continue;
            assert.match(printed, /\[store-unreadable\]/, `${args.join(' ')}: ${printed}`);
            assert.match(printed, said, printed);
            assert.match(printed, /Import the entity graph again/, printed);
          }
        },
      ));
  }
});
