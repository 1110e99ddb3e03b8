import { missingListKey } from '../../model/missing-list-key.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { type Fix, fixOfSyntax } from './quick-fix.ts';

/** Inserts the missing key line of a list or object, if that makes the text more readable. */
export function insertLine(offset: number, yaml: YamlText): readonly Fix[] {
  const { text } = yaml;
  const missing = missingListKey(text, offset);
  if (missing?.first.start !== offset) return [];
  const { key, indent: column, at } = missing;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = [{ range: { start: at, end: at }, newText: `${' '.repeat(column)}${key}:${lineBreak}` }];
  return fixOfSyntax({ title: `Insert "${key}:"`, preferred: true }, yaml, edits);
}
