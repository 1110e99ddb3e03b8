import { findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { type NamesSource, dataSourceNamed, dataSourcesNamed, entriesWithRows } from '../../model/data-sources-used.ts';
import type { EntityGraph, EntitySource, SelectedObject } from '../../model/entity-graph.ts';
import type { Located } from '../../model/source-range.ts';
import type { EntryIndex } from '../entry-index.ts';
import type { GraphCheck } from './check.ts';

/** An element whose data object is not selected; all elements are compared with the one selection. */
export const elementObjectNotSelected: GraphCheck = {
  codes: ['element-object-not-selected'],
  check({ graph, index }) {
    const { dataObjects } = graph;
    const [first, last] = [dataObjects[0], dataObjects.at(-1)];
    // Without a selection there is no mismatch.
    if (!first || !last) return [];
    const place = { start: first.range.start, end: last.range.end };
    const source = sourceInMessages(graph);
    return readingOthers(graph, index).flatMap((element) => {
      const { dataObject } = element;
      if (!dataObject) return [];
      return {
        code: 'element-object-not-selected',
        severity: 'warning',
        message: `"${dataObject.value}"${source(element)} is not among the selected data objects. Add it to dataObjects.`,
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
    const source = sourceInMessages(graph);
    const isRead = readsOf(graph, index);
    return graph.dataObjects.flatMap((selected) => {
      const { value, range } = selected;
      // Whole names first, because file names may contain dots.
      if (isRead(selected) || index.mentions(value) || index.mentions(value.slice(value.lastIndexOf('.') + 1)))
        return [];
      // An unknown object is reported by its own rule.
      const own = catalog && catalogOf(catalog, selected);
      if (own?.complete && !findDataObject(own, value)) return [];
      return {
        code: 'selected-object-unused',
        severity: 'warning',
        message: `No element uses "${value}"${source(selected)}. Add an element for it, or remove it from dataObjects.`,
        range,
      };
    });
  },
};

/** A data object of a data source, as text: several sources may have one of the same name. */
function objectKey(graph: EntityGraph, dataObject: Located<string> | undefined, entry: NamesSource): string {
  return JSON.stringify([dataSourceNamed(graph, entry), dataObject?.value]);
}

/** Without a data source of the file, the data source of plain names is unknown: only names are compared. */
function isOfOneSource(graph: EntityGraph): boolean {
  return graph.dataSource === undefined || dataSourcesNamed(graph).length < 2;
}

/** The elements and entries of `entities` whose data object is not selected. */
function readingOthers(graph: EntityGraph, index: EntryIndex): readonly EntitySource[] {
  const entries = [...index.sourcesByObject];
  if (isOfOneSource(graph)) {
    const selected = new Set(graph.dataObjects.map(({ value }) => value));
    return entries.flatMap(([name, readers]) => (selected.has(name) ? [] : [...readers]));
  }
  const selected = new Set(graph.dataObjects.map((each) => objectKey(graph, each, each)));
  const isOther = (entry: EntitySource): boolean => !selected.has(objectKey(graph, entry.dataObject, entry));
  return entries.flatMap(([, readers]) => [...readers].filter(isOther));
}

/** Whether an element, an entry of `entities` or a cross table names a selected data object. */
function readsOf(graph: EntityGraph, index: EntryIndex): (selected: SelectedObject) => boolean {
  if (isOfOneSource(graph)) return ({ value }) => index.reads(value);
  const read = new Set(entriesWithRows(graph).map((entry) => objectKey(graph, entry.dataObject, entry)));
  return (selected) => read.has(objectKey(graph, selected, selected));
}

/** A suffix such as ` of shop` for graphs of several data sources; else empty. */
function sourceInMessages(graph: EntityGraph): (entry: NamesSource) => string {
  const isOne = isOfOneSource(graph);
  return (entry) => {
    const name = dataSourceNamed(graph, entry);
    return isOne || name === undefined ? '' : ` of ${name}`;
  };
}
