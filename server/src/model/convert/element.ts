import { type Node, isScalar } from 'yaml';
import type { EntityElement, PropertySelection } from '../entity-graph.ts';
import type { Located } from '../source-range.ts';
import { resolveNode } from '../yaml-text.ts';
import { readProcessContext } from './process-context.ts';
import { readSelectedProperties } from './selected-properties.ts';
import { readTimeExpression } from './time-expression.ts';
import { type YamlObject, placedAt, present, readText, sqlOf, textOf, textsOf, valueOf } from './read-node.ts';

/** One entry of `elements`. */
export function readElement(object: YamlObject, index: number): EntityElement {
  const texts = {
    activityName: textOf(object, 'activityName'),
    dataObject: textOf(object, 'dataObject'),
    entityType: textOf(object, 'entityType'),
    startTimestamp: textOf(object, 'startTimestamp'),
    changeTimestamp: textOf(object, 'changeTimestamp'),
    sequence: textOf(object, 'sequence'),
    activityColumn: textOf(object, 'activityColumn'),
    startExpression: readTimeExpression(object, 'startTimestamp'),
    changeExpression: readTimeExpression(object, 'changeTimestamp'),
    key: readKey(object),
    joins: sqlOf(object, 'joins'),
    where: sqlOf(object, 'where'),
    processContext: readProcessContext(valueOf(object, 'processContext'), object.yaml),
  };
  return placedAt(object.node, { index, properties: readProperties(object), ...present(texts) });
}

/** One column, or a list of them; an empty list counts as not given. */
function readKey(object: YamlObject): readonly Located<string>[] | undefined {
  const single = textOf(object, 'key');
  if (single) return [single];
  const several = textsOf(object, 'key');
  return several.length > 0 ? several : undefined;
}

function readProperties(object: YamlObject): PropertySelection {
  const node = valueOf(object, 'properties');
  const text = readText(node, object.yaml);
  const resolved = resolveNode(node, object.yaml);
  if (text?.value === 'all' && isScalar(resolved)) return placedAt(node as Node, { kind: 'all' as const });
  return { kind: 'list', columns: readSelectedProperties(object) };
}
