import { findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import type { GraphCheck } from './check.ts';

/** An element whose data object is not selected; all elements are compared with the one selection. */
export const elementObjectNotSelected: GraphCheck = {
  codes: ['element-object-not-selected'],
  check({ graph: { dataObjects }, index }) {
    const [first, last] = [dataObjects[0], dataObjects.at(-1)];
    // Without a selection there is no mismatch.
    if (!first || !last) return [];
    const place = { start: first.range.start, end: last.range.end };
    const selected = new Set(dataObjects.map(({ value }) => value));
    const others = [...index.sourcesByObject].flatMap(([name, elements]) => (selected.has(name) ? [] : [...elements]));
    return others.flatMap(({ dataObject }) => {
      if (!dataObject) return [];
      return {
        code: 'element-object-not-selected',
        severity: 'warning',
        message: `"${dataObject.value}" is not among the selected data objects. Add it to dataObjects.`,
        range: dataObject.range,
        related: [{ message: 'The selected data objects are listed here.', range: place }],
      };
    });
  },
};

/**
 * A selected data object that no element, entry of `entities`, cross table or custom SQL uses; not reported in a graph
 * without elements and entities.
 */
export const selectedObjectUnused: GraphCheck = {
  codes: ['selected-object-unused'],
  check({ graph, catalog, index }) {
    if (graph.elements.length + graph.entities.length === 0) return [];
    return graph.dataObjects.flatMap((selected) => {
      const { value, range } = selected;
      // Whole names first, because file names may contain dots.
      if (index.reads(value) || index.mentions(value) || index.mentions(value.slice(value.lastIndexOf('.') + 1)))
        return [];
      // An unknown object is reported by its own rule.
      const own = catalog && catalogOf(catalog, selected);
      if (own?.complete && !findDataObject(own, value)) return [];
      return {
        code: 'selected-object-unused',
        severity: 'warning',
        message: `No element uses "${value}". Add an element for it, or remove it from dataObjects.`,
        range,
      };
    });
  },
};
