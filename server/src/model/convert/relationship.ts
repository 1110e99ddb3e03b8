import { isScalar, isSeq } from 'yaml';
import {
  type CrossMapping,
  type CrossTable,
  type Mapping,
  type MappingOperator,
  type PathStep,
  type Relationship,
  type RelationshipPath,
  correlations,
  mappingOperators,
} from '../entity-graph.ts';
import { type YamlText, resolveNode } from '../yaml-text.ts';
import {
  type YamlObject,
  itemsOf,
  objectsOf,
  placedAt,
  present,
  readObject,
  readText,
  sqlOf,
  textOf,
  valueOf,
} from './read-node.ts';

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

/** The cross table of a relationship; undefined without one. */
function readCrossTable(node: unknown, yaml: YamlText): CrossTable | undefined {
  const object = readObject(node, yaml);
  if (!object) return undefined;
  const dataSource = textOf(object, 'dataSource');
  const dataObject = textOf(object, 'dataObject');
  const side = (list: string, column: 'source' | 'target'): readonly CrossMapping[] =>
    objectsOf(object, list).flatMap((entry) => {
      const own = textOf(entry, column);
      const cross = textOf(entry, 'cross');
      const operator = readOperator(entry);
      return own && cross && operator ? [placedAt(entry.node, { column: own, operator, cross })] : [];
    });
  return placedAt(object.node, {
    ...(dataSource ? { dataSource } : {}),
    ...(dataObject ? { dataObject } : {}),
    sourceMappings: side('sourceMappings', 'source'),
    targetMappings: side('targetMappings', 'target'),
  });
}

/** The `path` of a relationship; undefined without one. */
function readPath(object: YamlObject): RelationshipPath | undefined {
  const node = valueOf(object, 'path');
  if (!node || !isSeq(resolveNode(node, object.yaml))) return undefined;
  const steps = itemsOf(node, object.yaml).flatMap((item): readonly PathStep[] => {
    const text = readText(item, object.yaml);
    if (text) return [placedAt(item, { relationship: text })];
    const entry = readObject(item, object.yaml);
    const relationship = entry && textOf(entry, 'relationship');
    if (!entry || !relationship) return [];
    const reverse = readFlag(entry, 'reverse');
    return [placedAt(item, { relationship, ...(reverse === undefined ? {} : { reverse }) })];
  });
  return placedAt(node, { steps });
}

function readFlag(object: YamlObject, key: string): boolean | undefined {
  const node = resolveNode(valueOf(object, key), object.yaml);
  return isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined;
}

/** The operator of a mapping: default `=`, undefined for an unknown one. */
function readOperator(object: YamlObject): MappingOperator | undefined {
  if (valueOf(object, 'operator') === undefined) return '=';
  const text = textOf(object, 'operator')?.value;
  return mappingOperators.find((each) => each === text);
}
