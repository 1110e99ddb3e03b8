import { type EntityElement, elementEntityType } from '../../model/entity-graph.ts';
import { keyWidthOf } from '../entry-index.ts';
import type { GraphCheck } from './check.ts';

/** Elements with the same entity type and keys of different widths, whose entities would never match. */
export const keyWidth: GraphCheck = {
  codes: ['key-width'],
  check({ graph, catalog, index }) {
    if (!index.hasMixedKeys) return [];
    const first = new Map<string, { readonly element: EntityElement; readonly width: number }>();
    return graph.elements.flatMap((element) => {
      const type = elementEntityType(element);
      const width = keyWidthOf(element, catalog);
      if (type === undefined || width === 0) return [];
      const other = first.get(type);
      if (!other) {
        first.set(type, { element, width });
        return [];
      }
      if (other.width === width) return [];
      const place = element.key?.[0] ?? element.dataObject ?? element.activityName;
      const otherPlace = other.element.key?.[0] ?? other.element.dataObject ?? other.element.activityName;
      return {
        code: 'key-width',
        severity: 'error',
        message: `Entities of type "${type}" have a key of ${columns(other.width)} elsewhere, here of ${columns(width)}. Give both the same columns, or another entityType.`,
        range: place?.range ?? element.range,
        ...(otherPlace
          ? { related: [{ message: `Here it has ${columns(other.width)}.`, range: otherPlace.range }] }
          : {}),
      };
    });
  },
};

function columns(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}
