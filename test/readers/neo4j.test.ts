import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { duckdb } from '../../server/src/dialects/duckdb.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { exportProject } from '../support/export-project.ts';
import { type ImportedProject, graphText, withProject } from '../support/import-text.ts';
import { type Neo4j, prepareNeo4j } from './neo4j-server.ts';

/** Texts that are difficult for CSV readers, each as a key, an activity and a property. */
const texts = [
  'C:\\tmp\\',
  '["DE","W\\"3"]',
  '\\',
  '\\"',
  'C:\\new\\"x"',
  'a\\\\b, c',
  'line\nbreak\\',
  'cr\r\nlf',
  '"quoted"',
  'ends with "',
  "it's; \t| `q` ${x}",
  ' spaces ',
  '\\N',
  'null',
  'Ünïcode 🦆',
  '#no comment',
  '//no comment; MATCH (n)',
];

/** Names with special meaning in Cypher, CSV or the header of an import, and columns of every type. */
const names = ['note', 'a:b', 'x "y" \\ `q`', 'comma, name', '(EUR) [b]{c}', 'ends \\'];
const ordersSql = `SELECT note, note AS activity, ${names.slice(1).map((name) => `CASE WHEN n % 5 > 0 THEN note END AS "${name.replaceAll('"', '""')}"`)},
    'C' || (n % 2) || '\\' AS customer, "at", CASE WHEN n = 0 THEN "at" + INTERVAL 1 DAY END AS changed,
    '' AS empty, CASE n WHEN 0 THEN 'nan' WHEN 1 THEN 'inf' WHEN 2 THEN '-inf' WHEN 3 THEN NULL ELSE n / 4 END::DOUBLE AS amount,
    CASE WHEN n <> 3 THEN n - 9007199254740993 END AS number, n::UBIGINT AS small,
    CASE WHEN n = 1 THEN 18446744073709551615 ELSE n END::UBIGINT AS huge, n % 2 = 0 AS paid, "at" AS due, CAST("at" AS DATE) AS day, [note, NULL, 'x"y'] AS tags
  FROM (SELECT note, n, TIMESTAMP '2024-01-01 08:00:00.123456' + to_hours(n) AS "at"
    FROM (SELECT unnest([${texts.map(duckdb.literals.quote).join(', ')}]) AS note, unnest(range(${texts.length})) AS n))`;

const properties = [...names, 'empty', 'amount', 'number', 'small', 'huge', 'paid', 'due', 'day', 'tags'];

const project = {
  'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.parquet" }\n',
  'graph.entity.yaml': graphText(
    `  - { activityName: 'Place "order" \\', dataObject: orders, key: note, entityType: 'order\\', activityColumn: activity, startTimestamp: at, changeTimestamp: changed, properties: ${JSON.stringify(properties)} }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
    `  - { name: 'places \\ "it"', source: Win, target: 'Place "order" \\', mappings: [{ source: id, target: customer }] }\n`,
  ),
};

/** Passes the imported project, the folder of its export, and an empty Neo4j to `use`. */
async function withExport(use: (of: ImportedProject, folder: string, neo4j: Neo4j) => Promise<void>): Promise<void> {
  await withProject(project, async (of) => {
    const scratch = await openScratch();
    await scratch.run(`COPY (${ordersSql}) TO ${duckdb.literals.quote(join(of.folder, 'orders.parquet'))}`);
    const customers = `SELECT unnest(['C0\\', 'C1\\', 'C"2']) AS id, TIMESTAMP '2023-01-01' AS since`;
    await scratch.run(`COPY (${customers}) TO ${duckdb.literals.quote(join(of.folder, 'customers.parquet'))}`);
    await scratch.close();
    const done = await of.import();
    assert.equal(done.status, 'imported', done.error?.message);
    assert.equal(done.totals.events, texts.length + 1 + 3);
    const folder = await exportProject(of, 'neo4j', 'files');
    const home = join(of.folder, 'neo4j');
    await mkdir(home);
    const neo4j = await prepareNeo4j(home);
    try {
      await use(of, folder, neo4j);
    } finally {
      await neo4j.stop();
    }
  });
}

