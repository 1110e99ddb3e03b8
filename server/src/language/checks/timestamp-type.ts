import { type Column, findColumn, findDataObject } from '../../catalog/catalog.ts';
import type { Problem } from '../../model/problem.ts';
import type { Located } from '../../model/source-range.ts';
import type { GraphCheck } from './check.ts';

/** A start or change timestamp is a column without times. Text may hold times, which only its rows can tell: a warning. */
export const timestampType: GraphCheck = {
  codes: ['timestamp-type'],
  check: ({ graph, catalog }) =>
    graph.elements.flatMap(({ dataObject, startTimestamp, changeTimestamp }) => {
      const object = catalog && dataObject && findDataObject(catalog, dataObject.value);
      if (!object) return [];
      return [startTimestamp, changeTimestamp].flatMap((name) => {
        const column = name && findColumn(object, name.value);
        return column ? problemOf(column, name) : [];
      });
    }),
};

function problemOf(column: Column, { range }: Located<string>): readonly Problem[] {
  const { name, type, sense } = column;
  if (sense === 'timestamp' || sense === 'date' || sense === 'other') return [];
  const text = sense === 'text';
  const message = text
    ? `"${name}" is text (${type}): its values are read as times when the graph is imported, and one that is none stops the import.`
    : `"${name}" is of type ${type}, which holds no time. Choose a column with timestamps or dates.`;
  return [{ code: 'timestamp-type', severity: text ? 'warning' : 'error', message, range }];
}
