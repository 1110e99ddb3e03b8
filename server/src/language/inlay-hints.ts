import type { Catalog } from '../catalog/catalog.ts';
import { type EntityGraph, masterDataName } from '../model/entity-graph.ts';
import { columnsOfEntry } from '../model/entry-columns.ts';
import type { Located } from '../model/source-range.ts';
import type { LensCounts } from './code-lens.ts';
import { findInScope, scopeOf } from './column-scope.ts';
import { entitiesText } from './count-text.ts';

/** Text displayed after an offset. */
export interface Hint {
  readonly offset: number;
  readonly label: string;
}

/** Types of time, key and sequence columns of elements, and of keys and times of entries of `entities`. */
export function columnTypeHints({ elements, entities }: EntityGraph, catalog: Catalog): readonly Hint[] {
  return [...elements, ...entities].flatMap((source) => {
    const scope = scopeOf(source, catalog);
    return columnsOfEntry(source).flatMap(({ names, field: { type, counts } }) => {
      if (type !== 'key' && type !== 'time' && counts !== 'value') return [];
      return names.flatMap((name) => {
        const column = findInScope(scope, name.value);
        return column ? { offset: name.range.end, label: column.type } : [];
      });
    });
  });
}

/** Number of entities of each element, and of each entry of `entities`, in the last import. */
export function entityCountHints({ elements, entities }: EntityGraph, counts: LensCounts): readonly Hint[] {
  const ofElements = new Map(counts.elements.map((each) => [each.activityName, each.entities]));
  const ofEntries = new Map(counts.entities?.map((each) => [each.name, each.entities]));
  const hint = (name: Located<string> | undefined, count: number | undefined): readonly Hint[] =>
    name && count !== undefined ? [{ offset: name.range.end, label: entitiesText(count) }] : [];
  return [
    ...elements.flatMap(({ activityName }) => hint(activityName, ofElements.get(activityName?.value ?? ''))),
    ...entities.flatMap((entry) => {
      const { name, entityType, dataObject } = entry;
      return hint(name ?? entityType ?? dataObject, ofEntries.get(masterDataName(entry) ?? ''));
    }),
  ];
}
