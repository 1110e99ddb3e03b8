import type { ImportNote, NotedNumber, NotedRows } from '../import-notes.ts';
import { queryTarget } from './query-shapes.ts';
import { type Shape, choice, count, list, object, tagged, text } from './shape.ts';

export const notedInGraph = {
  eventsBefore: { time: text },
  eventsAfter: { time: text },
  starts: { element: text },
  eventsWithoutEntity: { element: text },
  namedOnly: { element: text, qualifier: text, entityType: text, masterData: list(count) },
  youngerEnds: {
    relationship: text,
    end: choice({ source: true, target: true }),
    element: text,
    after: text,
    until: text,
  },
} as const;

const notedNumber: Shape<NotedNumber> = object<NotedNumber>({
  count,
  of: tagged<NotedRows, 'kind'>('kind', { ...notedInGraph, sourceRows: { target: queryTarget } }),
});

const notePart: Shape<string | NotedNumber> = (value, name) =>
  typeof value === 'string' ? undefined : notedNumber(value, name);

/** The warnings of a run record. */
export const importNotes: Shape<readonly ImportNote[]> = list(list(notePart));
