import type { LocatedSql } from '../source-range.ts';
import { type YamlObject, readObject, sqlOf, valueOf } from './read-node.ts';

/** The SQL of a computed time: `startTimestamp: { expression: … }`. */
export function readTimeExpression(object: YamlObject, key: string): LocatedSql | undefined {
  const computed = readObject(valueOf(object, key), object.yaml);
  return computed && sqlOf(computed, 'expression');
}
