import { duckdb } from '../../dialects/duckdb.ts';
import { caseColumns } from '../case-columns.ts';
import { counted, numbersOf } from '../counted.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';
import { caseTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

const fewest = 5;
const leastShare = 0.005;
/** Of a key of rows: entities, activities, and the share of the entities with one event. */
const [leastEntities, leastActivities, mostlyOne] = [100, 3, 0.95];

/** Keys that make more entities than there are: written in several ways, or of the row instead of the case. */
export const explodedKeys: FindingSearch = {
  kind: 'exploded-keys',
  async find(graph) {
    return [...(await variantsOf(graph)), ...(await rowsAsEntities(graph))];
  },
};

/** Entities with one event whose key is that of another one but for case, blanks, leading zeros or an ending such as -1. */
async function variantsOf(graph: SearchedGraph): Promise<readonly FoundFinding[]> {
  const { store, options } = graph;
  await store.run(
    `CREATE OR REPLACE TEMP TABLE finding_key AS
WITH folded AS (
  SELECT c.entity_type, c.entity_id, c.first_id, c.events, e.key, f.folded, nullif(regexp_extract(f.folded, '^(.+)-[0-9]{1,3}$', 1), '') AS base
  FROM ${caseTable} AS c JOIN entity AS e ON e.id = c.entity_id,
    LATERAL (SELECT regexp_replace(trim(regexp_replace(lower(strip_accents(e.key)), '[^\\p{L}\\p{N}]+', '-', 'g'), '-'), '^0+([0-9])', '\\1') AS folded) AS f
), usual AS (
  SELECT entity_type, folded, max(events) AS most, arg_max(key, events) AS key FROM folded WHERE folded <> '' GROUP BY entity_type, folded
)
SELECT f.entity_type, f.entity_id, f.first_id, u.key AS usual FROM folded AS f JOIN usual AS u ON u.entity_type = f.entity_type AND u.folded = f.folded AND u.key <> f.key
WHERE f.events = 1 AND u.most > 1
UNION ALL SELECT f.entity_type, f.entity_id, f.first_id, u.key FROM folded AS f JOIN usual AS u ON u.entity_type = f.entity_type AND u.folded = f.base
WHERE f.events = 1 AND u.most > 1`,
    options,
  );
  const rows = await store.query(
    `SELECT k.entity_type, count(DISTINCT k.entity_id) AS entities, mode(v.element) AS element, any_value(e.key) AS key, arg_min(k.usual, e.key) AS usual,
  min(e.key) AS shown, (SELECT count(*) FROM ${caseTable} AS c WHERE c.entity_type = k.entity_type) AS total
FROM temp.finding_key AS k JOIN event AS v ON v.id = k.first_id JOIN entity AS e ON e.id = k.entity_id GROUP BY k.entity_type ORDER BY k.entity_type`,
    options,
  );
  return rows.flatMap((row) => {
    const { entities: count, total: of } = numbersOf(row, 'entities', 'total');
    if (count < fewest) return [];
    const [type, element] = [String(row['entity_type']), String(row['element'])];
    const key = graph.element(element)?.key;
    return {
      kind: 'exploded-keys' as const,
      ...counted('entities', count, of, leastShare),
      element,
      column: key?.length === 1 ? (key[0]?.value ?? null) : null,
      message: `${countOf(count, of, 'entity')} of the type ${type} (${percent(count / of)}) have one event and nearly the key of another one, such as ${quoted(String(row['shown']))} beside ${quoted(String(row['usual']))}: one thing is counted as two, and its path is cut.`,
      remedy: `Write the keys alike in the source, or read a table in which they are (a view, or joins with a key that is written alike).`,
      flagged: `SELECT first_id AS id FROM temp.finding_key WHERE entity_type = ${quote(type)}`,
    };
  });
}

/** A type of several activities whose entities have one event each. */
async function rowsAsEntities(graph: SearchedGraph): Promise<readonly FoundFinding[]> {
  const { store, options } = graph;
  const rows = await store.query(
    `SELECT entity_type, count(*) AS entities, count(*) FILTER (WHERE events = 1) AS single, count(DISTINCT first_activity) AS activities FROM ${caseTable}
GROUP BY entity_type HAVING entities >= ${leastEntities} AND activities >= ${leastActivities} AND single >= entities * ${mostlyOne} ORDER BY entity_type`,
    options,
  );
  const found: FoundFinding[] = [];
  for (const row of rows) {
    const { entities: of, single: count, activities } = numbersOf(row, 'entities', 'single', 'activities');
    const type = String(row['entity_type']);
    const better = await caseColumns(type, false, graph);
    const [best] = better;
    const columns = better.map(({ column }) => column);
    const [element = null, ...others] = best?.elements ?? [];
    const key = element !== null && others.length === 0 ? graph.element(element)?.key : undefined;
    found.push({
      kind: 'exploded-keys',
      severity: 'warning',
      element: others.length === 0 ? element : null,
      column: key?.length === 1 ? (key[0]?.value ?? null) : null,
      count,
      of,
      counts: 'entities',
      message: `${countOf(count, of, 'entity')} of the type ${type} (${percent(count / of)}) have one event, of ${activities} activities in all: the key probably identifies the row, not the thing that goes through the process, so that the map has no paths.`,
      remedy: best
        ? `Choose as key the column that the rows of one thing share: probably ${columns.map(quoted).join(' or ')}.`
        : 'Choose as key the column that the rows of one thing share, such as the number of the order or the incident.',
      flagged: `SELECT first_id AS id FROM ${caseTable} WHERE events = 1 AND entity_type = ${quote(type)}`,
      ...(best && { hint: { kind: 'key', elements: best.elements, columns } }),
    });
  }
  return found;
}
