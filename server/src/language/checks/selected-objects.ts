import { findDataObject } from '../../catalog/catalog.ts';
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

/** A selected data object is used by no element, cross table or custom SQL; in a graph without elements nothing is yet. */
export const selectedObjectUnused: GraphCheck = {
  codes: ['selected-object-unused'],
  check({ graph, catalog, index }) {
    if (graph.elements.length === 0) return [];
    const inSql = (name: string): boolean =>
      graph.elements.some(
        ({ joins, where }) => joins?.value.includes(name) === true || where?.value.includes(name) === true,
      );
    return graph.dataObjects.flatMap(({ value, range }) => {
      if (index.reads(value) || inSql(value.split('.').at(-1) ?? value)) return [];
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
