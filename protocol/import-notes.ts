import type { QueryTarget } from './query-results.ts';

/** A warning of an import, in parts: texts, and numbers whose rows can be opened. */
export type ImportNote = readonly (string | NotedNumber)[];

export interface NotedNumber {
  readonly count: number;
  readonly of: NotedRows;
}

/** What a number of a warning counts: part of the graph, or rows of a data source, which may have changed since. */
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
   * Entities that the rows of an element name (`qualifier`) and nothing else makes.
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
   * Relations whose entity at one end has events of an element after a time, at which the data source of the other end was read, and until
   * another: ISO 8601, UTC.
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
