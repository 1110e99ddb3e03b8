/** Ids to remove from a graph. */
export interface Removal {
  readonly elements?: readonly string[];
  readonly relationships?: readonly string[];
  readonly dataObjects?: readonly string[];
}

/** Data that determines which entries depend on others. Ends are element ids, absent for missing elements. */
export interface Dependencies {
  readonly elements: readonly { readonly id: string; readonly dataObject?: string | undefined }[];
  readonly relationships: readonly {
    readonly id: string;
    readonly source?: string | undefined;
    readonly target?: string | undefined;
    readonly crossTable?: string | undefined;
  }[];
}

/**
 * All entries removed together: elements with their data object, relationships with either end and with their cross
 * table. Used by the canvas for its confirmation and by the server for the edit.
 */
export function removedWith(
  { elements, relationships }: Dependencies,
  { elements: chosen = [], relationships: chosenLinks = [], dataObjects = [] }: Removal,
): { readonly elements: ReadonlySet<string>; readonly relationships: ReadonlySet<string> } {
  const objects = new Set(dataObjects);
  const isIn = (names: ReadonlySet<string>, name: string | undefined): boolean => name !== undefined && names.has(name);
  const gone = new Set([
    ...chosen,
    ...elements.filter(({ dataObject }) => isIn(objects, dataObject)).map(({ id }) => id),
  ]);
  const goneLinks = relationships.filter(
    ({ source, target, crossTable }) => isIn(gone, source) || isIn(gone, target) || isIn(objects, crossTable),
  );
  return { elements: gone, relationships: new Set([...chosenLinks, ...goneLinks.map(({ id }) => id)]) };
}
