import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { importLikeAnew, previousGraph, wholeStore } from '../support/like-anew.ts';
import { countSoak, isSoak, soakAmount } from '../support/soak.ts';

const element = `  - activityName: Update Ticket
    dataObject: log
    key: ticket
    entityType: ticket
    startTimestamp: at
    changeTimestamp: until
    activityColumn: note
    properties: [cost]
`;
const sources = csvSources();
const fileOf = (rows: readonly string[]): string =>
  `ticket,at,until,note,cost\n${rows.map((row) => `${row}\n`).join('')}`;
const filesWith = (rows: readonly string[], elements = element): Readonly<Record<string, string>> => ({
  'entity-sources.yaml': sources,
  'graph.entity.yaml': graphText(elements),
  'log.csv': fileOf(rows),
});
const first = [
  't1,2024-01-01 00:00:00,2024-01-05 00:00:00,a,0.0',
  't3,2024-01-02 00:00:00,,b,1.5',
  't3,2024-01-04 00:00:00,2024-01-04 00:00:01,b,1.5',
];

const mapTables = ['directly_follows', 'process_map', 'process_map_activity', 'process_map_path'];

/** Whether directly-follows and the process map were brought up to date, or why they were built anew. */
function updatedMap({ steps = [] }: ImportSummary): true | string | undefined {
  const reused = mapTables.filter((table) => steps.find(({ name }) => name === table)?.isReused === true);
  if (reused.length === mapTables.length) return true;
  assert.deepEqual(reused, []);
  return steps.find(({ name }) => name === 'previous_graph')?.builtAnew;
}

