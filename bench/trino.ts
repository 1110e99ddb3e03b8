import { fileURLToPath } from 'node:url';
import { withProject } from '../test/support/import-text.ts';
import { isTrinoInstalled, startTrino, type TestTrino } from '../test/support/trino-server.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { median, printResults } from './measure.ts';
import { type StatementCosts, byHand, statementCosts } from './trino-costs.ts';
import { graphByHand } from './trino-by-hand.ts';

/** Rows of the small graph; each makes a start and, nearly always, a change. */
const rows = Number(process.env['ENTITY_GRAPH_BENCH_TRINO_ROWS'] ?? (isQuick ? 60_000 : 120_000));
const rounds = isQuick ? 3 : 5;

const graph = (schema: string): string => `version: 1
name: Tickets
dataSource: lake
dataObjects: [ticket, customer]
elements:
  - { activityName: Update Ticket, dataObject: ticket, key: ticket, entityType: ticket, startTimestamp: opened_at, changeTimestamp: updated_at, properties: [state, priority, cost] }
  - { activityName: Join, dataObject: customer, key: id, entityType: customer, startTimestamp: since }
relationships:
  - { name: opens, source: Join, target: Update Ticket, mappings: [{ source: id, target: customer }] }
import: { engine: source, schema: ${schema} }
`;

/**
 * Builds a graph inside Trino on one node: its processor time beside that of a script by hand for the same tables, how it
 * grows with the rows, and what the memory of statements does when there are four times the rows in as many ranges. Times
 * are those of the tasks of statements as Trino counts them: planning is not in them.
 */
export async function run(): Promise<BenchResult[]> {
  if (!isTrinoInstalled()) {
    console.log('  left out: npm test -- trino installs Trino');
    return [];
  }
  const trino = await startTrino({ history: 1000 });
  try {
    const [small, large] = [rows, 4 * rows] as const;
    for (const size of [small, large]) await createRows(trino, size);
    // Java compiles what it runs often.
    await build(trino, small);
    const [smallBuilds, largeBuilds, bare]: [BuildCosts[], BuildCosts[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      smallBuilds.push(await build(trino, small));
      largeBuilds.push(await build(trino, large));
      bare.push(await buildByHand(trino, large));
    }
    await expectEqual(trino, large);
    const [ofSmall, ofLarge] = [smallBuilds, largeBuilds].map((builds) => median(builds.map(({ seconds }) => seconds)));
    const [last] = largeBuilds.slice(-1);
    if (!last || ofSmall === undefined || ofLarge === undefined) throw new Error('No round was run.');
    describeStatements(last);
    const name = `engine: source in Trino, ${last.events.toLocaleString('en')} events`;
    const perMillion = (total: number): number => (total / last.events) * 1e6;
    const floor = perMillion(median(bare));
    const ratio = perMillion(ofLarge) / floor;
    const growth = ofLarge / ofSmall;
    const growths = memoryGrowths(smallBuilds, largeBuilds);
    for (const { statement, before, after } of growths.slice(0, 6)) {
      console.log(`  ${(before / 1e6).toFixed(1)} to ${(after / 1e6).toFixed(1)} MB: ${statement.slice(0, 80)}`);
    }
    const [memory] = growths;
    if (!memory) throw new Error('No statement held more than 8 MB: take more rows.');
    return [
      {
        name: `${name}, processor time a million events`,
        ...{ value: perMillion(ofLarge), unit: 's', floor, ratio },
        goal: '≤ 1.5 × the same tables by hand',
        ok: ratio <= 1.5,
      },
      {
        name: `${name}, processor time beside that of a quarter of the rows`,
        ...{ value: ofLarge, unit: 's', floor: ofSmall, ratio: growth },
        goal: '≤ 5.2 ×',
        ok: growth <= 5.2,
      },
      {
        name: `${name}, peak memory of the statement that grows most, beside that of a quarter of the rows`,
        ...{ value: memory.after / 1e6, unit: 'MB', floor: memory.before / 1e6, ratio: memory.after / memory.before },
        goal: '≤ 4.84 × (ranges hold four times as many rows: 2.2 × for each doubling)',
        ok: memory.after <= 2.2 ** 2 * memory.before,
      },
    ];
  } finally {
    await trino.stop();
  }
}

interface BuildCosts {
  readonly events: number;
  readonly seconds: number;
  readonly statements: readonly StatementCosts[];
}

async function createRows({ run: execute }: TestTrino, size: number): Promise<void> {
  const schema = `lake.rows_${size}`;
  await execute(`CREATE SCHEMA ${schema}`);
  await execute(
    `CREATE TABLE ${schema}.customer AS SELECT i AS id, TIMESTAMP '2019-01-01 00:00:00.000000' + i * INTERVAL '1' HOUR AS since FROM UNNEST(sequence(0, 1999)) AS t (i)`,
  );
  const tickets = Math.floor(size / 10);
  const opened = `TIMESTAMP '2020-01-01 00:00:00.000000' + i * INTERVAL '37' SECOND`;
  await execute(
    `CREATE TABLE ${schema}.ticket AS SELECT 'T' || CAST(i * 7919 % ${tickets} AS varchar) AS ticket, ${opened} AS opened_at,
     ${opened} + (i % 20) * INTERVAL '1' HOUR AS updated_at, i % 7 AS state, i % 4 AS priority,
     CAST(i * DECIMAL '1.25' AS decimal(12, 2)) AS cost, i * 7919 % ${tickets} % 2000 AS customer
     FROM (SELECT a * 1000 + b AS i FROM UNNEST(sequence(0, ${Math.floor(size / 1000) - 1})) AS x (a) CROSS JOIN UNNEST(sequence(1, 1000)) AS y (b)) AS numbers`,
  );
}

async function build(trino: TestTrino, size: number): Promise<BuildCosts> {
  const sources = `version: 1\ndataSources:\n  lake: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, catalog: lake, schemas: rows_${size} }\n`;
  const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graph(`built_${size}`) };
  const begun = new Date();
  const events = await withProject(files, async (project) => {
    const { status, error, totals } = await project.import();
    if (status !== 'imported') throw new Error(error?.message);
    return totals.events;
  });
  const statements = await statementCosts(trino, 'entity-graph', begun);
  const seconds = sum(statements);
  // The whole takes long: what is measured is told at once.
  console.log(`  ${events.toLocaleString('en')} events, ${statements.length} statements: ${seconds.toFixed(2)} s`);
  return { events, seconds, statements };
}

