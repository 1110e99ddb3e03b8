import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { changeParts } from '../../protocol/graph-changes.ts';
import type { EffectDelta, GraphEffect } from '../../protocol/graph-effect.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { type EffectOptions, graphEffect } from '../../server/src/operations/effect/graph-effect.ts';
import { OperationError } from '../../server/src/operations/operation-error.ts';
import { type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
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

interface SarifNote {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly { readonly physicalLocation: { readonly region: { readonly startLine: number } } }[];
}

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
      ...{ base: 'last', isOffline: false, conditions: [], attributes: true, onProgress: () => undefined },
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
      const end = (name: string, matched: number, unmatched: number, most: number) => ({
        ...{ name, matched, unmatched, most },
      });
      // Customer 8 has lost its only order; customer 7 has two.
      const matches = {
        before: { source: end('Win', 2, 0, 2), target: end('Place', 3, 0, 1) },
        after: { source: end('Win', 1, 1, 2), target: end('Place', 2, 0, 1) },
      };
      assert.deepEqual(relations, [{ name: 'places', before: 3, after: 2, new: 0, gone: 1, matches }]);
      const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--total'];
      const text = (await runCommand(args, folder)).stdout;
      assert.match(
        text,
        /\nplaces, source Win +2 matched, 0 unmatched, 1\.5 pairs each, at most 2 +1 matched, 1 unmatched, 2 pairs each, at most 2\n/,
      );
      assert.match(text, /\nplaces, target Place +3 matched, 0 unmatched, 1 pairs? each, at most 1 +2 matched/);
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
      assert.match(
        (await runCommand(args, folder)).stdout,
        /\n\nPlace, amount: BIGINT → gone \(used by rule Large\)\n/,
      );
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

  it('attributes each number to the edits that cause it, and the rest to what they do together', () =>
    withProject({ ...files, 'base.yaml': graph }, async ({ folder, write }) => {
      // Orders 3 and 2 go by one edit or the other; order 3 by both.
      await write({
        'graph.entity.yaml': `# A comment\n${graph}`
          .replace(
            '    properties: [amount]',
            '    where: amount > 3\n    joins: JOIN customers AS c ON c.id = orders.customer AND c.id = 7\n    properties: [amount]',
          )
          .replace('amount > 4 }', 'amount > 5 }')
          .replace('name: Test\n', 'name: Edited\n'),
      });
      const { value } = await effect(folder, '--base', 'base.yaml');
      const { parts = [], together, withoutEffect, refusal } = value.attribution ?? {};
      assert.equal(refusal, undefined);
      const events = (deltas: readonly EffectDelta[] = []) =>
        deltas.flatMap(({ part, name, kind, count }) => (part === 'events' ? [`${name} ${kind} ${count}`] : []));
      assert.deepEqual(
        parts.map(({ edits, deltas }) => [edits.map(({ title }) => title).join(), events(deltas)]),
        [
          ['Place · where', ['Place gone 1']],
          ['Place · joins', ['Place gone 1']],
          ['Large · expect', []],
        ],
      );
      assert.deepEqual(events(together), ['Place gone -1']);
      assert.equal(value.changes?.totals.events.gone, 1);
      assert.deepEqual(parts[2]?.deltas, [{ part: 'rules', name: 'Large', kind: 'new', count: 1 }]);
      assert.ok(
        withoutEffect?.some(({ kind }) => kind === 'layout'),
        JSON.stringify(withoutEffect),
      );
      // Edits and what they do in words.
      const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--base', 'base.yaml'];
      const text = (await runCommand(args, folder)).stdout;
      assert.match(text, /\nPlace · where \(new\) +entities: 1 gone; events: 1 gone; /);
      assert.match(text, /\nonly together +entities: -1 gone; events: -1 gone; /);
      assert.match(text, /\nWithout effect: .*comments\n/);
      const markdown = (await runCommand([...args, '--format', 'markdown'], folder)).stdout;
      assert.match(markdown, /\n\| Edit \| What it does \|\n\| --- \| --- \|\n\| Place · where \(new\) \|/);
      const total = await effect(folder, '--base', 'base.yaml', '--total');
      assert.deepEqual([total.value.changes, total.value.attribution], [value.changes, undefined]);
    }));

  it('joins edits that are not valid alone, and takes at most twelve apart', () =>
    withProject({ ...files, 'base.yaml': graph }, async ({ folder, write }) => {
      await write({ 'graph.entity.yaml': graph.replaceAll('Place', 'Order').replace('amount > 4 }', 'amount > 5 }') });
      const { attribution } = (await effect(folder, '--base', 'base.yaml')).value;
      assert.deepEqual(
        attribution?.parts.map(({ edits }) => edits.map(({ title }) => title)),
        [['Place → Order', 'places · target'], ['Large · expect']],
      );
      assert.deepEqual(attribution.together, []);
      const rules = Array.from(
        { length: 13 },
        (_, rule) => `  - { name: R${rule}, each: { entityType: order }, expect: [{ sql: amount > 4 }] }\n`,
      );
      await write({ 'graph.entity.yaml': graph + rules.join('') });
      const many = (await effect(folder, '--base', 'base.yaml')).value.attribution;
      assert.deepEqual([many?.parts, many?.together], [[], []]);
      assert.equal(many?.refusal, 'There are 13 edits; at most 12 are built one by one.');
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

  it('reads the rows of all texts before the first is built', () =>
    withProject(files, async (project) => {
      const placed = '    dataObject: orders\n    key: id\n';
      const edits: readonly (readonly [string, string, readonly number[]])[] = [
        ['where', graph.replace(placed, `${placed}    where: amount > 4\n`), [3, 2]],
        ['key', graph.replace(placed, '    dataObject: orders\n    key: [id, customer]\n'), [3, 3]],
        ['joins', graph.replace(placed, `${placed}    joins: JOIN customers c ON c.id = orders.customer AND c.id = 7\n`), [3, 2]], // prettier-ignore
        ['two edits', graph.replace(placed, `${placed}    where: amount > 4\n`).replace('since }', 'since, where: id = 7 }'), [3, 2]], // prettier-ignore
      ];
      for (const [title, edited, counts] of edits) {
        await project.write({ ...files, 'base.yaml': graph, 'graph.entity.yaml': edited });
        let written = false;
        const { changes, attribution } = await runEffect(project, {
          base: join(project.folder, 'base.yaml'),
          onProgress: ({ step }) => {
            if (step !== 'graph build' || written) return;
            written = true;
            writeFileSync(join(project.folder, 'orders.csv'), 'id,customer,at,amount\n1,7,2024-01-09,50\n');
            writeFileSync(join(project.folder, 'customers.csv'), 'id,since\n7,2024-02-01\n');
          },
        });
        assert.equal(written, true);
        const [{ before, after }] = [changes?.events.find(({ name }) => name === 'Place') ?? { before: 3, after: 3 }];
        assert.deepEqual([before, after], counts, title);
        assert.equal(changes?.totals.events.moved, 0, title);
        if (title !== 'two edits') continue;
        const lost = attribution?.parts.map(({ edits: [edit], deltas }) => [
          edit?.title,
          deltas.filter(({ part }) => part === 'events'),
        ]);
        const gone = (name: string) => [{ part: 'events', name, kind: 'gone', count: 1 }];
        assert.deepEqual(lost, [['Place · where', gone('Place')], ['Win · where', gone('Win')]]); // prettier-ignore
      }
    }));

  it('reads the rows of a changed condition once for both texts', () =>
    withProject(files, async (project) => {
      const place = (where: string): string =>
        graphText(
          `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, where: ${where} }\n`,
        );
      await project.write({ 'base.yaml': place('amount > 4'), 'graph.entity.yaml': place('amount < 6') });
      let written = false;
      const { changes } = await runEffect(project, {
        base: join(project.folder, 'base.yaml'),
        onProgress: ({ step, rows = 0 }) => {
          if (step !== 'data pull' || rows === 0 || written) return;
          written = true;
          // The rows of the base have been read; the others are not read after them.
          writeFileSync(join(project.folder, 'orders.csv'), 'id,customer,at,amount\n1,7,2024-01-02,5\n');
        },
      });
      assert.equal(written, true);
      assert.deepEqual(
        changes?.events.map(({ name, before, after, gone, new: added }) => [name, before, after, gone, added]),
        [['Place', 2, 2, 1, 1]],
      );
    }));

  it('reads both texts of a database in one snapshot, and a changed condition with one query', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    const place = (more: string): string =>
      graphText(
        `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at${more} }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
        '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
      );
    const joined = ', joins: "JOIN customers c ON c.id = orders.customer AND c.id = 7"';
    const tables = [
      'DROP TABLE IF EXISTS orders, customers',
      'CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamp, amount int)',
      'CREATE TABLE customers (id int PRIMARY KEY, since timestamp)',
      "INSERT INTO orders VALUES (1, 7, '2024-01-02', 5), (2, 7, '2024-01-03', NULL), (3, 8, '2024-01-04', 3)",
      "INSERT INTO customers VALUES (7, '2024-01-01'), (8, '2024-01-01')",
    ];
    const cases = [
      // The condition of the row without an amount is neither true nor false.
      ['where', place(', where: amount > 4'), place(', where: amount < 5'), [1, 1, 1, 1]],
      ['joins', place(''), place(joined), [3, 2, 1, 0]],
    ] as const;
    await withProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async (project) => {
      for (const [title, base, edited, counts] of cases) {
        for (const sql of tables) await server.query(database, sql);
        await project.write({ 'base.yaml': base, 'graph.entity.yaml': edited });
        let written: Promise<unknown> | undefined;
        const { changes } = await runEffect(project, {
          base: join(project.folder, 'base.yaml'),
          onProgress: ({ step, rows = 0 }) => {
            if (step === 'data pull' && rows > 0) written ??= server.query(database, 'DELETE FROM orders');
          },
        });
        assert.ok(written);
        await written;
        const { before, after, gone, new: added } = changes?.events.find(({ name }) => name === 'Place') ?? {};
        assert.deepEqual([before, after, gone, added], counts, title);
      }
    });
  });

  it('takes the graph of the last import as the base while its rows are unchanged', () =>
    withProject(files, async (project) => {
      await project.import();
      await project.write({ 'graph.entity.yaml': large });
      const compared = async (options: Partial<EffectOptions> = {}) => {
        const built = new Set<string>();
        const { changes } = await runEffect(project, {
          ...options,
          onProgress: ({ step }, text) => void (step === 'graph build' && built.add(String(text))),
        });
        const { before, after } = changes?.totals.events ?? {};
        return [[...built].toSorted(), before, after];
      };
      assert.deepEqual(await compared({ attributes: false }), [['file'], 5, 4]);
      await project.write({ 'graph.entity.yaml': graph.replace('amount > 4', 'amount > 5') });
      assert.deepEqual(await compared({ attributes: false, isOffline: true }), [['file'], 5, 5]);
      // Other rows, and another time zone of them.
      await project.write({ 'orders.csv': 'id,customer,at,amount\n1,7,2024-01-02,5\n' });
      assert.deepEqual(await compared({ attributes: false }), [['base', 'file'], 3, 3]);
      await project.write({ 'orders.csv': files['orders.csv'], 'graph.entity.yaml': graph });
      await project.import();
      await project.write({ 'graph.entity.yaml': `${graph}description: Edited\n` });
      assert.deepEqual(await compared({ attributes: false }), [['file'], 5, 5]);
      await project.write({ 'entity-sources.yaml': csvSources(', timeZone: Asia/Tokyo') });
      assert.deepEqual(await compared({ attributes: false }), [['base', 'file'], 5, 5]);
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
      // A name that is not there fails, and does not hide the result.
      for (const [name, question] of [
        ['Plaec', '"Place"'],
        ['place', '"Place"'],
        ['Nothing like it', '"Place", "Win"'],
      ] as const) {
        // prettier-ignore
        const unknown = await effect(folder, '--fail-on', `${name}.events.gone > 0`);
        assert.deepEqual([unknown.code, unknown.value.state, unknown.value.conditions?.length], [1, 'compared', 1]);
        const error = unknown.value.conditions?.[0]?.error ?? '';
        assert.ok(
          error.startsWith(`Neither graph has "${name}" among its events. `) && error.includes(question),
          error,
        );
      }
      const arrow = await effect(folder, '--fail-on', 'order: Win -> Place.paths.gone > 10%');
      assert.deepEqual([arrow.code, Math.round(arrow.value.conditions?.[0]?.value ?? 0)], [1, 33]);
      const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--fail-on', 'events.gone > 2%'];
      assert.match((await runCommand(args, folder)).stdout, /\nfailed: events\.gone > 2% \(is 20 %\)\n/);
      for (const wrong of ['events.lost > 1', 'event.gone > 1', 'events.gone', 'gone > 1'])
        assert.equal((await effect(folder, '--fail-on', wrong)).code, 2, wrong);
    }));

  it('takes every number of its JSON as a condition', () => {
    const measure = 'measures:\n  - { name: Amount, each: { activity: Place }, value: amount }\n';
    const none = '  - { name: None, each: { entityType: order, where: amount > 99 }, expect: [{ sql: amount > 4 }] }\n';
    return withProject({ ...files, 'base.yaml': graph + none + measure }, async ({ folder, write }) => {
      await write({ 'graph.entity.yaml': large + none + measure });
      const { changes } = (await effect(folder, '--base', 'base.yaml', '--total')).value;
      assert.ok(changes);
      const [relation, rule, amount] = [changes.relations[0], changes.rules[0], changes.measures[0]];
      const numbersOf = (prefix: string, of: object): readonly (readonly [string, unknown])[] =>
        Object.entries(of).flatMap(([name, value]) =>
          typeof value === 'number' ? [[`${prefix}.${name}`, value]] : [],
        );
      // Broken are those of `after`.
      const { broken: _, ...verdict } = rule?.verdicts?.after ?? { broken: 0 };
      const numbers = [
        ...changeParts.flatMap((part) => [
          ...numbersOf(part, changes.totals[part]),
          ...changes[part].flatMap((each) => numbersOf(`${each.name}.${part}`, each)),
        ]),
        ...(['source', 'target'] as const).flatMap((end) =>
          numbersOf(`places.relations.${end}`, relation?.matches?.after?.[end] ?? {}),
        ),
        ...numbersOf('Large.rules', verdict),
        ...numbersOf('Amount.measures', amount?.measured?.after ?? {}),
        ['differingVariants', changes.differingVariants] as const,
      ];
      const wanted = ['places.relations.source.unmatched', 'Large.rules.kept', 'Amount.measures.p90', 'paths.gone'];
      assert.deepEqual(wanted.filter((each) => !numbers.some(([name]) => name === each)), []); // prettier-ignore
      const fails = numbers.flatMap(([name]) => ['--fail-on', `${name} > 1000`]);
      const { value } = await effect(folder, '--base', 'base.yaml', '--total', ...fails);
      assert.deepEqual(
        value.conditions?.map(({ condition, value: is, error }) => [condition, is, error]),
        numbers.map(([name, is]) => [`${name} > 1000`, is, undefined]),
      );
      const percent = async (condition: string): Promise<readonly unknown[]> => {
        const found = (await effect(folder, '--base', 'base.yaml', '--total', '--fail-on', condition)).value.conditions;
        return [found?.[0]?.value, found?.[0]?.isMet];
      };
      assert.deepEqual(await percent('places.relations.source.unmatched > 2%'), [50, true]);
      assert.deepEqual(await percent('places.relations.source.most < 110%'), [100, true]);
      assert.deepEqual(await percent('Large.rules.kept < 100%'), [100, false]);
      // A rule that judges nothing keeps neither less nor more.
      assert.deepEqual(await percent('None.rules.kept < 95%'), [null, false]);
      assert.deepEqual(await percent('Amount.measures.min > -1'), [5, true]);
      for (const [wrong, message] of [
        ['relation.gone > 0', /"relation" is no part of the changes\. Did you mean "relations"\? There are entities, /],
        [
          'events.gonne > 0',
          /"gonne" is no number of events\. Did you mean "gone"\? There are before, after, new, gone, moved, changed\./,
        ],
        ['Large.rules.toString > 0', /"toString" is no number of rules\./],
        ['Amount.measures.count > 1d', /d is no unit of measures\.count\./],
        ['places.relations.source.unmatchd > 0', /Did you mean "source\.unmatched"\?/],
        ['events.gone == 2', /"==" is no operator\. Did you mean "="\? There are >, >=, <, <=, =\./],
        ['events.gone != 2', /"!=" is no operator\. There are >, /],
        ['events.gone > 2,5%', /"2,5%" is no value: write one such as 2, 2\.5, 2% or 5d\./],
        ['events.gone >', /the value is missing: write one such as 2, /],
        ['differingVariants > 5%', /% is no unit of differingVariants, which is a count\./],
        ['differingVariant > 5', /"differingVariant" is no number\. Did you mean "differingVariants"\?/],
        ['Place.events > 3', /say which number of events: Place\.events\.new, Place\.events\.gone, /],
        [
          'relations.source.unmatched > 0',
          /name the relationship, such as "contains\.relations\.source\.unmatched > 0"/,
        ],
      ] as const) {
        const args = ['effect', 'graph.entity.yaml', '--base', 'base.yaml', '--workspace', folder, '--fail-on', wrong];
        const { code, stderr } = await runCommand(args, folder);
        assert.equal(code, 2);
        assert.match(stderr, message);
      }
    });
  });

  it('tells measures and expectations before and after', () => {
    const measures = (limit: number): string =>
      `measures:\n  - { name: Amount, each: { activity: Place }, value: amount, target: { median: { atMost: ${limit} } } }
  - { name: Since, each: { entityType: customer }, duration: { from: Win, to: Place } }\n`;
    const expecting = (text: string): string =>
      text.replace('    properties: [amount]', '    expect: { values: { amount: [3, 5] } }\n    properties: [amount]');
    const base = expecting(graph) + measures(5);
    return withProject({ ...files, 'base.yaml': base }, async ({ folder, write }) => {
      await write({ 'graph.entity.yaml': expecting(large).replace('amount > 4\n', 'amount = 5\n') + measures(4) });
      const { changes, attribution } = (await effect(folder, '--base', 'base.yaml')).value;
      const [amount, since] = changes?.measures ?? [];
      assert.deepEqual(
        [amount?.name, amount?.before, amount?.after, amount?.broken, amount?.mended],
        ['Amount', 3, 1, 1, 0],
      );
      const { before, after } = amount?.measured ?? {};
      assert.deepEqual(
        [before?.median, before?.sum, before?.met, after?.median, after?.sum, after?.met],
        [5, 14, true, 5, 5, false],
      );
      assert.deepEqual([since?.name, since?.measured?.after?.unit, since?.measured?.after?.count], ['Since', 'ms', 1]);
      const name = 'Place · values amount';
      assert.deepEqual(changes?.expectations, [{ name, before: 1, after: 0, broken: 0, mended: 1 }]);
      assert.deepEqual(
        attribution?.parts.map(({ edits, deltas }) => [
          edits[0]?.title,
          deltas.filter(({ part }) => part === 'measures' || part === 'expectations'),
        ]),
        [
          ['Place · where', [{ part: 'expectations', name, kind: 'mended', count: 1 }]],
          ['Amount · target', [{ part: 'measures', name: 'Amount', kind: 'broken', count: 1 }]],
        ],
      );
      const conditions = [
        ...['measures.broken > 0', 'expectations.mended > 0', 'Amount.measures.sum < 5', 'Amount.measures.sum < 40%'],
        ...['Since.measures.median > 1d', 'Since.measures.median < 2d', 'Since.measures.max > 100%'],
        ...['Since.measures.median > 5', 'Amount.measures.sum > 5d'],
      ];
      const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--base', 'base.yaml', '--total'];
      const fails = conditions.flatMap((each) => ['--fail-on', each]);
      const text = (await runCommand([...args, ...fails], folder)).stdout;
      assert.match(text, /\nAmount +median 5, p90 5\.8 · 3 values +median 5, p90 5 · 1 value · misses its target\n/);
      assert.match(text, /\nPlace · values amount +1 +0 +1\n/);
      assert.deepEqual(text.match(/^(?:passed|failed|not evaluated): .*$/gm), [
        'failed: measures.broken > 0 (is 1)',
        'failed: expectations.mended > 0 (is 1)',
        'passed: Amount.measures.sum < 5 (is 5)',
        'failed: Amount.measures.sum < 40% (is 35.71 %)',
        'passed: Since.measures.median > 1d (is 1 d)',
        'failed: Since.measures.median < 2d (is 1 d)',
        'passed: Since.measures.max > 100% (is 33.33 %)',
        'not evaluated: Since.measures.median > 5. Since is a duration: give the value a unit, such as 5d.',
        'not evaluated: Amount.measures.sum > 5d. Amount is no duration: leave out the unit of the value.',
      ]);
      const markdown = (await runCommand([...args, '--format', 'markdown'], folder)).stdout;
      assert.match(
        markdown,
        /\n\| Amount \| median 5, p90 5\.8 · 3 values \| median 5, p90 5 · 1 value · misses its target \|\n/,
      );
      for (const wrong of ['measures.median > 5', 'events.gone > 5d', 'Amount.measures.median > 5x'])
        assert.equal((await effect(folder, '--fail-on', wrong)).code, 2, wrong);
    });
  });

  it('writes SARIF: each edit at its place in the text, and conditions that fail', () =>
    withProject({ ...files, 'base.yaml': graph }, async ({ folder, write }) => {
      await write({ 'graph.entity.yaml': large });
      const args = ['effect', 'graph.entity.yaml', '--workspace', folder, '--base', 'base.yaml', '--format', 'sarif'];
      const { code, stdout } = await runCommand([...args, '--fail-on', 'events.gone > 0'], folder);
      assert.equal(code, 1);
      const { results } = (JSON.parse(stdout) as { runs: { results: SarifNote[] }[] }).runs[0]!;
      const line = large.split('\n').findIndex((each) => each.includes('where: amount')) + 1;
      assert.deepEqual(
        results.map(({ ruleId, level, locations }) => [ruleId, level, locations[0]?.physicalLocation.region.startLine]),
        [['effect-condition', 'error', 1], ['effect', 'note', line]], // prettier-ignore
      );
      assert.match(results[1]?.message.text ?? '', /^Place · where \(new\): entities: 1 gone; events: 1 gone; /);
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
      assert.equal((broken.value.error as { file?: string } | undefined)?.file, join(folder, 'base.yaml'));
      const plan = await runCommand(['plan', 'base.yaml', '--workspace', folder], folder);
      assert.deepEqual([plan.code, plan.stderr.includes('This "[" is never closed')], [1, true], plan.stderr);
      for (const [content, reason] of [
        [Buffer.from([0, 255, 1, 254]), 'it is no text'],
        [' \n', 'it is empty'],
        ['# only a comment\n', 'it is empty'],
        ['{ name: x, version: 1.0.0, scripts: {} }\n', 'it has no elements or other parts of one'],
        ['just words\n', 'it has no elements or other parts of one'],
      ] as const) {
        writeFileSync(join(folder, 'base.yaml'), content);
        const { error } = (await effect(folder, '--base', 'base.yaml')).value;
        assert.equal(error?.message, `${join(folder, 'base.yaml')} is no entity graph: ${reason}.`);
        assert.equal(error.code, 'no-entity-graph');
      }
      // A condition that fails in the rows is one of the file, also where they are read for both texts at once.
      const failing = large.replace('amount > 4', "CAST(customer || 'x' AS INTEGER) > 4");
      await project.write({ 'base.yaml': graph, 'graph.entity.yaml': failing });
      const { error: ofRows } = (await effect(folder, '--base', 'base.yaml')).value;
      assert.match(ofRows?.message ?? '', /^(?!The base).*Could not convert string '7x'/);
      await project.write({ 'base.yaml': failing, 'graph.entity.yaml': graph });
      const { error: inBase } = (await effect(folder, '--base', 'base.yaml')).value;
      assert.match(inBase?.message ?? '', /^The base .*base\.yaml: line \d+: .*Could not convert string '7x'/);
      await project.write({ 'graph.entity.yaml': graph });
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

  it('reports a full disk as such, publishes nothing, and leaves no files', async () => {
    const rows = Array.from({ length: 5_000 }, (_, order) => `${order},7,2024-01-02,${order}`);
    await withProject({ ...files, 'orders.csv': `id,customer,at,amount\n${rows.join('\n')}\n` }, async (project) => {
      await project.import();
      await project.write({ 'graph.entity.yaml': large });
      const temporary = await folderWith({});
      try {
        const state = join(project.folder, '.entity-graph');
        const before = await contentOf(state);
        const args = ['effect', 'graph.entity.yaml', '--workspace', project.folder, '--format', 'json'];
        // Limits files to a few blocks, which is like a full disk for a program.
        const failed = await runCli(args, {
          cwd: project.folder,
          env: { TMPDIR: temporary },
          wrapper: ['sh', '-c', 'ulimit -f 20; exec "$@"', 'sh'],
        });
        const { error } = JSON.parse(failed.stdout) as { error: { code: string; message: string; remedy: string } };
        assert.deepEqual([failed.code, error.code], [1, 'disk-full'], error.message);
        assert.equal(error.remedy, `Both graphs are built in ${temporary}: make space there, then compare again.`);
        assert.deepEqual([await contentOf(state), await readdir(temporary)], [before, []]);
      } finally {
        await removeFolder(temporary);
      }
    });
  });

  it('says that a file is not there, also where the base has it', () =>
    withProject({ 'entity-sources.yaml': csvSources(), 'base.yaml': graph }, async ({ folder }) => {
      const { code, value } = await effect(folder, '--base', 'base.yaml');
      assert.deepEqual([code, value.error?.code], [1, 'file-missing'], value.error?.message);
      assert.match(value.error?.message ?? '', /graph\.entity\.yaml/);
    }));

  it('can be cancelled, and leaves no files', () =>
    withProject(files, async (project) => {
      await project.import();
      const edited = `${large}description: Edited\n`.replace('amount > 4 }', 'amount > 5 }');
      await project.write({ 'graph.entity.yaml': edited, 'base.yaml': graph.replace('at\n', 'at # other\n') });
      const temporary = await folderWith({});
      const before = process.env['TMPDIR'];
      process.env['TMPDIR'] = temporary;
      try {
        const texts = [['base', 'data pull'], ['file', 'data pull'], ['file', 'post-load checks'], ['Place · where', 'graph build']]; // prettier-ignore
        for (const [of, at] of texts) {
          const cancelling = new AbortController();
          const cancelled = runEffect(project, {
            // The last import is not built again.
            base: of === 'base' ? join(project.folder, 'base.yaml') : 'last',
            signal: cancelling.signal,
            onProgress: ({ step }, text) => {
              if (step === at && of === (typeof text === 'string' ? text : text.title)) cancelling.abort();
            },
          });
          await assert.rejects(
            cancelled,
            (error) => error instanceof OperationError && error.failure.code === 'cancelled',
            `${of}, ${at}`,
          );
          const left = (await readdir(temporary)).filter((name) => name.startsWith('entity-graph-effect'));
          assert.deepEqual(left, [], `${of}, ${at}`);
        }
        process.env['TMPDIR'] = join(temporary, 'missing');
        await assert.rejects(runEffect(project), /missing/);
      } finally {
        if (before === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = before;
        await removeFolder(temporary);
      }
    }));
});