describe('directly-follows and the process map of the previous import get new rows', () => {
  for (const [what, ...added] of [
    ['of an entity that there is, behind all others', 't1,2024-02-01 00:00:00,2024-02-02 00:00:00,b,1'],
    ['of an entity that there is, before all others', 't1,2023-02-01 00:00:00,2024-02-01 00:00:00,b,1'],
    ['between two events of an entity', 't1,2024-01-03 00:00:00,2024-01-03 12:00:00,b,1'],
    ['at the time of other events', 't3,2024-01-02 00:00:00,2024-01-04 00:00:01,a,1', 't3,2024-01-02 00:00:00,,b,1'],
    ['of a new entity behind all others', 't4,2024-02-01 00:00:00,,b,1'],
    ['of a new entity before all others', 't0,2024-02-01 00:00:00,2024-02-01 00:00:01,b,1'],
    ['of new and other entities', 't2,2024-01-04 00:00:00,,a,1', 't1,2024-01-04 00:00:00,2024-01-05 00:00:00,b,1'],
    ['without a start', 't2,,,a,1'],
    [
      'with microseconds',
      't3,2024-02-01 00:00:00.000001,2024-02-01 00:00:00.333334,b,1',
      't3,2024-02-03 00:00:00,,b,1',
    ],
    [
      'of times more than a century apart',
      't1,2024-02-01 00:00:00,2035-12-31 23:59:59.999999,b,1',
      't1,1901-01-01 00:00:00,,b,1',
    ],
  ] as const) {
    it(what, () =>
      withProject(filesWith(first), async (project) => {
        await project.import();
        await project.write({ 'log.csv': fileOf([...first, ...added]) });
        const summary = await importLikeAnew(project, wholeStore);
        assert.equal(previousGraph(summary), added.length);
        assert.equal(updatedMap(summary), true);
        const more = 't3,2024-03-01 00:00:00,2024-03-02 00:00:00,a,1';
        await project.write({ 'log.csv': fileOf([...first, ...added, more]) });
        assert.equal(updatedMap(await importLikeAnew(project, wholeStore)), true);
      }),
    );
  }

  it('but not the first change of an activity', () =>
    withProject(
      filesWith(['t1,2024-01-01 00:00:00,,a,1', 't2,2024-01-01 00:00:00,2024-01-02 00:00:00,b,1']),
      async (project) => {
        await project.import();
        await project.write({
          'log.csv': fileOf([
            't1,2024-01-01 00:00:00,,a,1',
            't2,2024-01-01 00:00:00,2024-01-02 00:00:00,b,1',
            't3,2024-02-01 00:00:00,2024-02-02 00:00:00,a,1',
          ]),
        });
        const summary = await importLikeAnew(project, wholeStore);
        assert.equal(previousGraph(summary), 1);
        assert.match(String(updatedMap(summary)), /has its first start or change/);
        assert.equal(updatedMap(await importLikeAnew(project, wholeStore)), true);
      },
    ));

  const lasting = (count: number, seconds: (index: number) => number): readonly string[] =>
    Array.from({ length: count }, (_, index) => {
      const start = Date.UTC(2024, 0, 1, 0, index);
      const text = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
      return `t${index},${text(start)},${text(start + 1000 * seconds(index))},a,1`;
    });

  it('whose median moves a little, and then beyond the times that were kept', () => {
    const before = lasting(2000, (index) => index + 1);
    const [few, many] = [20, 600].map((count) =>
      lasting(2000 + count, () => 100_000)
        .slice(2000)
        .map((row) => row.replace(/^t/, 'u')),
    );
    return withProject(filesWith(before), async (project) => {
      await project.import();
      await project.write({ 'log.csv': fileOf([...before, ...(few ?? [])]) });
      assert.equal(updatedMap(await importLikeAnew(project)), true);
      await project.write({ 'log.csv': fileOf([...before, ...(few ?? []), ...(many ?? [])]) });
      const summary = await importLikeAnew(project);
      assert.equal(previousGraph(summary), 600);
      assert.match(String(updatedMap(summary)), /beyond the times that were kept/);
    });
  });

  it('and equal those of a full import after any new rows, where the times of few classes are kept', async () => {
    const both = `${element}  - activityName: Place Order
    dataObject: orders
    key: number
    entityType: order
    startTimestamp: at
`;
    // Most steps are short, some take many times as long, and few entities have most events.
    const row = fc.record({
      entity: fc.integer({ min: 1, max: 30 }).chain((most) => fc.integer({ min: 0, max: most * most })),
      at: fc.integer({ min: 0, max: 4_000_000 }),
      lasts: fc.integer({ min: 0, max: 180 }).map((power) => Math.round(1.09 ** power)),
      note: fc.constantFrom('a', 'b'),
    });
    const rowsOf = (minLength: number, maxLength: number) => fc.array(row, { minLength, maxLength, size: 'max' });
    const sequences = fc.record({
      start: rowsOf(1500, 1800),
      steps: fc.array(rowsOf(1, 40), { minLength: 2, maxLength: 2 }),
    });
    let [updated, imports] = [0, 0];
    await fc.assert(
      fc.asyncProperty(sequences, async ({ start, steps }) => {
        const text = (seconds: number): string =>
          new Date(Date.UTC(2024, 0, 1, 0, 0, seconds)).toISOString().slice(0, 19).replace('T', ' ');
        const ticket = ({ entity, at, lasts, note }: (typeof start)[number]): string =>
          `t${entity},${text(at)},${text(at + lasts)},${note},1.5`;
        const order = ({ entity, at }: (typeof start)[number]): string => `o${entity % 40},${text(at)}`;
        let rows = start;
        const files = (): Readonly<Record<string, string>> => ({
          'log.csv': fileOf(rows.map(ticket)),
          'orders.csv': `number,at\n${rows.map((each) => `${order(each)}\n`).join('')}`,
        });
        await withProject({ ...filesWith([], both), ...files() }, async (project) => {
          await project.import();
          for (const added of steps) {
            rows = [...rows, ...added];
            await project.write(files());
            imports += 1;
            if (updatedMap(await importLikeAnew(project, wholeStore)) === true) updated += 1;
            const [counted] = await project.rows(
              `SELECT count(*) FROM entity_graph_storage.map_class
                ANTI JOIN entity_graph_storage.map_duration USING (type, source, target, duration_class) WHERE source IS NOT NULL`,
            );
            assert.ok(Number(counted?.[0]) > 0, 'The times of all classes are kept.');
          }
        });
      }),
      isSoak
        ? { numRuns: soakAmount('seeds', 1, 1 / 40), endOnFailure: true }
        : { numRuns: 1, seed: 11, endOnFailure: true },
    );
    assert.ok(updated > imports / 2, `${updated} of ${imports} imports brought the map up to date`);
  });

  it('and equal those of a full import after any new rows', async () => {
    const runs = soakAmount('seeds', 4, 1 / 10);
    const row = fc.record({
      ticket: fc.constantFrom('t1', 't2', 't3', 't4', 't12'),
      at: fc.integer({ min: 0, max: 400 }),
      lasts: fc.option(fc.constantFrom(0, 1, 7, 60, 3600)),
      fraction: fc.constantFrom('', '.5', '.000001', '.333333'),
      note: fc.constantFrom('a', 'b', ''),
    });
    const sequences = fc.record({
      start: fc.array(row, { minLength: 30, maxLength: 60 }),
      steps: fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { minLength: 3, maxLength: 5 }),
      hasActivity: fc.boolean(),
      isBehind: fc.boolean(),
    });
    let [imports, updated] = [0, 0];
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(sequences, async ({ start, steps, hasActivity, isBehind }) => {
        let group = 0;
        const line = ({ ticket, at, lasts, fraction, note }: (typeof start)[number]): string => {
          const text = (seconds: number): string =>
            new Date(Date.UTC(2024, 0, 1, 0, 0, (isBehind ? group * 500 : 0) + seconds))
              .toISOString()
              .slice(0, 19)
              .replace('T', ' ') + fraction;
          return [ticket, text(at), lasts === null ? '' : text(at + lasts), note, '1.5'].join(',');
        };
        const rows = start.map(line);
        const settings = hasActivity ? element : element.replace('    activityColumn: note\n', '');
        await withProject(filesWith(rows, settings), async (project) => {
          await project.import();
          for (const added of steps) {
            group += 1;
            rows.push(...added.map(line));
            await project.write({ 'log.csv': fileOf(rows) });
            const found = updatedMap(await importLikeAnew(project, wholeStore));
            imports += 1;
            if (found === true) updated += 1;
            else reasons.add(String(found));
          }
        });
        countSoak('seeds', 1);
      }),
      isSoak ? { numRuns: runs } : { numRuns: runs, seed: 7 },
    );
    const share = `${updated} of ${imports} imports brought the map up to date; ${[...reasons].join('; ')}`;
    console.log(`      ${share}`);
    assert.ok(updated > imports / 2, share);
  });
});
