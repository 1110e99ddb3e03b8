import type { MeasureUnit } from '../../../protocol/analysis.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { defaultMeasures as measures, lifeSql } from '../measure-kinds/default-measures.ts';
import { storeTables } from '../process-rules/judged-graph-tables.ts';

/** A number that every entity type has without any text in the file (docs/semantics.md#191-measures-of-every-entity). */
export interface EntityMeasure {
  readonly name: string;
  readonly unit: MeasureUnit;
  /** SQL over the columns of `measuredSql` as `m`, and `moment.now`. */
  readonly sql: string;
  /** Needs the events of each activity counted. */
  readonly countsActivities: boolean;
}

type NamedMeasures<Name extends string> = Readonly<Record<Name, Omit<EntityMeasure, 'name'>>>;

/** Those that `analyze` answers without further choice, in order. */
export const defaultMeasures = Object.fromEntries(
  Object.entries(measures).map(([name, { unit, countsActivities, value }]) => [
    name,
    { unit, countsActivities, sql: value(duckdb, '(SELECT now FROM moment)') },
  ]),
) as NamedMeasures<keyof typeof measures>;

/** All that need no text in the file. */
export const entityMeasures: NamedMeasures<string> = {
  ...defaultMeasures,
  'rework rate': {
    unit: 'share',
    sql: 'CASE WHEN coalesce(m.rework, 0) > 0 THEN 1 ELSE 0 END',
    countsActivities: true,
  },
};

/** `lifeSql` of the entities of the table `subject` (`judged`) in a store. */
export function measuredSql({
  hasCorrelations,
  countsActivities,
}: {
  readonly hasCorrelations: boolean;
  readonly countsActivities: boolean;
}): string {
  return lifeSql({ ...storeTables, hasCorrelations }, { countsActivities, among: 'subject' });
}
