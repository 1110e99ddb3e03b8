import type { DataObjectName, DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import type { TreeRow } from '../ui/virtual-tree.ts';

/** A data object in a list. */
export type ListedObject = Omit<DataObjectView, 'kind'> &
  DataObjectName & {
    readonly kind?: DataObjectView['kind'];
    /** Why the columns of a selected data object are unknown. */
    readonly unknownBecause?: string;
  };

/** A data source of a list, with its data objects that are not in the other list. */
export interface ListedSource {
  readonly name: string;
  /** The kind as the user knows it; absent for the data source of the file. */
  readonly kind?: string;
  readonly objects: readonly ListedObject[];
  /** A message shown in place of data objects. */
  readonly note?: SourceNote;
  /** Open until it is closed. */
  readonly isOpen: boolean;
}

/** Why a data source shows no data objects. */
export type SourceNote =
  | { readonly kind: 'reading'; readonly step?: string | undefined; readonly since?: number }
  | { readonly kind: 'unread' }
  | { readonly kind: 'failed'; readonly error: Failure }
  | { readonly kind: 'empty'; readonly words: string };

export type ObjectRow = TreeRow &
  (
    | { readonly kind: 'source'; readonly source: ListedSource }
    | { readonly kind: 'object'; readonly object: ListedObject }
    | { readonly kind: 'note'; readonly source: ListedSource; readonly note: SourceNote }
  );

/**
 * The rows of a tree of data sources. A filter opens all sources and leaves those without a match out; it matches names
 * of data objects, and names of sources with all their objects.
 * @param opened whether the user has opened or closed a data source, by its name
 */
export function objectRows(
  sources: readonly ListedSource[],
  filter: string,
  opened: Readonly<Record<string, boolean>>,
): readonly ObjectRow[] {
  const wanted = filter.trim().toLowerCase();
  const passing = sources.flatMap((source) => {
    if (wanted === '' || source.name.toLowerCase().includes(wanted)) return [source];
    const objects = source.objects.filter(({ name }) => name.toLowerCase().includes(wanted));
    return objects.length > 0 ? [{ ...source, objects }] : [];
  });
  return passing.flatMap((source, index): readonly ObjectRow[] => {
    // A filter asks for names: a source that has none to show is not opened by it.
    const opens = wanted === '' ? source.isOpen : source.objects.length > 0;
    const expanded = wanted === '' ? (opened[source.name] ?? opens) : opens;
    const place = { level: 1, setSize: passing.length, place: index + 1 };
    const head: ObjectRow = { kind: 'source', source, expanded, ...place };
    if (!expanded) return [head];
    const children: readonly ObjectRow[] = source.objects.map((object, at) => ({
      kind: 'object',
      object,
      level: 2,
      setSize: source.objects.length,
      place: at + 1,
    }));
    if (children.length > 0 || !source.note) return [head, ...children];
    return [head, { kind: 'note', source, note: source.note, level: 2, setSize: 1, place: 1 }];
  });
}

/** The data objects that rows show. */
export function objectsOf(rows: readonly ObjectRow[]): readonly ListedObject[] {
  return rows.flatMap((row) => (row.kind === 'object' ? [row.object] : []));
}

/** A data object as the selection names it. */
export function nameOf({ name, dataSource }: DataObjectName): DataObjectName {
  return { name, ...(dataSource === undefined ? {} : { dataSource }) };
}

/** The selected data objects by data source, that of the file first. */
export function bySource<T extends DataObjectName>(
  objects: readonly T[],
  main: string,
): readonly { readonly name: string; readonly objects: readonly T[] }[] {
  const found = new Map<string, T[]>();
  for (const object of objects.toSorted(
    (one, other) => Number(one.dataSource !== undefined) - Number(other.dataSource !== undefined),
  )) {
    const name = object.dataSource ?? main;
    const own = found.get(name);
    if (own) own.push(object);
    else found.set(name, [object]);
  }
  return [...found].map(([name, own]) => ({ name, objects: own }));
}

/** Whether two names mean the same data object. */
export function isSame(one: DataObjectName, other: DataObjectName): boolean {
  return keyOfObject(one) === keyOfObject(other);
}
