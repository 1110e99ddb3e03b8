import type { Column, ColumnSense } from '../catalog/catalog.ts';
import type { Problem, RelatedPlace } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';
import { typeMismatch } from './query-problems.ts';
import type { ColumnInQuery } from './query-tree.ts';

/** A problem when two mapped columns have incompatible types (docs/semantics.md#112-unlike-types). */
export function comparisonProblem(left: Compared, right: Compared, range: SourceRange): readonly Problem[] {
  if (!left.entry || !right.entry) return [];
  const [leftKind, rightKind] = [kindOf[left.entry.sense], kindOf[right.entry.sense]];
  if (leftKind === rightKind || leftKind === undefined || rightKind === undefined) return [];
  const related = [...placeOf(left.entry, left), ...placeOf(right.entry, right)];
  const typed = ({ name, type }: Column, { dataSource }: Compared) => ({
    name,
    type,
    ...(dataSource === undefined ? {} : { dataSource }),
  });
  return [typeMismatch(typed(left.entry, left), typed(right.entry, right), range, related)];
}

interface Compared {
  readonly column: ColumnInQuery;
  /** The catalog's entry, if known. */
  readonly entry?: Column;
  /** Set if the columns are of several data sources. */
  readonly dataSource?: string;
}

function placeOf({ name, type }: Column, { column }: Compared): readonly RelatedPlace[] {
  return column.range ? [{ message: `"${name}" is of type ${type}.`, range: column.range }] : [];
}

/** Senses of one group are comparable in both engines; `other` is unknown. */
const kindOf: Readonly<Record<ColumnSense, string | undefined>> = {
  timestamp: 'moment',
  date: 'moment',
  time: 'time',
  integer: 'number',
  number: 'number',
  text: 'text',
  boolean: 'boolean',
  json: 'json',
  binary: 'binary',
  other: undefined,
};
