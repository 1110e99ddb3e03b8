import type { Catalog } from '../catalog/catalog.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import { findInScope, scopeOf } from './column-scope.ts';

/** A text that is shown behind an offset without being there. */
export interface Hint {
  readonly offset: number;
  readonly label: string;
}

/** The types of the columns that elements use for their times, keys and order. */
export function inlayHints({ elements }: EntityGraph, catalog: Catalog): readonly Hint[] {
  return elements.flatMap((element) => {
    const scope = scopeOf(element, catalog);
    const names = [element.startTimestamp, element.changeTimestamp, element.sequence, ...(element.key ?? [])];
    return names.flatMap((name) => {
      const column = name && findInScope(scope, name.value);
      return column ? { offset: name.range.end, label: column.type } : [];
    });
  });
}
