import { type Node, type Scalar, isMap, isScalar, visit } from 'yaml';
import type { ParsedDataSources } from '../model/parse-data-sources.ts';
import { rangeOf } from '../model/yaml-text.ts';
import { type SemanticToken, inOrder } from './semantic-tokens.ts';

/** Tokens of a sources file in text order: sources, settings, kinds and references. */
export function sourceTokens({ sources, yaml: { document, text } }: ParsedDataSources): readonly SemanticToken[] {
  if (!isMap(document.contents)) return [];
  const tokens: SemanticToken[] = [];
  const names = new Set(sources.sources.map(({ name }) => name.range.start));
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key)) return;
      const range = rangeOf(key as Node);
      tokens.push({ type: names.has(range.start) ? 'namespace' : 'property', range });
      if (key.value === 'kind' && isScalar(value)) tokens.push({ type: 'enumMember', range: rangeOf(value as Node) });
    },
    Scalar(place, scalar) {
      if (place !== 'key') tokens.push(...references(scalar, text));
    },
  });
  return inOrder(tokens);
}

/** `secret` and `env` are keywords, the rest is a name. */
function references(scalar: Scalar, text: string): readonly SemanticToken[] {
  const { start, end } = rangeOf(scalar as Node);
  return [...text.slice(start, end).matchAll(/\$\{(secret|env):([^}\s]+)\}/g)].flatMap(
    ({ index, 1: word = '', 2: name = '' }): readonly SemanticToken[] => {
      const from = start + index + '${'.length;
      const at = from + word.length + ':'.length;
      return [
        { type: 'keyword', range: { start: from, end: from + word.length } },
        { type: 'variable', range: { start: at, end: at + name.length } },
      ];
    },
  );
}
