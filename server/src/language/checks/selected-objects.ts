import { findDataObject } from '../../catalog/catalog.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/** An element reads a data object that is not among the selected ones. */
export const elementObjectNotSelected: GraphCheck = {
  codes: ['element-object-not-selected'],
  scope: 'linked',
  check({ graph }) {
    // Without a selection there is nothing to differ from.
    if (graph.dataObjects.length === 0) return [];
    const selected = new Set(graph.dataObjects.map(({ value }) => value));
    return graph.elements.flatMap(({ dataObject }) => {
      if (!dataObject || selected.has(dataObject.value)) return [];
      return {
        code: 'element-object-not-selected',
        severity: 'warning',
        message: `"${dataObject.value}" is not among the selected data objects. Add it to dataObjects.`,
        range: dataObject.range,
      };
    });
  },
};

/** Adds where the selection is written. The entry that was checked may stay while the list moves, so it is looked up last. */
export function withPlaceOfSelection(problems: readonly Problem[], { dataObjects }: EntityGraph): readonly Problem[] {
  const [first, last] = [dataObjects[0], dataObjects.at(-1)];
  if (!first || !last) return problems;
  const place = { start: first.range.start, end: last.range.end };
  const related = [{ message: 'The selected data objects are listed here.', range: place }];
  return problems.map((problem) =>
    problem.code === 'element-object-not-selected' ? { ...problem, related } : problem,
  );
}

/** A selected data object is used by no element, cross table or custom SQL; in a graph without elements nothing is yet. */
export const selectedObjectUnused: GraphCheck = {
  codes: ['selected-object-unused'],
  check({ graph, catalog, index }) {
    if (graph.elements.length === 0) return [];
    return graph.dataObjects.flatMap(({ value, range }) => {
      // A name is matched whole first: that of a file may have dots.
      if (index.reads(value) || index.mentions(value) || index.mentions(value.slice(value.lastIndexOf('.') + 1)))
        return [];
      // One that does not exist is told by its own rule.
      if (catalog?.complete && !findDataObject(catalog, value)) return [];
      return {
        code: 'selected-object-unused',
        severity: 'warning',
        message: `No element uses "${value}". Add an element for it, or remove it from dataObjects.`,
        range,
      };
    });
  },
};
