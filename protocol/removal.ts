import type { DataObjectName } from './canvas-intents.ts';

/** Ids to remove from a graph. */
export interface Removal {
  readonly elements?: readonly string[];
  readonly relationships?: readonly string[];
  readonly dataObjects?: readonly DataObjectName[];
}

/**
 * Data that determines which entries depend on others. Entries of `entities` are among the elements; ends are their
 * ids, absent for missing ones.
 */
export interface Dependencies {
  readonly elements: readonly { readonly id: string; readonly dataObject?: DataObjectName | undefined }[];
  readonly relationships: readonly {
    readonly id: string;
    readonly source?: string | undefined;
    readonly target?: string | undefined;
    readonly crossTable?: DataObjectName | undefined;
    /** Ids of the relationships that a path follows. */
    readonly steps?: readonly string[] | undefined;
  }[];
}

/**
 * All entries removed together: elements with their data object, relationships with either end and with their cross
 * table, paths with each of their steps. Used by the canvas for its confirmation and by the server for the edit.
 */
export function removedWith(
  { elements, relationships }: Dependencies,
  { elements: chosen = [], relationships: chosenLinks = [], dataObjects = [] }: Removal,
): { readonly elements: ReadonlySet<string>; readonly relationships: ReadonlySet<string> } {
  const objects = new Set(dataObjects.map(keyOfObject));
  const isIn = (names: ReadonlySet<string>, name: string | undefined): boolean => name !== undefined && names.has(name);
  const isGone = (object: DataObjectName | undefined): boolean =>
    object !== undefined && objects.has(keyOfObject(object));
  const gone = new Set([...chosen, ...elements.filter(({ dataObject }) => isGone(dataObject)).map(({ id }) => id)]);
  const goneLinks = relationships.filter(
    ({ source, target, crossTable }) => isIn(gone, source) || isIn(gone, target) || isGone(crossTable),
  );
  const goneIds = new Set([...chosenLinks, ...goneLinks.map(({ id }) => id)]);
  // A path may be a step of another one.
  for (let before = -1; before < goneIds.size;) {
    before = goneIds.size;
    for (const { id, steps = [] } of relationships) if (steps.some((step) => goneIds.has(step))) goneIds.add(id);
  }
  return { elements: gone, relationships: goneIds };
}

/** Tells data objects of one name in several data sources apart. */
export function keyOfObject({ name, dataSource }: DataObjectName): string {
  return dataSource === undefined ? name : `${name}\n${dataSource}`;
}
