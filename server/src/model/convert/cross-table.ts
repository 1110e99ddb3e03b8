import type { CrossMapping, CrossTable } from '../entity-graph.ts';
import type { YamlText } from '../yaml-text.ts';
import { readOperator } from './operator.ts';
import { objectsOf, placedAt, readObject, textOf } from './read-node.ts';

/** The cross table of a relationship; undefined without one. */
export function readCrossTable(node: unknown, yaml: YamlText): CrossTable | undefined {
  const object = readObject(node, yaml);
  if (!object) return undefined;
  const dataObject = textOf(object, 'dataObject');
  const side = (list: string, column: 'source' | 'target'): readonly CrossMapping[] =>
    objectsOf(object, list).flatMap((entry) => {
      const own = textOf(entry, column);
      const cross = textOf(entry, 'cross');
      const operator = readOperator(entry);
      return own && cross && operator ? [placedAt(entry.node, { column: own, operator, cross })] : [];
    });
  return placedAt(object.node, {
    ...(dataObject ? { dataObject } : {}),
    sourceMappings: side('sourceMappings', 'source'),
    targetMappings: side('targetMappings', 'target'),
  });
}
