import { type EntityKey, keysOf } from '../entry-index.ts';
import type { GraphCheck } from './check.ts';

/** Keys of one entity type have different widths: their entities could never be the same. */
export const keyWidth: GraphCheck = {
  codes: ['key-width'],
  check({ graph, catalog, index }) {
    if (!index.hasMixedKeys) return [];
    const first = new Map<string, EntityKey>();
    const keys = [...graph.elements, ...graph.entities].flatMap((source) => keysOf(source, catalog));
    return keys.flatMap((key) => {
      const other = first.get(key.type);
      if (!other) first.set(key.type, key);
      if (!other || other.width === key.width) return [];
      return {
        code: 'key-width',
        severity: 'error',
        message: `Entities of type "${key.type}" have a key of ${columns(other.width)} elsewhere, here of ${columns(key.width)}. Give both the same columns, or another entityType.`,
        range: key.range,
        related: [{ message: `Here it has ${columns(other.width)}.`, range: other.range }],
      };
    });
  },
};

function columns(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}
