import { type Mapping, type Relationship, correlations } from '../entity-graph.ts';
import { readCrossTable } from './cross-table.ts';
import { readOperator } from './operator.ts';
import { readPath } from './relationship-path.ts';
import { type YamlObject, objectsOf, placedAt, present, sqlOf, textOf, valueOf } from './read-node.ts';

/** One entry of `relationships`. */
export function readRelationship(object: YamlObject, index: number): Relationship {
  const correlate = textOf(object, 'correlate')?.value;
  return placedAt(object.node, {
    index,
    mappings: objectsOf(object, 'mappings').flatMap((entry) => readMapping(entry) ?? []),
    correlate: correlations.find((each) => each === correlate) ?? 'both',
    ...present({
      name: textOf(object, 'name'),
      source: textOf(object, 'source'),
      target: textOf(object, 'target'),
      crossTable: readCrossTable(valueOf(object, 'crossTable'), object.yaml),
      path: readPath(object),
    }),
  });
}

function readMapping(object: YamlObject): Mapping | undefined {
  const expression = sqlOf(object, 'expression');
  if (expression) return placedAt(object.node, { kind: 'expression' as const, expression });
  const source = textOf(object, 'source');
  const target = textOf(object, 'target');
  const operator = readOperator(object);
  return source && target && operator
    ? placedAt(object.node, { kind: 'columns' as const, source, operator, target })
    : undefined;
}
