import { applyEdits } from '../../model/edits/text-edit.ts';
import { createIncrementalYaml } from '../../model/incremental-yaml.ts';
import { missingListKey } from '../../model/missing-list-key.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { Fix } from './quick-fix.ts';

/** The line of a list or group whose lines stand below something else, when the text is easier to read with it. */
export function insertLine(offset: number, { text, problems }: YamlText): Fix | undefined {
  const missing = missingListKey(text, offset);
  if (missing?.first.start !== offset) return undefined;
  const { key, indent: column, at } = missing;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = [{ range: { start: at, end: at }, newText: `${' '.repeat(column)}${key}:${lineBreak}` }];
  const isBetter =
    text.length > longestText ||
    createIncrementalYaml().parse(applyEdits(text, edits)).problems.length < problems.length;
  return isBetter ? { title: `Insert "${key}:"`, edits, preferred: true } : undefined;
}

/** Reading a longer text again would keep everything else waiting. */
const longestText = 60_000;
