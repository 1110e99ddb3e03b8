import { queryTarget } from './query-shapes.ts';
import { choice, count, either, list, object, tagged, text } from './shape.ts';

/** Events, entities and relations of the graph that an import warns of. */
export const notedInGraph = {
  /** Events before a time, or after one: ISO 8601, UTC. */
  eventsBefore: { time: text },
  eventsAfter: { time: text },
  /** Starts of the rows of an element. */
  starts: { element: text },
  /** Events of an element that belong to no entity. */
  eventsWithoutEntity: { element: text },
  /**
   * Entities that exist only because rows of an element name them (`qualifier`). `masterData` are the numbers of the
   * entries of `entities` that make entities of this type.
   */
  namedOnly: { element: text, qualifier: text, entityType: text, masterData: list(count) },
  /**
   * Relations whose `end` has events of an element between two times (ISO 8601, UTC): after the data source of the
   * other end was read, and until its own data source was read.
   */
  youngerEnds: {
    relationship: text,
    end: choice({ source: true, target: true }),
    element: text,
    after: text,
    until: text,
  },
};

/** The part of the graph, or the rows of a data source, that a number of a warning counts. Rows may have changed since. */
const notedRows = tagged('kind', { ...notedInGraph, sourceRows: { target: queryTarget } });

export const notedNumber = object({ count, of: notedRows });

/** A warning of an import, in parts: texts, and numbers whose rows can be opened. */
export const importNote = list(either(notedNumber, text));

/** The warnings of a run record. */
export const importNotes = list(importNote);