/** The processor time of a script that an expert would write. */
async function buildByHand(trino: TestTrino, size: number): Promise<number> {
  const schema = `by_hand_${size}`;
  const begun = new Date();
  await trino.run(`DROP SCHEMA IF EXISTS lake.${schema} CASCADE`);
  await trino.run(`CREATE SCHEMA lake.${schema}`);
  for (const sql of graphByHand(`lake.rows_${size}`)) await trino.run(sql, byHand(schema));
  const seconds = sum(await statementCosts(trino, 'by-hand', begun));
  console.log(`  the same by hand, of ${size.toLocaleString('en')} rows: ${seconds.toFixed(2)} s`);
  return seconds;
}

/** A floor that builds something else would be none. */
async function expectEqual(trino: TestTrino, size: number): Promise<void> {
  for (const table of ['entity', 'event', 'properties_1', 'relation', 'event_entity', 'directly_follows']) {
    const [one, other] = [`lake.built_${size}.${table}`, `lake.by_hand_${size}.${table}`];
    const [[different]] = (await trino.run(
      `SELECT (SELECT count(*) FROM (SELECT * FROM ${one} EXCEPT SELECT * FROM ${other}) AS a) + abs((SELECT count(*) FROM ${one}) - (SELECT count(*) FROM ${other}))`,
    )) as [[number]];
    if (different !== 0) throw new Error(`${table} differs in ${different} rows from the one by hand.`);
  }
}

interface MemoryGrowth {
  readonly statement: string;
  readonly before: number;
  readonly after: number;
}

/** What each statement held at each size, the median of all builds; those that grew most first. */
function memoryGrowths(small: readonly BuildCosts[], large: readonly BuildCosts[]): readonly MemoryGrowth[] {
  const [before, after] = [medianPeaks(small), medianPeaks(large)];
  return [...after]
    .flatMap(([statement, peak]): readonly MemoryGrowth[] => {
      const earlier = before.get(statement);
      // Less are buffers for reading and writing, which have one size where there are enough rows to fill them.
      return earlier === undefined || peak < 8e6 ? [] : [{ statement, before: earlier, after: peak }];
    })
    .toSorted((one, other) => other.after / other.before - one.after / one.before);
}

function medianPeaks(builds: readonly BuildCosts[]): ReadonlyMap<string, number> {
  const peaks = new Map<string, number[]>();
  for (const { statements } of builds) {
    const seen = new Map<string, number>();
    for (const { form, peakBytes } of statements) {
      // Statements of two elements may differ in their numbers only.
      const number = (seen.get(form) ?? 0) + 1;
      seen.set(form, number);
      const name = number === 1 ? form : `(${number}) ${form}`;
      peaks.set(name, [...(peaks.get(name) ?? []), peakBytes]);
    }
  }
  return new Map([...peaks].map(([name, values]) => [name, median(values)]));
}

/** What the model of the time on paper is checked against (docs/engine-source.md). */
function describeStatements({ events, statements }: BuildCosts): void {
  const shuffled = statements.reduce((total, each) => total + each.shuffledBytes, 0);
  console.log(`  ${statements.length} statements, ${Math.round(shuffled / events)} bytes shuffled an event`);
  const costly = statements.toSorted((one, other) => other.seconds - one.seconds).slice(0, 8);
  for (const { form, seconds, peakBytes, shuffledBytes } of costly) {
    console.log(
      `  ${((seconds / events) * 1e6).toFixed(1)} µs, ${Math.round(peakBytes / events)} B of memory and ${Math.round(shuffledBytes / events)} B shuffled an event: ${form.slice(0, 60)}`,
    );
  }
}

function sum(statements: readonly StatementCosts[]): number {
  return statements.reduce((total, { seconds }) => total + seconds, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
