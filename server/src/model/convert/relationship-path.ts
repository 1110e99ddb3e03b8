import type { PathStep, RelationshipPath } from '../entity-graph.ts';
import { isScalar, isSeq } from 'yaml';
import { resolveNode } from '../yaml-text.ts';
import { type YamlObject, itemsOf, placedAt, readObject, readText, textOf, valueOf } from './read-node.ts';

/** The `path` of a relationship; undefined without one. */
export function readPath(object: YamlObject): RelationshipPath | undefined {
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
