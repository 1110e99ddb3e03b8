import { duckdb } from '../dialects/duckdb.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { namedValuesSql } from '../rule-kinds/named-values-sql.ts';
import { judgedColumn } from '../rule-kinds/property-values-sql.ts';
import { isOneName } from '../rule-kinds/sql-names.ts';
import { lastValuesSql } from './entity-properties.ts';
import { QuestionError } from './question-error.ts';
import { numberedPathsSql } from './variant-sql.ts';

const { identifiers, lexis } = duckdb;

/** What entities are grouped by: SQL over `subject` as `s`, `measured` as `m` and the joined tables. */
export interface Dimensions {
  /** The text of each, NULL for entities without one. */
  readonly columns: readonly string[];
  readonly joins: readonly string[];
}

/** By the first event of an entity. */
const periods: Readonly<Record<string, string>> = {
  day: "strftime(m.first, '%Y-%m-%d')",
  week: "strftime(date_trunc('week', m.first), '%Y-%m-%d')",
  month: "strftime(m.first, '%Y-%m')",
  quarter: "strftime(m.first, '%Y') || '-Q' || quarter(m.first)",
  year: "strftime(m.first, '%Y')",
};

export const dimensionNames: readonly string[] = ['variant', ...Object.keys(periods)];

/**
 * Rejects names that are neither a property, also of related entities, nor a period nor `variant` with `QuestionError`.
 * A property wins. @param variants a SELECT like `numberedPathsSql`
 */
export function dimensionsOf(
  names: readonly string[],
  entityType: string,
  graph: JudgedGraphTables,
  variants = numberedPathsSql(entityType, graph.hasCorrelations),
): Dimensions {
  const known = new Set(graph.properties.flatMap(({ properties }) => properties));
  const ofValues = names.filter((name) => known.has(name));
  const joinsOfNames: string[] = [];
  const columns = names.map((name) => {
    if (known.has(name)) return `CAST(p.${identifiers.quote(name)} AS VARCHAR)`;
    if (name === 'variant') return 'CAST(n.number AS VARCHAR)';
    const period = Object.hasOwn(periods, name) ? periods[name] : undefined;
    if (period !== undefined) return period;
    const named = namedSql(name, joinsOfNames.length, graph);
    if (named) {
      joinsOfNames.push(named.join);
      return named.column;
    }
    const names = [...known, ...dimensionNames];
    throw new QuestionError(`The graph has no property "${name}".`, didYouMean(nearestNames(name, names)));
  });
  const values = lastValuesSql(graph, ofValues, 'subject');
  const isByVariant = names.some((name) => name === 'variant' && !known.has(name));
  return {
    columns,
    joins: [
      ...(ofValues.length === 0 ? [] : [`LEFT JOIN (\n${values}\n) AS p ON p.${judgedColumn} = s.judged`]),
      ...(isByVariant ? [`LEFT JOIN (${variants}) AS n ON n.entity_id = s.judged`] : []),
      ...joinsOfNames,
    ],
  };
}

/** Dimensions that are names of entities or of related ones, such as `customer.country` or `max(item.price)`. */
export function namedDimensions(names: readonly string[], graph: JudgedGraphTables): readonly string[] {
  return names.filter((name) => !isPlain(name, graph) && isOneName(name, lexis));
}

function isPlain(name: string, { properties }: JudgedGraphTables): boolean {
  return dimensionNames.includes(name) || properties.some((table) => table.properties.includes(name));
}

/** Undefined for a name that is the engine's. */
function namedSql(
  name: string,
  index: number,
  graph: JudgedGraphTables,
): { readonly column: string; readonly join: string } | undefined {
  if (!isOneName(name, lexis)) return undefined;
  const { values, sql } = namedValuesSql(graph, { of: 'entity', judged: 'subject', sql: name });
  if (sql === name) return undefined;
  const alias = `named_dimension_${index}`;
  return {
    column: `CAST(${alias}.${sql} AS VARCHAR)`,
    join: `LEFT JOIN (\n${values}\n) AS ${alias} ON ${alias}.${judgedColumn} = s.judged`,
  };
}
