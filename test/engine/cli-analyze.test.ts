import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { graphFilter } from '../../protocol/shapes/event-graph-shapes.ts';
import { writeFilters } from '../../server/src/state/filters-file.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const day = 86_400_000;

const graph = graphText(
  `  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [country] }
  - { activityName: Ship Order, dataObject: shipments, key: order, entityType: order, startTimestamp: at }
`,
);
const files = {
  'entity-sources.yaml': csvSources(),
  'shop.entity.yaml': graph,
  'orders.csv': `id,placed,country
1,2024-01-01 00:00:00,DE
2,2024-01-02 00:00:00,"a|b
::error::x"
3,2024-01-03 00:00:00,DE
`,
  'shipments.csv': 'order,at\n1,2024-01-03 00:00:00\n3,2024-01-04 00:00:00\n',
};

interface Measured {
  readonly name: string;
  readonly notes?: readonly string[];
  readonly groups: readonly { readonly by: object; readonly count: number; readonly median: number }[];
}

describe('analyze, variants, entities', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith(files);
    assert.equal((await run('import', 'shop.entity.yaml')).code, 0);
  });
  after(() => removeFolder(folder));

  const run = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand([...args, '--workspace', folder], folder);

  const json = async <T>(...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(...args, '--format', 'json');
    assert.equal(code, 0, stderr + stdout);
    return JSON.parse(stdout) as T;
  };

  it('analyze: prints measures as text, with the entities that are meant', async () => {
    const { code, stdout } = await run('analyze', 'shop.entity.yaml', '--where', "country = 'DE'");
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `2 of 3 entities of the type order: country = 'DE'.
measure     count  missing   mean  median    p90
──────────  ─────  ───────  ─────  ──────  ─────
throughput      2        0  1.5 d   1.5 d  1.9 d
events          2        0      2       2      2
rework          2        0      0       0      0
idle            2        0   12 h    12 h  22 h
`.replace('22 h', ' 22 h'),
    );
  });

  it('analyze: JSON has groups by dimensions, beside other entities', async () => {
    // The 97.5 % quantile of Student's t with two degrees of freedom, 4.303, times √½ days.
    const reach = 262_887_593.424_109_67;
    const [throughput, ...others] = await json<readonly Measured[]>(
      'analyze',
      'shop.entity.yaml',
      ...['--measure', 'throughput', '--by', 'variant', '--by', 'month', '--compare', 'with:Ship Order'],
    );
    assert.deepEqual(others, []);
    assert.deepEqual(throughput, {
      name: 'throughput',
      unit: 'ms',
      entityType: 'order',
      groups: [
        {
          by: { variant: '1', month: '2024-01' },
          ...{ count: 2, missing: 0, mean: 1.5 * day, median: 1.5 * day, p90: 1.9 * day },
          compare: {
            ...{ count: 2, missing: 0, mean: 1.5 * day, median: 1.5 * day, p90: 1.9 * day },
            difference: { mean: 0, low: -reach, high: reach },
          },
        },
        {
          by: { variant: '2', month: '2024-01' },
          ...{ count: 1, missing: 0, mean: 0, median: 0, p90: 0 },
          compare: { count: 0, missing: 0, mean: null, median: null, p90: null, difference: null },
        },
      ],
    });
  });

  it('analyze: texts of data stay within their line and their cell', async () => {
    const asked = ['analyze', 'shop.entity.yaml', '--measure', 'events', '--by', 'country'];
    const text = await run(...asked);
    assert.match(text.stdout, /^events {3}a\|b\\n\u200b?::error::x {2}/m);
    const markdown = await run(...asked, '--format', 'markdown');
    assert.match(markdown.stdout, /^\| events \| a\\\|b\\\\n::error::x \| 1 \| 0 \| 1 \| 1 \| 1 \|$/m);
    const csv = await run(...asked, '--format', 'csv');
    assert.equal(
      csv.stdout,
      'measure,country,count,missing,mean,median,p90\nevents,DE,2,0,2,2,2\nevents,"a|b\n::error::x",1,0,1,1,1\n',
    );
  });

  it('analyze: lists as many groups as wanted, and says how many there are besides', async () => {
    const asked = ['analyze', 'shop.entity.yaml', '--measure', 'events', '--by', 'country', '--limit', '1'];
    const text = await run(...asked);
    assert.match(text.stdout, /… and 1 more group: --limit N shows it\.\n$/);
    const csv = await run(...asked, '--format', 'csv');
    assert.equal(csv.stdout.split('\n').length, 3);
    assert.match(csv.stderr, /1 more group:/);
  });

  it('analyze: a condition that fails on the data is named, also beside others', async () => {
    const text = 'CAST(country AS INTEGER) > 1';
    for (const [asked, command] of [
      [['--where', 'with:Ship Order', '--where', text], 'analyze'],
      [['--compare', text], 'analyze'],
      [['--outcome', text], 'why'],
      [['--where', 'country'], 'variants'],
    ] as const) {
      const { code, stderr } = await run(command, 'shop.entity.yaml', ...asked);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`error: ${asked.at(-1)?.replaceAll(/[()]/gu, '.')}: Could not convert`, 'u'));
    }
  });

  it('analyze: says what is wrong with arguments in whole sentences of one line', async () => {
    const said = async (...args: readonly string[]): Promise<string> => (await run('analyze', ...args)).stderr;
    const help = 'Run entity-graph analyze --help.\n';
    assert.equal(
      await said('shop.entity.yaml', '--limit', '-1'),
      `entity-graph analyze: --limit needs a value. One that begins with a dash is written --limit=-…. ${help}`,
    );
    assert.equal(
      await said('shop.entity.yaml', '--limt', '1'),
      `entity-graph analyze: Unknown option '--limt'. ${help}`,
    );
    assert.match(
      await said('entity-sources.yaml'),
      /entity-sources\.yaml is a data sources file, which has no graph\./u,
    );
  });

  it('analyze: a graph without entities says so', async () => {
    await writeFile(join(folder, 'none.csv'), 'id,placed\n');
    const none = graphText(
      '  - { activityName: Place Order, dataObject: none, key: id, entityType: order, startTimestamp: placed }\n',
    );
    await writeFile(join(folder, 'none.entity.yaml'), none);
    const imported = await run('import', 'none.entity.yaml');
    assert.equal(imported.code, 0, imported.stderr);
    for (const type of [[], ['--entity-type', 'order']]) {
      const { code, stderr } = await run('analyze', 'none.entity.yaml', ...type);
      assert.equal(code, 1);
      assert.match(stderr, /The graph has no entities\. \[no-events\]\n {2}Import it again when/u);
    }
  });

  it('analyze: uses saved filters, and names those there are', async () => {
    await writeFilters(join(folder, '.entity-graph'), 'shop', {
      'Shipped / late': { entityType: 'order', activities: [{ activity: 'Ship Order', occurs: true }] },
    });
    const [events] = await json<readonly Measured[]>(
      'analyze',
      'shop.entity.yaml',
      ...['--where', 'filter:Shipped / late'],
    );
    assert.equal(events?.groups[0]?.count, 2);
    const unknown = await run('analyze', 'shop.entity.yaml', '--where', 'filter:Shiped / late', '--format', 'json');
    assert.deepEqual((JSON.parse(unknown.stdout) as { error: unknown }).error, {
      code: 'not-in-graph',
      message: 'There is no saved filter "Shiped / late".',
      remedy: 'Did you mean "Shipped / late"?',
    });
    const ignored = await readFile(join(folder, '.entity-graph/.gitignore'), 'utf8');
    assert.match(ignored, /^!filters\/\*\*$/m);
    assert.equal(graphFilter({ entityType: 'order' }, ''), undefined);
  });

  it('analyze: refuses unknown measures, dimensions, types and SQL with a remedy; SQL reads nothing but the graph', async () => {
    const failure = async (...args: readonly string[]) => {
      const { code, stdout } = await run('analyze', 'shop.entity.yaml', ...args, '--format', 'json');
      assert.equal(code, 1);
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string; remedy?: string } };
      return [error.code, error.message, error.remedy];
    };
    assert.deepEqual(await failure('--measure', 'thruput'), [
      'not-in-graph',
      'There is no measure "thruput".',
      'Did you mean "throughput"?',
    ]);
    assert.deepEqual(await failure('--by', 'contry'), [
      'not-in-graph',
      'The graph has no property "contry".',
      'Did you mean "country"?',
    ]);
    assert.deepEqual(await failure('--entity-type', 'oder'), [
      'not-in-graph',
      'The graph has no entities of the type "oder".',
      'Did you mean "order"?',
    ]);
    await writeFile(join(folder, 'secret.csv'), 'a\n1\n');
    const [code, message] = await failure('--where', "(SELECT count(*) FROM 'secret.csv') = 1");
    assert.equal(code, 'sql-error');
    assert.match(message ?? '', /secret\.csv/);
    assert.equal((await run('analyze', 'missing.entity.yaml')).code, 1);
  });

  it('analyze: measures of the file, as its text is now, in groups of their entities', async () => {
    const path = join(folder, 'shop.entity.yaml');
    await writeFile(
      path,
      `${graph}measures:
  - { name: Lead time, each: { entityType: order }, duration: { from: Place Order, to: Ship Order }, by: [country] }
  - { name: Notes, each: { activity: Place Order }, sql: length(country) }
  - { name: Wrong, each: { entityType: order }, value: contry }
`,
    );
    try {
      const measures = ['--measure', 'Lead time', '--measure', 'events', '--measure', 'Notes'];
      const answers = await json<readonly Measured[]>('analyze', 'shop.entity.yaml', ...measures, '--by', 'variant');
      assert.deepEqual(
        answers.map(({ name, groups }) => [name, ...groups.map(({ count, median }) => [count, median])]),
        [
          ['Lead time', [2, 1.5 * day], [0, null]],
          ['events', [2, 2], [1, 1]],
          ['Notes', [2, 2], [1, 14]],
        ],
      );
      const grouped = (...more: readonly string[]): Promise<readonly Measured[]> =>
        json<readonly Measured[]>('analyze', 'shop.entity.yaml', '--measure', 'Lead time', ...more);
      const dimensions = ([answer]: readonly Measured[]): readonly string[] => Object.keys(answer?.groups[0]?.by ?? {});
      assert.deepEqual(dimensions(await grouped()), ['country']);
      assert.deepEqual(dimensions(await grouped('--by', 'month')), ['month']);
      assert.deepEqual(dimensions(await grouped('--measure', 'events')), []);
      const failed = await run('analyze', 'shop.entity.yaml', '--measure', 'Wrong');
      assert.match(failed.stderr, /Wrong: The graph has no property "contry"\. Did you mean "country"\?/);
      const unknown = await run('analyze', 'shop.entity.yaml', '--measure', 'Lead tim');
      assert.match(unknown.stderr, /There is no measure "Lead tim"\..*\s+Did you mean "Lead time"\?/);
    } finally {
      await writeFile(path, graph);
    }
  });

  it('variants: numbers, shares and durations', async () => {
    const { variants, all, entities } = await json<{ variants: readonly object[]; all: number; entities: number }>(
      'variants',
      'shop.entity.yaml',
    );
    assert.deepEqual([all, entities], [2, 3]);
    assert.deepEqual(variants, [
      {
        variant: 1,
        entities: 2,
        share: 2 / 3,
        events: 2,
        median: 1.5 * day,
        p90: 1.9 * day,
        activities: ['Place Order', 'Ship Order'],
      },
      { variant: 2, entities: 1, share: 1 / 3, events: 1, median: 0, p90: 0, activities: ['Place Order'] },
    ]);
    const { stdout } = await run('variants', 'shop.entity.yaml', '--where', 'without:Ship Order');
    assert.match(stdout, /^1 of 3 entities of the type order: without:Ship Order\.$/m);
    assert.match(stdout, /^ {6}2 {9}1 {2}100 % .*Place Order$/m);
  });

  it('entities: sorted by a measure or a property', async () => {
    const { entities, all } = await json<{ entities: readonly { key: string }[]; all: number }>(
      'entities',
      'shop.entity.yaml',
      ...['--sort', 'throughput', '--limit', '2'],
    );
    assert.equal(all, 3);
    assert.deepEqual(entities, [
      {
        key: '1',
        first: '2024-01-01T00:00:00.000000Z',
        last: '2024-01-03T00:00:00.000000Z',
        events: 2,
        rework: 0,
        throughput: 2 * day,
        idle: day,
        properties: { country: 'DE' },
      },
      {
        key: '3',
        first: '2024-01-03T00:00:00.000000Z',
        last: '2024-01-04T00:00:00.000000Z',
        events: 2,
        rework: 0,
        throughput: day,
        idle: 0,
        properties: { country: 'DE' },
      },
    ]);
    const csv = await run('entities', 'shop.entity.yaml', '--sort', 'country', '--ascending', '--format', 'csv');
    assert.deepEqual(csv.stdout.split('\n').slice(0, 2), [
      'key,first,last,throughput (ms),events,rework,idle (ms),country',
      `1,2024-01-01T00:00:00.000000Z,2024-01-03T00:00:00.000000Z,${2 * day},2,0,${day},DE`,
    ]);
  });

  it('timeline: the events of one entity, with what changed; a key that is not there has proposals', async () => {
    const { code, stdout } = await run('timeline', 'shop.entity.yaml', '--key', '1');
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `order 1: 2 events.
time                 activity     lifecycle  qualifier  entity   changes
───────────────────  ───────────  ─────────  ─────────  ───────  ───────────
2024-01-01 00:00:00  Place Order  start      self       order 1  country: DE
2024-01-03 00:00:00  Ship Order   start      self       order 1
`,
    );
    assert.deepEqual(await json('timeline', 'shop.entity.yaml', '--key', '1', '--limit', '1'), {
      entityType: 'order',
      key: '1',
      all: 2,
      events: [
        {
          time: '2024-01-01T00:00:00Z',
          activity: 'Place Order',
          lifecycle: 'start',
          qualifier: 'self',
          entity: { entityType: 'order', key: '1' },
          changes: [{ property: 'country', before: null, after: 'DE' }],
        },
      ],
      values: [],
      related: [],
    });
    const missing = await run('timeline', 'shop.entity.yaml', '--key', '4');
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /No entity of the type order has the key "4"\./);
    const named = await run('timeline', 'shop.entity.yaml', '--key', 'a|b\n::error::x', '--format', 'json');
    assert.equal(named.code, 0, named.stderr);
    assert.match(named.stdout, /"after": "a\|b\\n::error::x"/);
    const several = await run('timeline', 'shop.entity.yaml', '--key', 'DE');
    assert.match(
      several.stderr,
      /Several entities of the type order have "DE" in a property\..*\s+Name one by its key: /,
    );
    const without = await run('timeline', 'shop.entity.yaml');
    assert.deepEqual([without.code, /--key is required/.test(without.stderr)], [2, true]);
  });

  it('effect and validate: take the text of a file from stdin, and compare it with the saved one', async () => {
    const typed = (input: string, ...args: readonly string[]): ReturnType<typeof runCommand> =>
      runCommand([...args, '--stdin', 'shop.entity.yaml', '--workspace', folder], folder, {}, input);
    const compared = await typed(
      graph.replace('startTimestamp: at }', 'startTimestamp: at, where: \'shipments."order" > 1\' }'),
      ...['effect', '--base', 'shop.entity.yaml', '--format', 'json'],
    );
    assert.equal(compared.code, 0, compared.stderr);
    assert.equal((JSON.parse(compared.stdout) as { state: string }).state, 'compared');
    const wrong = await typed(graph.replace('startTimestamp: at }', 'startTimestamp: att }'), 'validate');
    assert.deepEqual([wrong.code, /"?att"?.*\[unknown-column\]/.test(wrong.stdout)], [1, true], wrong.stdout);
    assert.equal((await run('validate', 'shop.entity.yaml')).code, 0);
  });

  it('steps, activities, workload and batches: CSV names the unit of times; an empty result is told', async () => {
    const steps = await run('steps', 'shop.entity.yaml', '--format', 'csv');
    assert.equal(
      steps.stdout,
      `from,to,count,median (ms),p90 (ms),total (ms)\nPlace Order,Ship Order,2,${1.5 * day},${1.9 * day},${3 * day}\n`,
    );
    const nothing = ['--where', "country = 'XX'"];
    for (const [command, rows] of [
      ['steps', 'steps'],
      ['activities', 'activities'],
      ['workload', 'periods'],
      ['batches', 'batches'],
    ] as const) {
      const text = await run(command, 'shop.entity.yaml', ...nothing);
      assert.match(text.stdout, new RegExp(`^0 of 3 entities .*\nNo ${rows} found\\.\n$`, 'u'), command);
      assert.match((await run(command, 'shop.entity.yaml', ...nothing, '--format', 'csv')).stderr, /^No .* found\.$/mu);
    }
  });

  it('answers name a slice', async () => {
    const other = await folderWith(files);
    try {
      const here = (...args: readonly string[]) => runCommand([...args, '--workspace', other], other);
      assert.equal((await here('import', 'shop.entity.yaml', '--sample', '2')).code, 0);
      const note = 'A sample: the first 2 rows of each element.';
      for (const command of ['analyze', 'variants', 'entities']) {
        assert.ok((await here(command, 'shop.entity.yaml')).stdout.includes(note), command);
        const { stdout, stderr } = await here(command, 'shop.entity.yaml', '--format', 'json');
        assert.ok(stdout.includes(note) && stderr.includes(note), command);
      }
    } finally {
      await removeFolder(other);
    }
  });
});
