import { isScalar, isSeq } from 'yaml';
import type { CrossMappingValues, MappingValues, PathStepValues } from '../../../../protocol/canvas-intents.ts';
import {
  type Correlation,
  type CrossMapping,
  type Mapping,
  type MappingOperator,
  type PathStep,
  type RelationshipPath,
  correlations,
  mappingOperators,
} from '../entity-graph.ts';
import { resolveNode } from '../yaml-text.ts';
import {
  type YamlObject,
  flagOf,
  itemsOf,
  objectsOf,
  oneOf,
  placedAt,
  readObject,
  readText,
  sqlOf,
  textOf,
  valueOf,
} from './read-node.ts';

/** The finished mappings of a relationship. */
export function readMappings(object: YamlObject, key: string): readonly Mapping[] {
  return objectsOf(object, key).flatMap((entry) => readMapping(entry) ?? []);
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

/** The finished mappings between a side of a relationship and its cross table. */
export function readCrossMappings(side: 'source' | 'target') {
  return (object: YamlObject, key: string): readonly CrossMapping[] =>
    objectsOf(object, key).flatMap((entry) => {
      const column = textOf(entry, side);
      const cross = textOf(entry, 'cross');
      const operator = readOperator(entry);
      return column && cross && operator ? [placedAt(entry.node, { column, operator, cross })] : [];
    });
}

/** The finished steps of a path; undefined without a list. */
export function readPath(object: YamlObject, key: string): RelationshipPath | undefined {
  const node = valueOf(object, key);
  if (!node || !isSeq(resolveNode(node, object.yaml))) return undefined;
  const steps = itemsOf(node, object.yaml).flatMap((item): readonly PathStep[] => {
    const text = readText(item, object.yaml);
    if (text) return [placedAt(item, { relationship: text })];
    const entry = readObject(item, object.yaml);
    const relationship = entry && textOf(entry, 'relationship');
    if (!entry || !relationship) return [];
    const reverse = flagOf(entry, 'reverse')?.value;
    return [placedAt(item, { relationship, ...(reverse === undefined ? {} : { reverse }) })];
  });
  return placedAt(node, { steps });
}

/** Whose events are correlated with the other side. */
export function readCorrelation(object: YamlObject, key: string): Correlation {
  return oneOf(object, key, correlations, 'both');
}

/** The operator of a mapping: default `=`, undefined for an unknown one. */
function readOperator(object: YamlObject): MappingOperator | undefined {
  if (valueOf(object, 'operator') === undefined) return '=';
  const text = textOf(object, 'operator')?.value;
  return mappingOperators.find((each) => each === text);
}

/** All mappings as they are written, if one of them is unfinished. */
export function mappingsAsWritten(object: YamlObject, key: string): readonly MappingValues[] | undefined {
  const entries = objectsOf(object, key);
  if (entries.every(isFinished)) return undefined;
  return entries.map((entry) => {
    const expression = writtenText(entry, 'expression');
    if (expression !== undefined) return { expression };
    return {
      source: writtenText(entry, 'source') ?? '',
      ...writtenOperator(entry),
      target: writtenText(entry, 'target') ?? '',
    };
  });
}

function isFinished(object: YamlObject): boolean {
  const expression = writtenText(object, 'expression');
  return expression === undefined ? readMapping(object) !== undefined : expression.trim() !== '';
}

/** All mappings of a side as they are written, if one of them is unfinished. */
export function crossMappingsAsWritten(side: 'source' | 'target') {
  const read = readCrossMappings(side);
  return (object: YamlObject, key: string): readonly CrossMappingValues[] | undefined => {
    const entries = objectsOf(object, key);
    if (read(object, key).length === entries.length) return undefined;
    return entries.map((entry) => ({
      column: writtenText(entry, side) ?? '',
      ...writtenOperator(entry),
      cross: writtenText(entry, 'cross') ?? '',
    }));
  };
}

/** All steps of a path as they are written, if one of them is unfinished. */
export function pathAsWritten(object: YamlObject, key: string): readonly PathStepValues[] | undefined {
  const items = itemsOf(valueOf(object, key), object.yaml);
  if (items.length === (readPath(object, key)?.steps.length ?? 0)) return undefined;
  return items.flatMap((item): readonly PathStepValues[] => {
    const entry = readObject(item, object.yaml);
    const relationship = entry ? writtenText(entry, 'relationship') : textAt(item, object);
    const reverse = entry && flagOf(entry, 'reverse')?.value;
    return relationship === undefined ? [] : [{ relationship, ...(reverse === undefined ? {} : { reverse }) }];
  });
}

function writtenOperator(object: YamlObject): { readonly operator?: string } {
  const operator = writtenText(object, 'operator');
  return operator === undefined || operator === '=' ? {} : { operator };
}

/** The text of a key as it is written: blank ones, too. */
function writtenText(object: YamlObject, key: string): string | undefined {
  return textAt(valueOf(object, key), object);
}

function textAt(node: unknown, { yaml }: YamlObject): string | undefined {
  const resolved = resolveNode(node, yaml);
  return isScalar(resolved) && typeof resolved.value === 'string' ? resolved.value : undefined;
}
