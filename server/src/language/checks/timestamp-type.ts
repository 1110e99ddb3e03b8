import { timeRoles } from '../../../../protocol/fields/element.ts';
import type { Column } from '../../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../../catalog/graph-catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { EntitySource } from '../../model/entity-graph.ts';
import { timesOfEntry } from '../../model/entry-columns.ts';
import type { Problem } from '../../model/problem.ts';
import type { Located } from '../../model/source-range.ts';
import { emptyExpression } from '../../query/computed-times.ts';
import { findInScope, scopeOf } from '../column-scope.ts';
import { storedTimes } from '../stored-times.ts';
import type { GraphCheck } from './check.ts';

/** A start or change timestamp column, or one of `validFrom`, without a time type. Texts may contain times, so they give a warning. */
export const timestampType: GraphCheck = {
  codes: ['timestamp-type'],
  scope: 'entry',
  check: ({ graph, catalog }) => {
    const ofColumns = (source: EntitySource): readonly Problem[] => {
      const scope = catalog && scopeOf(source, catalog);
      return timesOfEntry(source).flatMap(({ column: name, atEndOfDay }) => {
        const column = scope && name && findInScope(scope, name.value);
        if (!column) return [];
        const problems = problemOf(column, name, hintOf(column, name, source, catalog));
        return problems.some(({ severity }) => severity === 'error')
          ? problems
          : [...problems, ...noDate(column, atEndOfDay)];
      });
    };
    return [
      ...graph.elements.flatMap((element) => [
        ...timeRoles.flatMap((role) => emptyExpression(element, role) ?? []),
        ...ofColumns(element),
      ]),
      ...graph.entities.flatMap(ofColumns),
    ];
  },
};

/** Only a date can be the end of its day. */
function noDate({ name, type, sense }: Column, flag: Located<boolean> | undefined): readonly Problem[] {
  if (flag?.value !== true || sense === 'date' || sense === 'other') return [];
  const message = `"${name}" is of type ${type}: atEndOfDay is for dates without time of day. Remove it.`;
  return [{ code: 'timestamp-type', severity: 'error', message, range: flag.range }];
}

/** The setting of the data source that declares times. */
function settingOf(source: EntitySource, catalog: GraphCatalog): string | undefined {
  return sourceKind(catalogOf(catalog, source)?.kind)?.timesSetting;
}

/** Where times are declared in the data source, or the expression that reads such values. */
function hintOf(column: Column, { value: name }: Located<string>, source: EntitySource, catalog: GraphCatalog): string {
  const setting = settingOf(source, catalog);
  if (setting !== undefined) return ` Times are declared in "${setting}" of the data source.`;
  const hasExamples = (column.samples ?? []).length > 0;
  const own = 'isMasterData' in source || !hasExamples ? undefined : catalogOf(catalog, source);
  const [way, ...others] = own ? storedTimes(name, column, source, own, undefined) : [];
  if (!way || others.length > 0) return '';
  return ` Its values look like ${way.words}, which { expression: '${way.sql.replaceAll("'", "''")}' } reads.`;
}

function problemOf({ type, sense }: Column, { value: name, range }: Located<string>, hint: string): readonly Problem[] {
  if (sense === 'timestamp' || sense === 'date' || sense === 'other') return [];
  const text = sense === 'text';
  const message = text
    ? `"${name}" is text (${type}): its values are read as times when the graph is imported, and one that is none stops the import.${hint}`
    : `"${name}" is of type ${type}, which holds no time. Choose a column with timestamps or dates.${hint}`;
  return [{ code: 'timestamp-type', severity: text ? 'warning' : 'error', message, range }];
}
