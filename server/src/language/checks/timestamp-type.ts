import type { Column } from '../../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../../catalog/graph-catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { EntitySource } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { Located } from '../../model/source-range.ts';
import { timeRoles } from '../../model/time-expression.ts';
import { emptyExpression } from '../../query/computed-times.ts';
import { findInScope, scopeOf } from '../column-scope.ts';
import type { GraphCheck } from './check.ts';

/** A start or change timestamp column, or one of `validFrom`, without a time type. Texts may contain times, so they give a warning. */
export const timestampType: GraphCheck = {
  codes: ['timestamp-type'],
  scope: 'entry',
  check: ({ graph, catalog }) => {
    const ofColumns = (source: EntitySource, names: readonly (Located<string> | undefined)[]): readonly Problem[] => {
      const scope = catalog && scopeOf(source, catalog);
      return names.flatMap((name) => {
        const column = scope && name && findInScope(scope, name.value);
        return column ? problemOf(column, name, settingOf(source, catalog)) : [];
      });
    };
    return [
      ...graph.elements.flatMap((element) => [
        ...timeRoles.flatMap((role) => emptyExpression(element, role) ?? []),
        ...ofColumns(element, [element.startTimestamp, element.changeTimestamp]),
      ]),
      ...graph.entities.flatMap((entry) => ofColumns(entry, [entry.validFrom])),
    ];
  },
};

/** The setting of the data source that declares times. */
function settingOf(source: EntitySource, catalog: GraphCatalog): string | undefined {
  return sourceKind(catalogOf(catalog, source)?.kind)?.timesSetting;
}

/** @param setting declares times in the data source */
function problemOf(
  { type, sense }: Column,
  { value: name, range }: Located<string>,
  setting: string | undefined,
): readonly Problem[] {
  if (sense === 'timestamp' || sense === 'date' || sense === 'other') return [];
  const text = sense === 'text';
  const declared = setting === undefined ? '' : ` Times are declared in "${setting}" of the data source.`;
  const message = text
    ? `"${name}" is text (${type}): its values are read as times when the graph is imported, and one that is none stops the import.${declared}`
    : `"${name}" is of type ${type}, which holds no time. Choose a column with timestamps or dates.${declared}`;
  return [{ code: 'timestamp-type', severity: text ? 'warning' : 'error', message, range }];
}