/** The graph in Neo4j; numbers as texts, times in microseconds, for comparison. */
async function loadedGraph(neo4j: Neo4j): Promise<unknown> {
  const time = (at: string): string => `toString(${at}.epochSeconds * 1000000 + ${at}.microsecond)`;
  const value = (name: string): string => {
    const property = `e.\`${name.replaceAll(/[:(){}\\]/g, '_').replaceAll('`', '``')}\``;
    if (name === 'due' || name === 'day') return time(property);
    return ['amount', 'number', 'small'].includes(name) ? `toString(${property})` : property;
  };
  return {
    entities: await neo4j.rows(
      'MATCH (n:Entity) RETURN n.entityId, n.EntityType, n.ID, n.uID ORDER BY toInteger(n.entityId)',
    ),
    events: await neo4j.rows(
      `MATCH (e:Event) RETURN e.eventId, e.Activity, e.lifecycle, e.element, ${time('e.timestamp')}, ${properties.map(value).join(', ')} ORDER BY toInteger(e.eventId)`,
    ),
    correlations: await neo4j.rows(
      'MATCH (e:Event)-[r:CORR]->(n:Entity) RETURN e.eventId, n.entityId, r.qualifier ORDER BY toInteger(e.eventId), toInteger(n.entityId), r.qualifier',
    ),
    follows: await neo4j.rows(
      'MATCH (a:Event)-[r:DF]->(b:Event) RETURN a.eventId, b.eventId, r.EntityType, r.ID ORDER BY toInteger(a.eventId), toInteger(b.eventId), r.ID',
    ),
    relations: await neo4j.rows(
      'MATCH (a:Entity)-[r:REL]->(b:Entity) RETURN a.entityId, b.entityId, r.Type ORDER BY toInteger(a.entityId), toInteger(b.entityId)',
    ),
  };
}

async function storedGraph(of: ImportedProject): Promise<unknown> {
  const value = (name: string): string => {
    const column = `held."${name.replaceAll('"', '""')}"`;
    if (name === 'due' || name === 'day') return `CAST(epoch_us(${column}) AS VARCHAR)`;
    if (name === 'paid') return column;
    if (name !== 'amount') return `CAST(${column} AS VARCHAR)`;
    return `CASE WHEN isnan(${column}) THEN 'NaN' WHEN isinf(${column}) THEN if(${column} > 0, '', '-') || 'Infinity' ELSE CAST(${column} AS VARCHAR) END`;
  };
  return {
    entities: await of.rows('SELECT CAST(id AS VARCHAR), entity_type, key, entity_type || key FROM entity ORDER BY id'),
    events: await of.rows(
      `SELECT CAST(id AS VARCHAR), activity, lifecycle, element, CAST(epoch_us(time) AS VARCHAR), ${properties.map(value).join(', ')}
       FROM event LEFT JOIN properties_1 AS held ON held.event_id = event.id ORDER BY id`,
    ),
    correlations: await of.rows(
      'SELECT CAST(event_id AS VARCHAR), CAST(entity_id AS VARCHAR), qualifier FROM event_entity ORDER BY event_id, entity_id, qualifier',
    ),
    follows: await of.rows(
      'SELECT CAST(source_event_id AS VARCHAR), CAST(target_event_id AS VARCHAR), entity_type, key FROM directly_follows JOIN entity ON id = entity_id ORDER BY source_event_id, target_event_id, key',
    ),
    relations: await of.rows(
      'SELECT CAST(source_entity_id AS VARCHAR), CAST(target_entity_id AS VARCHAR), relationship FROM relation ORDER BY source_entity_id, target_entity_id',
    ),
  };
}

describe('files for Neo4j', function () {
  this.timeout(600_000);

  it('are loaded by neo4j-admin, as the manual says, with every value', () =>
    withExport(async (of, folder, neo4j) => {
      const run = await neo4j.admin(['database', 'import', 'full', '@neo4j-admin.args', 'neo4j'], folder);
      assert.equal(run.code, 0, run.stdout.slice(-2000) + run.stderr);
      await neo4j.start();
      assert.deepEqual(await loadedGraph(neo4j), await storedGraph(of));
    }));

  it('are loaded by cypher-shell into a running database, as the manual says, with every value', () =>
    withExport(async (of, folder, neo4j) => {
      for (const name of await readdir(folder)) {
        if (name.endsWith('.csv')) await copyFile(join(folder, name), join(neo4j.importFolder, name));
      }
      await neo4j.start();
      const run = await neo4j.shell(['-f', 'load.cypher'], folder);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.deepEqual(await loadedGraph(neo4j), await storedGraph(of));
    }));
});
