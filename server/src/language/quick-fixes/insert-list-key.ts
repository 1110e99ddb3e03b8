import { isNode, isSeq } from 'yaml';
import { pairOf } from '../../model/edits/editable-yaml.ts';
import { isJsonList } from '../../model/edits/json-value.ts';
import { rootMap } from '../../model/edits/list-edits.ts';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { missingListKey } from '../../model/missing-list-key.ts';
import { plainValue } from '../../model/plain-value.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { type MisplacedEntries, misplacedEntries } from '../checks/misplaced-entries.ts';
import { type Fix, type QuickFix, fixByEdits, fixOfSyntax } from './quick-fix.ts';

/** Inserts the missing list key above entries that were parsed as part of the previous list. */
export const insertListKey: QuickFix = {
  codes: ['misplaced-entry'],
  fixes({ range }, { parsed }) {
    const { text } = parsed.yaml;
    const found = misplacedEntries(parsed).find(({ first }) => first.start === range.start);
    if (!found?.isKeyMissing) return [];
    const edit = inBrackets(text, found) ?? inBlock(text, found);
    const change = edit && entriesMoved(found, parsed.yaml);
    return change
      ? fixByEdits({ title: `Insert "${found.of}:"`, preferred: true }, parsed.yaml, () => [edit], change)
      : [];
  },
};

/** The entries from the first misplaced one on form a separate list. */
function entriesMoved({ start, list, of }: MisplacedEntries, yaml: YamlText): readonly MeaningChange[] | undefined {
  const root = rootMap(yaml);
  const node = root && pairOf(root, list)?.value;
  const value = isSeq(node) ? plainValue(node, yaml) : undefined;
  const first = isSeq(node) ? node.items.findIndex((item) => isNode(item) && item.range?.[0] === start) : -1;
  if (!isJsonList(value) || first < 0) return undefined;
  // Without entries the type of a block list is unknown.
  const rest = first > 0 ? value.slice(0, first) : isSeq(node) && node.flow === true ? [] : null;
  return [
    { kind: 'set', path: [list], value: rest },
    { kind: 'set', path: [of], value: value.slice(first) },
  ];
}

/** The comma before the first entry ends the previous list and starts the new one. */
function inBrackets(text: string, { start, of }: MisplacedEntries): TextEdit | undefined {
  const end = text.slice(0, start).trimEnd().length;
  const comma = { start: end - 1, end };
  return text[comma.start] === ',' ? { range: comma, newText: `], "${of}": [` } : undefined;
}

function inBlock(text: string, { start, of }: MisplacedEntries): TextEdit | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (!/^ *- +$/.test(text.slice(lineStart, start))) return undefined;
  const lineBreak = text.slice(0, lineStart).endsWith('\r\n') ? '\r\n' : '\n';
  return { range: { start: lineStart, end: lineStart }, newText: `${of}:${lineBreak}` };
}

/** Inserts the missing key line of a list or object, if that makes the text more readable. */
export function insertKeyLine(offset: number, yaml: YamlText): readonly Fix[] {
  const { text } = yaml;
  const missing = missingListKey(text, offset);
  if (missing?.first.start !== offset) return [];
  const { key, indent: column, at } = missing;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = [{ range: { start: at, end: at }, newText: `${' '.repeat(column)}${key}:${lineBreak}` }];
  return fixOfSyntax({ title: `Insert "${key}:"`, preferred: true }, yaml, edits);
}
