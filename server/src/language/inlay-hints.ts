import type { Catalog } from '../catalog/catalog.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { LensCounts } from './code-lens.ts';
import { findInScope, scopeOf } from './column-scope.ts';
import { entitiesText } from './count-text.ts';

/** A text that is shown behind an offset without being there. */
export interface Hint {
  readonly offset: number;
  readonly label: string;
}

/** The types of the columns that elements use for their times, keys and order. */
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

/** How many entities of each element the last import brought. */
export function entityCountHints({ elements }: EntityGraph, counts: LensCounts): readonly Hint[] {
  const imported = new Map(counts.elements.map(({ activityName, entities }) => [activityName, entities]));
  return elements.flatMap(({ activityName }) => {
    const entities = activityName && imported.get(activityName.value);
    return activityName && entities !== undefined
      ? { offset: activityName.range.end, label: entitiesText(entities) }
      : [];
  });
}
