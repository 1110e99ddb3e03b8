import { isScalar } from 'yaml';
import { plainValue } from '../model/plain-value.ts';
import { type YamlText, resolveNode } from '../model/yaml-text.ts';
import type { GivenValue } from './graph-tests.ts';

/** A value of a test. Numbers keep their digits as written. */
export function givenValueOf(node: unknown, yaml: YamlText): GivenValue {
  const resolved = resolveNode(node, yaml);
  if (!resolved) return { kind: 'null', text: '' };
  if (!isScalar(resolved)) return { kind: 'json', text: JSON.stringify(plainValue(resolved, yaml) ?? null) };
  const { value } = resolved;
  if (value === null || value === undefined) return { kind: 'null', text: '' };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  if (typeof value === 'number' || typeof value === 'bigint')
    return { kind: 'number', text: resolved.source ?? String(value) };
  return { kind: 'text', text: String(value) };
}
