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
 * grows with the rows, and what the memory of statements does when rows double and ranges stay as many. Times are those of
 * the tasks of statements as Trino counts them: planning is not in them.
 */
export async function run(): Promise<BenchResult[]> {
  if (!isTrinoInstalled()) {
    console.log('  left out: npm test -- trino installs Trino');
    return [];
  }
  const trino = await startTrino();
  try {
    const [small, double, large] = [rows, 2 * rows, 4 * rows] as const;
    for (const size of [small, double, large]) await createRows(trino, size);
    // Java compiles what it runs often.
    await build(trino, small);
    const [seconds, bare] = [new Map<number, number[]>(), [] as number[]];
    const costs = new Map<number, BuildCosts>();
    for (let round = 0; round < rounds; round++) {
      for (const size of [small, large]) {
        const built = await build(trino, size);
        costs.set(size, built);
        seconds.set(size, [...(seconds.get(size) ?? []), built.seconds]);
      }
      bare.push(await buildByHand(trino, large));
    }
    costs.set(double, await build(trino, double));
    await expectEqual(trino, large);
    const [ofSmall, ofLarge] = [median(seconds.get(small) ?? []), median(seconds.get(large) ?? [])];
    const [at, after] = [costs.get(double), costs.get(large)];
    if (!at || !after) throw new Error('A size was not built.');
    describeStatements(after);
    const name = `engine: source in Trino, ${after.events.toLocaleString('en')} events`;
    const perMillion = (total: number): number => (total / after.events) * 1e6;
    const floor = perMillion(median(bare));
    const ratio = perMillion(ofLarge) / floor;
    const growth = ofLarge / ofSmall;
    const memory = memoryGrowth(at, after);
    console.log(`  grows most in memory: ${memory.statement.slice(0, 60)}`);
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
        name: `${name}, peak memory of the statement that grows most, beside that of half of the rows`,
        ...{ value: memory.after / 1e6, unit: 'MB', floor: memory.before / 1e6, ratio: memory.after / memory.before },
        goal: '≤ 2.2 × (ranges hold twice as many rows)',
        ok: memory.after <= 2.2 * memory.before,
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

/** Only statements that hold more than some megabytes: what is smaller does not depend on rows. */
function memoryGrowth(
  before: BuildCosts,
  after: BuildCosts,
): { readonly statement: string; readonly before: number; readonly after: number } {
  const peaks = new Map(before.statements.map(({ form, peakBytes }) => [form, peakBytes]));
  const grown = after.statements.flatMap(({ form, peakBytes }) => {
    const earlier = peaks.get(form);
    return earlier === undefined || peakBytes < 8e6 ? [] : [{ statement: form, before: earlier, after: peakBytes }];
  });
  const [most] = grown.toSorted((one, other) => other.after / other.before - one.after / one.before);
  if (!most) throw new Error('No statement held more than 8 MB: take more rows.');
  return most;
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
