import { fileURLToPath } from 'node:url';
import { withProject } from '../test/support/import-text.ts';
import { isTrinoInstalled, startTrino, type TestTrino } from '../test/support/trino-server.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { median, printResults } from './measure.ts';
import { type StatementCosts, byHand, statementCosts } from './trino-costs.ts';
import { graphByHand } from './trino-by-hand.ts';
import { type BuildCosts, farResult, memoryResult, resultsOf } from './trino-results.ts';

/**
 * Rows of the smallest graph; each makes a start and, nearly always, a change. With 60,000, the largest graph has 1.9 million
 * events, which one node for tests can hold.
 */
const rows = Number(process.env['ENTITY_GRAPH_BENCH_TRINO_ROWS'] ?? 60_000);
const rounds = Number(process.env['ENTITY_GRAPH_BENCH_TRINO_ROUNDS'] ?? (isQuick ? 3 : 5));
const nodes = Number(process.env['ENTITY_GRAPH_BENCH_TRINO_NODES'] ?? 1);

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
 * Builds graphs inside Trino, of rows that are doubled twice: the processor time beside that of a script by hand for the
 * same tables, and how it grows. Then one graph of sixteen times the rows, against what the model of the time predicts for
 * it (docs/engine-source.md). Then a second node is added, for memory. Twice the rows on two nodes: a node has as many rows,
 * in half as many ranges of twice the size, and no statement should hold more on it. Twice the rows again on these two
 * nodes: a node has as many ranges, of twice the size, and no statement should hold more than twice as much. Times are those
 * of the tasks of statements as Trino counts them: planning is not in them. With `ENTITY_GRAPH_BENCH_TRINO_NODES=2` there are
 * two nodes of this machine from the start, and memory is left out.
 */
export async function run(): Promise<BenchResult[]> {
  if (!isTrinoInstalled()) {
    console.log('  left out: npm test -- trino installs Trino');
    return [];
  }
  if (nodes !== 1 && nodes !== 2) throw new Error('ENTITY_GRAPH_BENCH_TRINO_NODES is 1 or 2.');
  const trino = await startTrino({ history: 1000, compilesWell: true });
  try {
    if (nodes === 2) await trino.addWorker();
    const large = 4 * rows;
    const sizes = [rows, 2 * rows, large];
    const farther = isQuick ? [] : [8 * rows, 16 * rows];
    for (const size of [...sizes, ...farther]) await createRows(trino, size);
    // Java compiles what it runs often.
    await build(trino, rows);
    const builds: readonly BuildCosts[][] = sizes.map(() => []);
    const bare: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const [index, size] of sizes.entries()) builds[index]?.push(await build(trino, size));
      bare.push(await buildByHand(trino, large));
    }
    await expectEqual(trino, large);
    const onNodes = nodes === 1 ? '' : `, ${nodes} nodes`;
    const results = resultsOf(builds, median(bare), onNodes);
    if (!isQuick) results.push(farResult(builds, await build(trino, 16 * rows), onNodes));
    return nodes === 1 ? [...results, ...(await memoryResults(trino))] : results;
  } finally {
    await trino.stop();
  }
}

/** Trino sends a joined table below 100 MB whole to every node, which graphs of this size would show instead. */
const asIfLarge = ', sessionProperties: { join_distribution_type: PARTITIONED }';

/**
 * Builds a graph on one node, adds a second one, and builds graphs of twice and of four times the rows there. They are as
 * large as the largest of the others, since buffers would hide what small ones hold.
 */
async function memoryResults(trino: TestTrino): Promise<BenchResult[]> {
  const size = isQuick ? rows : 4 * rows;
  const buildOften = async (rowCount: number): Promise<BuildCosts[]> => {
    const builds: BuildCosts[] = [];
    for (let round = 0; round < rounds; round++) builds.push(await build(trino, rowCount, asIfLarge));
    return builds;
  };
  const alone = await buildOften(size);
  await trino.addWorker();
  // The new node has compiled nothing yet.
  await build(trino, rows, asIfLarge);
  const twice = await buildOften(2 * size);
  const fourTimes = await buildOften(4 * size);
  return [
    memoryResult(alone, twice, { where: 'one node', mostGrowth: 1.5 }),
    memoryResult(twice, fourTimes, { where: 'the same two nodes', mostGrowth: 2.2 }),
  ];
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

/** @param settings further ones of the data source */
async function build(trino: TestTrino, size: number, settings = ''): Promise<BuildCosts> {
  const sources = `version: 1\ndataSources:\n  lake: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, catalog: lake, schemas: rows_${size}${settings} }\n`;
  const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graph(`built_${size}`) };
  const begun = new Date();
  const events = await withProject(files, async (project) => {
    const { status, error, totals } = await project.import();
    if (status !== 'imported') throw new Error(error?.message);
    return totals.events;
  });
  const statements = await statementCosts(trino, 'entity-graph', begun);
  const seconds = sum(statements);
  // All rounds take long: each figure is printed at once.
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

function sum(statements: readonly StatementCosts[]): number {
  return statements.reduce((total, { seconds }) => total + seconds, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
