import { type Node, isMap, isScalar, isSeq } from 'yaml';
import type { SemanticToken } from '../language/semantic-tokens.ts';
import type { Steps } from '../model/steps.ts';
import { rangeOf } from '../model/yaml-text.ts';
import type { GraphTests } from './graph-tests.ts';
import { type NameRole, roleOfKeys, roleOfValue } from './name-roles.ts';

/** Tokens of the names in a file of tests, in text order, coloured as in its graph. Yields before each test. */
export function* findingTestTokens({ yaml }: Pick<GraphTests, 'yaml'>): Steps<readonly SemanticToken[]> {
  const tokens: SemanticToken[] = [];
  yield* addTokens(yaml.document.contents, [], tokens);
  return tokens;
}

/** Anchored values have their tokens at the anchor. */
function* addTokens(node: unknown, path: readonly string[], tokens: SemanticToken[]): Steps<void> {
  if (isMap(node)) {
    const role = roleOfKeys(path);
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      if (role) add(key as Node, role, tokens);
      yield* addTokens(value, [...path, String(key.value)], tokens);
    }
  } else if (isSeq(node)) {
    for (const item of node.items) {
      if (path.length === 1) yield;
      yield* addTokens(item, [...path, '[]'], tokens);
    }
  } else if (isScalar(node)) {
    const role = roleOfValue(path);
    if (role && typeof node.value === 'string') add(node as Node, role, tokens);
  }
}

function add(node: Node, role: NameRole, tokens: SemanticToken[]): void {
  tokens.push({ type: typeOfRole[role], range: rangeOf(node) });
}

const typeOfRole: Readonly<Record<NameRole, SemanticToken['type']>> = {
  graph: 'namespace',
  activity: 'event',
  relationship: 'event',
  rule: 'event',
  entityType: 'type',
  dataObject: 'class',
  column: 'property',
  property: 'property',
  columnType: 'type',
};
