import type { EntityCases } from '../../../protocol/analysis.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import { momentSql } from '../rule-kinds/judged-things.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { judgedColumn } from '../rule-kinds/property-values-sql.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { countSubjects, subjectSql } from './answer-measures.ts';
import { defaultMeasures, measuredSql } from './entity-measures.ts';
import { lastValuesSql, propertiesOfType } from './entity-properties.ts';
import type { ReadTypeFilter } from './filter-entities.ts';
import { QuestionError } from './question-error.ts';
import { numberOf, textOf } from './read-cells.ts';

const { identifiers } = duckdb;

interface CasesQuestion {
  readonly filter: ReadTypeFilter;
  /** A column of the list or a property; default: throughput, the longest first. */
  readonly sort?: string | undefined;
  readonly ascending?: boolean | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

const ownColumns = ['key', 'first', 'last', ...Object.keys(defaultMeasures)];

/** The entities of a filter with their measures and properties, sorted. Rejects with `QuestionError`, or as the store does. */
export async function readCases(
  store: StoreReader,
  { filter, sort = 'throughput', ascending = false, limit, offset = 0 }: CasesQuestion,
  options: StatementOptions,
): Promise<EntityCases> {
  const graph = await judgedGraphTables(store, options);
  const properties = await propertiesOfType(store, filter.entityType, graph, options);
  const order = sortedBy(sort, properties);
  const rows = await store.query(
    `WITH moment AS (${momentSql(graph)}), subject AS MATERIALIZED (${subjectSql(filter)}), measured AS (
  ${measuredSql({ hasCorrelations: graph.hasCorrelations, countsActivities: true })}
), listed AS (
  SELECT s.judged, m.first, m.last, ${Object.entries(defaultMeasures)
    .map(([name, { sql }]) => `${sql} AS ${name}`)
    .join(', ')}
  FROM subject AS s LEFT JOIN measured AS m ON m.judged = s.judged
), chosen AS (
  SELECT l.*, e.key, count(*) OVER () AS entities${order.isProperty ? `, p.${order.column} AS sorted` : ''}
  FROM listed AS l JOIN entity AS e ON e.id = l.judged ${order.isProperty ? valuesJoin(graph, [sort], 'l', 'subject') : ''}
  ORDER BY ${order.isProperty ? 'sorted' : order.column} ${ascending ? 'ASC' : 'DESC'} NULLS LAST, l.judged
  LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}
)
SELECT c.*${properties.map((name, index) => `, CAST(p.${identifiers.quote(name)} AS VARCHAR) AS property_${index}`).join('')}
FROM chosen AS c ${properties.length === 0 ? '' : valuesJoin(graph, properties, 'c', 'chosen')}
ORDER BY ${order.isProperty ? 'c.sorted' : `c.${order.column}`} ${ascending ? 'ASC' : 'DESC'} NULLS LAST, c.judged`,
    options,
  );
  return {
    cases: rows.map((row) => ({
      id: Number(row['judged']),
      key: String(row['key']),
      first: textOf(row['first']),
      last: textOf(row['last']),
      events: Number(row['events']),
      rework: Number(row['rework']),
      throughput: numberOf(row['throughput']),
      idle: numberOf(row['idle']),
      properties: Object.fromEntries(properties.map((name, index) => [name, textOf(row[`property_${index}`])])),
    })),
    // A page beyond the end has no rows that could say how many there are.
    all: rows[0] ? Number(rows[0]['entities']) : await countSubjects(store, filter, options),
  };
}

function valuesJoin(graph: JudgedGraphTables, names: readonly string[], of: string, judged: string): string {
  return `LEFT JOIN (\n${lastValuesSql(graph, names, judged)}\n) AS p ON p.${judgedColumn} = ${of}.judged`;
}

function sortedBy(
  sort: string,
  properties: readonly string[],
): { readonly column: string; readonly isProperty: boolean } {
  if (ownColumns.includes(sort)) return { column: sort, isProperty: false };
  if (properties.includes(sort)) return { column: identifiers.quote(sort), isProperty: true };
  const columns = [...ownColumns, ...properties];
  const remedy = didYouMean(nearestNames(sort, columns)) ?? `The columns are: ${columns.join(', ')}.`;
  throw new QuestionError(`The entities have no column "${sort}".`, remedy);
}
