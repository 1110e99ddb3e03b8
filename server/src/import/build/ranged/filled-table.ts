import type { RangeSql } from '../../../dialects/standard/build-sql.ts';

/** A table that is filled by one or more queries, each in a statement of its own. */
export interface FilledTable {
  readonly name: string;
  readonly title: string;
  readonly selects: readonly string[];
}

/** Combines queries with UNION ALL, as many in one statement as the engine accepts. */
export function inGroups(
  selects: readonly string[],
  { selectsAtOnce }: Pick<RangeSql, 'selectsAtOnce'>,
): readonly string[] {
  return Array.from({ length: Math.ceil(selects.length / selectsAtOnce) }, (_, index) =>
    selects.slice(index * selectsAtOnce, (index + 1) * selectsAtOnce).join('\nUNION ALL\n'),
  );
}
