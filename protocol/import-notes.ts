import type { QueryTarget } from './query-results.ts';

/** A warning of an import, in parts: texts, and numbers whose rows can be opened. */
export type ImportNote = readonly (string | NotedNumber)[];

export interface NotedNumber {
  readonly count: number;
  readonly of: NotedRows;
}

/** The part of the graph, or the rows of a data source, that a number of a warning counts. Rows may have changed since. */
export type NotedRows = NotedInGraph | { readonly kind: 'sourceRows'; readonly target: QueryTarget };

/** Events, entities and relations of the graph that an import warns of. */
export type NotedInGraph =
  /** Events before a time, or after one: ISO 8601, UTC. */
  | { readonly kind: 'eventsBefore'; readonly time: string }
  | { readonly kind: 'eventsAfter'; readonly time: string }
  /** Starts of the rows of an element. */
  | { readonly kind: 'starts'; readonly element: string }
  /** Events of an element that belong to no entity. */
  | { readonly kind: 'eventsWithoutEntity'; readonly element: string }
  /**
   * Entities that exist only because rows of an element name them (`qualifier`).
   * @param masterData the numbers of the entries of `entities` that make entities of this type
   */
  | {
      readonly kind: 'namedOnly';
      readonly element: string;
      readonly qualifier: string;
      readonly entityType: string;
      readonly masterData: readonly number[];
    }
  /**
   * Relations whose `end` has events of an element between two times (ISO 8601, UTC): after the data source of the
   * other end was read, and until its own data source was read.
   */
  | {
      readonly kind: 'youngerEnds';
      readonly relationship: string;
      readonly end: 'source' | 'target';
      readonly element: string;
      readonly after: string;
      readonly until: string;
    };

/** The sentence. */
export function noteText(note: ImportNote): string {
  return note.map((part) => (typeof part === 'string' ? part : String(part.count))).join('');
}

/** A number of rows of a data source. */
export function sourceRows(count: number, target: QueryTarget): NotedNumber {
  return { count, of: { kind: 'sourceRows', target } };
}
