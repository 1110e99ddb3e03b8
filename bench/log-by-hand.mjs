// The process map of `data/log.csv` by statements of DuckDB: `node log-by-hand.mjs <folder> <map|tables>`. Types are
// given and nothing is checked. `map` keeps nothing, as pm4py and Rust4PM do; `tables` also writes entities, events,
// their properties and directly-follows into a file, within the memory that an import may use. Prints the medians.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [folder = '.', work = 'map'] = process.argv.slice(2);
const csv = join(folder, 'data', 'log.csv').replaceAll("'", "''");
const log = `read_csv('${csv}', auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
  columns = {'case_id': 'VARCHAR', 'activity': 'VARCHAR', 'time': 'TIMESTAMP', 'resource': 'VARCHAR', 'cost': 'DOUBLE'})`;
const medians = (steps) => `CREATE TEMP TABLE path AS
  SELECT source, target, CAST(round(quantile_cont(epoch_us(until) - epoch_us(since), 0.5) / 1e6) AS BIGINT) AS median
  FROM (${steps}) AS steps WHERE target IS NOT NULL GROUP BY ALL`;
const statements = {
  map: [
    `CREATE TABLE rows AS SELECT case_id, activity, time FROM ${log}`,
    medians(`SELECT activity AS source, lead(activity) OVER steps AS target, time AS since, lead(time) OVER steps AS until
      FROM rows WINDOW steps AS (PARTITION BY case_id ORDER BY time)`),
  ],
  tables: [
    `CREATE TEMP TABLE rows AS SELECT row_number() OVER () AS place, * FROM ${log}`,
    'CREATE TABLE entity AS SELECT row_number() OVER (ORDER BY case_id) AS id, case_id FROM (SELECT DISTINCT case_id FROM rows)',
    `CREATE TABLE event AS SELECT row_number() OVER (ORDER BY time, place) AS id, entity.id AS entity_id, activity, time, place
      FROM rows JOIN entity USING (case_id) ORDER BY time, place`,
    `CREATE TABLE event_property AS SELECT event.id, resource, cost FROM event JOIN rows USING (place) ORDER BY event.id`,
    `CREATE TABLE directly_follows AS SELECT entity_id, id AS source_event_id, lead(id) OVER steps AS target_event_id,
        activity AS source, lead(activity) OVER steps AS target, time AS since, lead(time) OVER steps AS until
      FROM event WINDOW steps AS (PARTITION BY entity_id ORDER BY id)`,
    medians('FROM directly_follows'),
  ],
};

const instance = await (work === 'map'
  ? DuckDBInstance.create(':memory:')
  : DuckDBInstance.create(join(folder, 'by-hand.duckdb'), { memory_limit: '400MB' }));
const connection = await instance.connect();
for (const statement of statements[work]) await connection.run(statement);
const paths = await connection.runAndReadAll('FROM path');
console.log(
  JSON.stringify(Object.fromEntries(paths.getRows().map(([from, to, median]) => [`${from} → ${to}`, Number(median)]))),
);
connection.closeSync();
instance.closeSync();
