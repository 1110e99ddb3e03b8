import type { MappingOperator, Relationship } from '../model/entity-graph.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { usableSql } from './check-sql.ts';
import type { Condition } from './query-tree.ts';

/** Finds the columns that a relationship compares; undefined for those that do not exist. */
export type PairColumns<Column> = Readonly<
  Record<'source' | 'target' | 'cross', (name: Located<string>) => Column | undefined>
>;

/** Compares two existing columns. */
type CompareColumns<Column> = (left: Column, operator: MappingOperator, right: Column, range: SourceRange) => Condition;

/** The conditions that join the rows of both ends of a relationship, and those that join source and cross table. */
export interface PairConditions {
  readonly conditions: readonly Condition[];
  readonly toCross: readonly Condition[];
}

/** The conditions of the mappings, expressions and cross table of a relationship. */
export function pairConditions<Column>(
  { crossTable, mappings }: Relationship,
  { source, target, cross }: PairColumns<Column>,
  compareColumns: CompareColumns<Column>,
): PairConditions {
  const compare = (
    left: Column | undefined,
    operator: MappingOperator,
    right: Column | undefined,
    range: SourceRange,
  ): readonly Condition[] => (left && right ? [compareColumns(left, operator, right, range)] : []);
  const toCross = crossTable?.sourceMappings.flatMap(({ column, operator, cross: bridge, range }) =>
    compare(source(column), operator, cross(bridge), range),
  );
  const fromCross = crossTable?.targetMappings.flatMap(({ column, operator, cross: bridge, range }) =>
    compare(cross(bridge), operator, target(column), range),
  );
  const mapped = mappings.flatMap((mapping): readonly Condition[] => {
    if (mapping.kind === 'columns') {
      const { operator, range } = mapping;
      return compare(source(mapping.source), operator, target(mapping.target), range);
    }
    const expression = usableSql(mapping.expression);
    return expression ? [{ kind: 'expression', expression }] : [];
  });
  return { toCross: toCross ?? [], conditions: [...(fromCross ?? []), ...mapped] };
}
