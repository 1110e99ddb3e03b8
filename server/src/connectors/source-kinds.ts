import { fileKind } from './csv/source-kind.ts';
import { postgresqlKind } from './postgresql/source-kind.ts';
import { restKind } from './rest/source-kind.ts';
import { serviceNowKind } from './servicenow/source-kind.ts';
import type { SourceKind } from './source-kind.ts';

/** The kinds of data sources, in the order in which they are listed. A new kind is one line here. */
let registered: readonly SourceKind[] = [postgresqlKind, fileKind, serviceNowKind, restKind];

/** All kinds; the same list until a kind is added, so that what is derived from it can be kept. */
export function sourceKinds(): readonly SourceKind[] {
  return registered;
}

/** The kind of this name; undefined when there is none. */
export function sourceKind(name: string | undefined): SourceKind | undefined {
  return registered.find((kind) => kind.name === name);
}

/** Adds a kind at the end of the list. Returns a function that removes it again. */
export function addSourceKind(kind: SourceKind): () => void {
  if (sourceKind(kind.name)) throw new Error(`There is a source kind ${kind.name} already.`);
  registered = [...registered, kind];
  return () => {
    registered = registered.filter((each) => each !== kind);
  };
}
