import type { SqlDialect } from '../catalog/catalog.ts';
import type { SelectedProperty } from '../model/entity-graph.ts';
import { nameProblems } from '../model/property-names.ts';
import type { Problem } from '../model/problem.ts';
import { type ElementScope, resolveColumn, unresolvedColumn } from './element-scope.ts';
import type { SelectItem } from './query-tree.ts';
import { resultNames } from './result-names.ts';

/** Properties with their own names, each an additional result column. */
interface RenamedProperties {
  readonly items: readonly SelectItem[];
  /** The result column of a property; undefined for a property that is not renamed. */
  readonly resultOf: (property: SelectedProperty) => string | undefined;
  readonly problems: readonly Problem[];
}

export function renamedProperties(
  properties: readonly SelectedProperty[],
  of: 'event' | 'entity',
  scope: ElementScope,
  dialect: SqlDialect,
  taken: readonly string[],
): RenamedProperties {
  const renamed = properties.flatMap((property) => (property.name ? [{ property, name: property.name.value }] : []));
  // Named properties come first, so that a column of the same name gets the number.
  const names = resultNames(
    renamed.map(({ name }) => name),
    dialect,
    taken,
  );
  const problems: Problem[] = [...nameProblems(properties, of)];
  const items = renamed.flatMap(({ property, name }, index): readonly SelectItem[] => {
    const resolved = resolveColumn(property.value, scope);
    if (!resolved) {
      problems.push(unresolvedColumn(property, scope));
      return [];
    }
    const column = { alias: resolved.alias, name: resolved.name, range: property.range };
    return [{ column, as: names[index] ?? name }];
  });
  const results = new Map(renamed.map(({ property, name }, index) => [property, names[index] ?? name]));
  return { items, resultOf: (property) => results.get(property), problems };
}
