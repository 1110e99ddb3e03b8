import type { StagedColumn } from '../../connectors/connector.ts';
import type { ExpectedValues, RowExpectations } from '../../model/entity-graph.ts';
import type { ElementQuery, MasterDataQuery } from '../../query/compiled-query.ts';
import { keySql, stagedText } from './key-sql.ts';
import type { StatementsStep } from './plan-statement.ts';
import type { StagedMasterData } from './master-data.ts';
import type { StagedElement, StagedExpectations } from './staged-element.ts';
import type { TimePlace } from './utc-time.ts';

/** The most values that are shown as examples of a broken expectation. */
const maxExamples = 3;

/** Staged rows that have expectations. */
export interface ExpectedRows {
  /** The activity name, or the name of the entry of `entities`. */
  readonly name: string;
  readonly isOfEntities: boolean;
  /** The name of the step that judges these rows. */
  readonly step: string;
  readonly table: string;
  readonly key: readonly StagedColumn[];
  readonly expect: StagedExpectations;
  readonly written: RowExpectations;
  readonly query: ElementQuery | MasterDataQuery;
}

/** The rows of elements, then of entries of `entities`, that have expectations. */
export function expectedRows(
  elements: readonly StagedElement[],
  entities: readonly StagedMasterData[],
): readonly ExpectedRows[] {
  return [
    ...elements.flatMap(({ plan, key, expect }): readonly ExpectedRows[] => {
      const { activityName: name, number, table, element, query } = plan;
      if (!expect || !element.expect) return [];
      return [
        {
          name,
          isOfEntities: false,
          step: `expectations_${number}`,
          table,
          key,
          expect,
          written: element.expect,
          query,
        },
      ];
    }),
    ...entities.flatMap(({ plan, key, expect }): readonly ExpectedRows[] => {
      const { name, number, table, entry, query } = plan;
      if (!expect || !entry.expect) return [];
      return [
        {
          name,
          isOfEntities: true,
          step: `entity_expectations_${number}`,
          table,
          key,
          expect,
          written: entry.expect,
          query,
        },
      ];
    }),
  ];
}

/** Counts the rows that break expectations. */
interface ExpectationsStep extends StatementsStep {
  /**
   * What each statement answers: first all counts of one pass over the rows, then whether any rows break each `unique`,
   * and last the examples of each broken `unique` and `values`.
   */
  readonly asks: readonly ExpectationQuestion[];
}

export type ExpectationQuestion =
  { readonly of: 'rows' } | { readonly of: 'isRepeated' | 'unique' | 'values'; readonly index: number };

/**
 * The step that judges rows. The first statement returns `rows`, and for each expectation `unique_<n>` and `values_<n>`
 * (rows with a value), `others_<n>` (rows with an unexpected value), `null_<n>` (rows without a value) and `key_<n>`
 * (the first key of these). A statement of `isRepeated` returns one row if rows repeat, otherwise none. The other
 * statements return up to three values (`value`, `found`), each with the number of all rows that break the expectation
 * (`broken`).
 */
export function expectationsStep(rows: ExpectedRows, place: TimePlace): ExpectationsStep {
  const { expect, written } = rows;
  const table = place.dialect.identifiers.quote(rows.table);
  const questions = [
    {
      ask: { of: 'rows' } as const,
      title: 'Rows, those without a value, and other values',
      sql: countsSql(rows, place),
    },
    ...expect.unique.map((columns, index) => ({
      ask: { of: 'isRepeated', index } as const,
      title: `Whether rows have ${namesOf(columns)} in common`,
      sql: `SELECT 1 AS found FROM (${repeatedSql(keySql(columns, place), table)}) AS groups LIMIT 1`,
    })),
    ...expect.unique.map((columns, index) => ({
      ask: { of: 'unique', index } as const,
      title: `Rows that have ${namesOf(columns)} in common, if there are any`,
      sql: examplesSql(repeatedSql(keySql(columns, place), table), place),
    })),
    ...expect.values.map((column, index) => ({
      ask: { of: 'values', index } as const,
      title: `Other values of ${column.name}, if there are any`,
      sql: otherValuesSql(isOther(column, written.values[index], place), stagedText(column, place), table, place),
    })),
  ];
  return {
    name: rows.step,
    title: `Expectations of ${rows.name}`,
    asks: questions.map(({ ask }) => ask),
    statements: questions.map(({ title, sql }) => ({ title, sql })),
  };
}

function countsSql({ expect, written, key, table }: ExpectedRows, place: TimePlace): string {
  const { build, identifiers } = place.dialect;
  const isThere = (columns: readonly StagedColumn[]): string =>
    columns.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ');
  const first = build.sortedText(keySql(key, place));
  const counts = [
    'count(*) AS rows',
    ...expect.unique.map((columns, index) => `${build.countIf(isThere(columns))} AS unique_${index + 1}`),
    ...expect.values.flatMap((column, index) => [
      `${build.countIf(isThere([column]))} AS values_${index + 1}`,
      `${build.countIf(isOther(column, written.values[index], place))} AS others_${index + 1}`,
    ]),
    ...expect.notNull.flatMap(({ stagedAs }, index) => [
      `${build.countIf(`${stagedAs} IS NULL`)} AS null_${index + 1}`,
      `min(CASE WHEN ${stagedAs} IS NULL THEN ${first} END) AS key_${index + 1}`,
    ]),
  ];
  return `SELECT ${counts.join(',\n      ')}\n    FROM ${identifiers.quote(table)}`;
}

function repeatedSql(text: string, table: string): string {
  return `SELECT ${text} AS value, count(*) AS found FROM ${table} GROUP BY 1 HAVING ${text} IS NOT NULL AND count(*) > 1`;
}

/** SQL condition: the value of a column is not among the expected values. */
function isOther(column: StagedColumn, expected: ExpectedValues | undefined, place: TimePlace): string {
  const list = (expected?.texts ?? []).map((each) => place.dialect.literals.quote(each)).join(', ');
  return `${stagedText(column, place)} NOT IN (${list})`;
}

function otherValuesSql(isOtherValue: string, text: string, table: string, place: TimePlace): string {
  return examplesSql(
    `SELECT ${text} AS value, count(*) AS found FROM ${table} WHERE ${isOtherValue} GROUP BY 1`,
    place,
  );
}

function examplesSql(groups: string, { dialect: { build } }: TimePlace): string {
  const order = `ORDER BY found DESC, ${build.sortedText('value')}`;
  if (build.ranges === undefined) {
    return `SELECT value, found, sum(found) OVER () AS broken
    FROM (${groups}) AS groups
    ${order} LIMIT ${maxExamples}`;
  }
  // A window would send all groups to one worker, so the rows are grouped a second time instead.
  return `SELECT value, found, broken FROM (SELECT value, found FROM (${groups}) AS groups ${order} LIMIT ${maxExamples}) AS examples
    CROSS JOIN (SELECT sum(found) AS broken FROM (${groups}) AS groups) AS total
    ${order}`;
}

function namesOf(columns: readonly StagedColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}
