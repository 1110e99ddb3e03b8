import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { type EffectOptions, graphEffect } from '../../server/src/operations/effect/graph-effect.ts';
import { OperationError } from '../../server/src/operations/operation-error.ts';
import { type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = graphText(
  `  - activityName: Place
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: at
    properties: [amount]
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
  '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
).concat('rules:\n  - { name: Large, each: { entityType: order }, expect: [{ sql: amount > 4 }] }\n');
const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'orders.csv': 'id,customer,at,amount\n1,7,2024-01-02,5\n2,7,2024-01-03,6\n3,8,2024-01-04,3\n',
  'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-01\n',
};
const large = graph.replace('    properties: [amount]', '    where: amount > 4\n    properties: [amount]');

/** Runs `effect` on `graph.entity.yaml`. */
async function effect(folder: string, ...args: readonly string[]) {
  const all = ['effect', 'graph.entity.yaml', '--workspace', folder, '--format', 'json', ...args];
  const { code, stdout, stderr } = await runCommand(all, folder);
  const value =
    stdout === '' ? {} : (JSON.parse(stdout) as GraphEffect & { error?: { code: string; message: string } });
  return { code, value: value as GraphEffect & { error?: { code: string; message: string } }, stderr };
}

function runEffect(
  project: Pick<ImportedProject, 'folder'>,
  options: Partial<EffectOptions> & { readonly environment?: ProjectContext['environment'] } = {},
): Promise<GraphEffect> {
  const context: ProjectContext = {
    permitUses: permitAllUses,
    readSecret: async () => undefined,
    environment: options.environment ?? {},
    workspaceFolderOf: () => project.folder,
  };
  return readGraphFile(join(project.folder, 'graph.entity.yaml'), context).then((file) =>
    graphEffect(file, context, {
      ...{ base: 'last', isOffline: false, conditions: [], onProgress: () => undefined },
      signal: new AbortController().signal,
      ...options,
    }),
  );
}

async function contentOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => !name.includes('catalog')).toSorted();
}

describe('entity-graph effect', () => {
  it('compares an edit with the last import over the same rows, and publishes nothing', () =>
    withProject(files, async (project) => {
      const { folder } = project;
      await project.import();
      await project.write({ 'graph.entity.yaml': large });
      const state = join(folder, '.entity-graph');
      const status = (): Promise<readonly string[]> =>
        readdir(join(state), { recursive: true }).then((names) =>
          Promise.all(
            names
              .filter((name) => name.includes('status') && name.endsWith('.json'))
              .map((name) => readFile(join(state, name), 'utf8')),
          ),
        );
      const before = [await contentOf(state), await status()];
      const { code, value } = await effect(folder);
      assert.deepEqual([code, value.state, value.schema], [0, 'compared', []]);
      const { totals, events, relations, rules, variantCases } = value.changes!;
      assert.deepEqual(events, [{ name: 'Place', before: 3, after: 2, new: 0, gone: 1, moved: 0, changed: 0 }]);
      assert.deepEqual(relations, [{ name: 'places', before: 3, after: 2, new: 0, gone: 1 }]);
      const numbers = { pending: 0, undecided: 0, error: null };
      assert.deepEqual(rules, [
        {
          ...{ name: 'Large', before: 1, after: 0, new: 0, gone: 1, broken: 0, mended: 1 },
          verdicts: {
            before: { concerned: 3, kept: 2, broken: 1, ...numbers, holds: false },
            after: { concerned: 2, kept: 2, broken: 0, ...numbers, holds: true },
          },
        },
      ]);
      assert.deepEqual([totals.entities.gone, totals.values.changed], [1, 0]);
      assert.deepEqual(
        variantCases.map(({ entityType, activities, events: _, ...cases }) => [
          entityType,
          activities.join(),
          ...Object.values(cases),
        ]),
        [
          ['customer', 'Win,Place', 1, 0],
          ['customer', 'Win', 0, 1],
          ['order', 'Win,Place', 3, 2],
        ],
      );
      assert.deepEqual([await contentOf(state), await status()], before);
      const rows = (await effect(folder, '--rows')).value.rows ?? [];
      const gone = rows.find(({ part, kind }) => part === 'events' && kind === 'gone');
      assert.deepEqual(gone?.columns, ['name', 'activity', 'lifecycle', 'entity_type', 'key', 'before', 'after']);
      assert.equal(gone.rows.length, 1);
      assert.equal(gone.rows[0]?.[4], '3');
    }));

  it('prints each property that only one graph has in a line of its own', () =>
    withProject({ ...files, 'base.yaml': graph }, async ({ folder, write }) => {
      await write({ 'graph.entity.yaml': graph.replace('    properties: [amount]\n', '').replace(/rules:[^]*/, '') });
      const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--base', 'base.yaml'];
      assert.match((await runCommand(args, folder)).stdout, /\n\nPlace, amount: BIGINT → gone\n/);
    }));

  it('says how many variants it does not list', () =>
    withProject({ ...files, 'base.yaml': graph }, async ({ folder, write }) => {
      const orders = Array.from({ length: 25 }, (_, order) =>
        Array.from({ length: order + 1 }, (_, day) => `${order},7,2024-01-${10 + (day % 9)},${day}\n`),
      );
      await write({
        'orders.csv': `id,customer,at,amount\n${orders.flat().join('')}`,
        'graph.entity.yaml': graph.replaceAll('Place', 'Order'),
      });
      const { changes } = (await effect(folder, '--base', 'base.yaml')).value;
      assert.equal(changes?.variantCases.length, 20);
      // Two of each of 25 orders, and of their customer.
      assert.equal(changes.differingVariants, 52);
      const more = changes.differingVariants - 20;
      for (const format of ['text', 'markdown']) {
        const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--base', 'base.yaml', '--format', format];
        assert.ok((await runCommand(args, folder)).stdout.includes(`\n… and ${more} more\n`), format);
      }
    }));

  it('finds none in comments, layout and the order of entries', () =>
    withProject(files, async (project) => {
      const { folder } = project;
      await project.import();
      assert.equal((await effect(folder)).value.state, 'same text');
      const [head = '', place = '', win = ''] = graph.split(/(?= {2}- activityName| {2}- \{ activityName)/);
      const rest = win.slice(win.indexOf('\n') + 1);
      await project.write({
        'graph.entity.yaml': `# A comment\n${head}${win.slice(0, win.indexOf('\n') + 1)}${place.replace('[amount]', '\n      - amount')}${rest}`,
      });
      const { value } = await effect(folder);
      assert.deepEqual([value.state, value.changes?.changed, value.schema], ['compared', false, []]);
      const text = await runCommand(['effect', 'graph.entity.yaml', '--workspace', folder], folder);
      assert.match(text.stdout, /\nNo effect: both texts give the same graph\.\n/);
    }));

  it('takes both sides of an equal query from one read', () =>
    withProject(files, async (project) => {
      await project.import();
      await project.write({ 'graph.entity.yaml': `# A comment\n${graph}` });
      let written = false;
      const { changes } = await runEffect(project, {
        onProgress: (_, text) => {
          if (text === 'base' || written) return;
          written = true;
          // The data changes after the first text was built.
          writeFileSync(join(project.folder, 'orders.csv'), 'id,customer,at,amount\n1,7,2024-01-09,50\n');
        },
      });
      assert.deepEqual([written, changes?.changed], [true, false]);
    }));

  it('reads an equal query of several sources once, also where its rows change meanwhile', () =>
    withProject(
      {
        ...files,
        'entity-sources.yaml': `${csvSources()}  db: { kind: sqlite, path: shop.sqlite }\n`,
        'graph.entity.yaml': graph.replace('dataObject: customers,', 'dataSource: db, dataObject: customers,'),
      },
      async (project) => {
        const database = join(project.folder, 'shop.sqlite');
        createSqliteFile(database, "CREATE TABLE customers (id INTEGER, since TEXT); INSERT INTO customers VALUES (7, '2024-01-01 00:00:00'), (8, '2024-01-01 00:00:00')"); // prettier-ignore
        const imported = await project.import();
        assert.equal(imported.status, 'imported', imported.error?.message);
        const edited = large.replace('dataObject: customers,', 'dataSource: db, dataObject: customers,');
        await project.write({ 'graph.entity.yaml': edited });
        let written = false;
        const { changes } = await runEffect(project, {
          onProgress: (_, text) => {
            if (text === 'base' || written) return;
            written = true;
            createSqliteFile(database, "INSERT INTO customers VALUES (9, '2024-01-01 00:00:00')");
          },
        });
        assert.equal(written, true);
        assert.deepEqual(
          changes?.events.map(({ name, before, after }) => [name, before, after]),
          [['Place', 3, 2]],
        );
        assert.deepEqual([changes?.totals.events.before, changes?.totals.relations.gone], [5, 1]);
      },
    ));

  it('fails by conditions over the numbers of its JSON', () =>
    withProject(files, async (project) => {
      const { folder } = project;
      await project.import();
      await project.write({ 'graph.entity.yaml': large });
      const conditions = ['Place.events.gone > 20%', 'events.gone >= 2', 'rules.broken > 0', 'Win.events.gone > 0%'];
      const failing = await effect(folder, ...conditions.flatMap((each) => ['--fail-on', each]));
      assert.equal(failing.code, 1);
      assert.deepEqual(
        failing.value.conditions?.map(({ value, isMet }) => [value === null ? value : Math.round(value), isMet]),
        [[33, true], [1, false], [0, false], [0, false]], // prettier-ignore
      );
      assert.equal((await effect(folder, '--fail-on', 'events.gone > 50%')).code, 0);
      const unknown = await effect(folder, '--fail-on', 'Plaec.events.gone > 0');
      assert.deepEqual([unknown.code, unknown.value.error?.code], [1, 'not-in-graph']);
      for (const wrong of ['events.lost > 1', 'event.gone > 1', 'events.gone', 'gone > 1'])
        assert.equal((await effect(folder, '--fail-on', wrong)).code, 2, wrong);
    }));

  it('writes a Markdown comment with a stable marker, and rows only on request', () =>
    withProject({ ...files, 'orders.csv': `${files['orders.csv']}"4|<b>",7,2024-01-04,3\n` }, async (project) => {
      const { folder } = project;
      await project.import();
      await project.write({ 'graph.entity.yaml': large });
      const markdown = async (...more: readonly string[]): Promise<string> => {
        const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--format', 'markdown', ...more];
        return (await runCommand(args, folder)).stdout;
      };
      const plain = await markdown();
      assert.match(plain, /^<!-- entity-graph effect: graph\.entity\.yaml -->\n### Effect on graph\.entity\.yaml\n/);
      assert.match(
        plain,
        /\n\| Events \| Before \| Now \| Gone \|\n\| --- \| --: \| --: \| --: \|\n\| Place \| 4 \| 2 \| 2 \|\n/,
      );
      assert.doesNotMatch(plain, /<b>|4\\\|/);
      const rows = await markdown('--rows');
      assert.match(rows, /<details><summary>events\.gone<\/summary>/);
      assert.doesNotMatch(rows, /<b>/);
      assert.match(rows, /4\\\|\\<b\\>/);
    }));

  it('takes a file, a commit or a branch as base, also of a renamed graph, and says what is missing', async () => {
    const folder = await folderWith({ ...files, 'other.txt': large });
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-C', folder, ...args], { encoding: 'utf8' });
    const shallow = `${folder}-shallow`;
    try {
      assert.equal((await effect(folder)).value.error?.code, 'not-imported');
      const other = await effect(folder, '--base', 'other.txt');
      assert.deepEqual([other.value.base.kind, other.value.changes?.totals.events.new], ['file', 1]);
      assert.equal((await effect(folder, '--base', 'main')).value.error?.code, 'no-repository');
      git('init', '-q', '-b', 'main');
      await rename(join(folder, 'graph.entity.yaml'), join(folder, 'earlier.entity.yaml'));
      git('add', '.');
      git('commit', '-qm', 'One');
      git('mv', 'earlier.entity.yaml', 'graph.entity.yaml');
      writeFileSync(join(folder, 'graph.entity.yaml'), large);
      git('checkout', '-qb', 'edit');
      const renamed = await effect(folder, '--base', 'main');
      assert.equal(renamed.value.changes?.totals.events.gone, 1, JSON.stringify(renamed));
      assert.match(renamed.value.base.path, /earlier\.entity\.yaml$/);
      git('commit', '-qam', 'Two');
      // A branch that has gone on does not count.
      git('checkout', '-q', 'main');
      writeFileSync(join(folder, 'earlier.entity.yaml'), graph.replace('at\n', 'at # later\n'));
      git('commit', '-qam', 'Three');
      git('checkout', '-q', 'edit');
      assert.equal((await effect(folder, '--base', 'main')).value.base.commit, git('rev-parse', 'main~1').trim());
      assert.equal((await effect(folder, '--base', 'HEAD')).value.state, 'same text');
      const missing = await effect(folder, '--base', 'nothing');
      assert.deepEqual([missing.code, missing.value.error?.code], [1, 'unknown-commit']);
      writeFileSync(join(folder, 'graph.entity.yaml'), graph);
      git('rm', '-q', '--cached', 'graph.entity.yaml');
      git('commit', '-qm', 'Four');
      const added = await effect(folder, '--base', 'HEAD');
      assert.deepEqual([added.code, added.value.state, added.value.changes], [0, 'new', undefined]);
      git('clone', '-q', '--depth', '1', '--branch', 'main', `file://${folder}`, shallow);
      await rename(join(shallow, 'earlier.entity.yaml'), join(shallow, 'graph.entity.yaml'));
      const cut = await effect(shallow, '--base', 'edit');
      assert.equal(cut.value.error?.code, 'unknown-commit');
      assert.match(cut.value.error.message, /, which is a shallow clone\.$/);
    } finally {
      await removeFolder(folder);
      await rm(shallow, { recursive: true, force: true });
    }
  });

  it('offline uses the kept rows, and names the entry whose rows are not kept', () =>
    withProject(files, async (project) => {
      const { folder } = project;
      await project.import();
      await project.write({
        'orders.csv': 'id,customer,at,amount\n1,7,2025-01-02,5\n',
        'graph.entity.yaml': graph.replace('amount > 4', 'amount > 5'),
      });
      const { value } = await effect(folder, '--offline');
      assert.deepEqual([value.changes?.totals.events.before, value.changes?.totals.rules.new], [5, 1]);
      await project.write({ 'graph.entity.yaml': large });
      const refused = await effect(folder, '--offline');
      assert.equal(refused.value.error?.code, 'source-unreachable');
      assert.match(JSON.stringify(refused.value.error), /No rows of shop were kept for \\"Place\\" as it is now/);
    }));

  it('says which text cannot be built', () =>
    withProject(files, async (project) => {
      const { folder } = project;
      await project.write({ 'base.yaml': graph.replace('key: id', 'key: idd') });
      const wrong = await effect(folder, '--base', 'base.yaml');
      assert.match(wrong.value.error?.message ?? '', /^The base .*base\.yaml: line \d+: .*idd/);
      await project.write({ 'base.yaml': 'a: [' });
      const broken = await effect(folder, '--base', 'base.yaml');
      assert.match(broken.value.error?.message ?? '', /^The base .*base\.yaml: line 1: This "\[" is never closed/);
      const none = await effect(folder, '--base', '');
      assert.deepEqual([none.code, none.stderr.includes('--base is empty')], [2, true]);
      await project.write({
        'base.yaml': graph,
        'graph.entity.yaml': `${graph}import: { engine: source, schema: s }\n`,
      });
      assert.equal((await effect(folder, '--base', 'base.yaml')).value.error?.code, 'fetch-first');
      // A data source that the current file does not have is never contacted.
      await project.write({
        'graph.entity.yaml': graph,
        'base.yaml': graph.replace('dataSource: shop', 'dataSource: evil'),
      });
      assert.match((await effect(folder, '--base', 'base.yaml')).value.error?.message ?? '', /evil/);
    }));

  it('can be cancelled, and leaves no files', () =>
    withProject(files, async (project) => {
      await project.import();
      await project.write({ 'graph.entity.yaml': large });
      const temporary = await folderWith({});
      const before = process.env['TMPDIR'];
      process.env['TMPDIR'] = temporary;
      try {
        const cancelling = new AbortController();
        const cancelled = runEffect(project, {
          signal: cancelling.signal,
          onProgress: ({ step }, text) => {
            if (text === 'file' && step === 'data pull') cancelling.abort();
          },
        });
        await assert.rejects(
          cancelled,
          (error) => error instanceof OperationError && error.failure.code === 'cancelled',
        );
        const left = (await readdir(temporary)).filter((name) => name.startsWith('entity-graph-effect'));
        assert.deepEqual(left, []);
        process.env['TMPDIR'] = join(temporary, 'missing');
        await assert.rejects(runEffect(project), /missing/);
      } finally {
        if (before === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = before;
        await removeFolder(temporary);
      }
    }));
});
