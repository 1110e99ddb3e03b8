import type { Catalog } from '../catalog/catalog.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { LensCounts } from './code-lens.ts';
import { findInScope, scopeOf } from './column-scope.ts';
import { entitiesText } from './count-text.ts';

/** Text displayed after an offset. */
export interface Hint {
  readonly offset: number;
  readonly label: string;
}

/** Types of time, key and sequence columns of elements. */
export function columnTypeHints({ elements }: EntityGraph, catalog: Catalog): readonly Hint[] {
  return elements.flatMap((element) => {
    const scope = scopeOf(element, catalog);
    const names = [element.startTimestamp, element.changeTimestamp, element.sequence, ...(element.key ?? [])];
    return names.flatMap((name) => {
      const column = name && findInScope(scope, name.value);
      return column ? { offset: name.range.end, label: column.type } : [];
    });
  });
}

/** Number of entities of each element in the last import. */
export function entityCountHints({ elements }: EntityGraph, counts: LensCounts): readonly Hint[] {
  const imported = new Map(counts.elements.map(({ activityName, entities }) => [activityName, entities]));
  return elements.flatMap(({ activityName }) => {
    const entities = activityName && imported.get(activityName.value);
    return activityName && entities !== undefined
      ? { offset: activityName.range.end, label: entitiesText(entities) }
      : [];
  });
}
