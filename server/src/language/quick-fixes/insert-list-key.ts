import type { TextEdit } from '../../model/edits/text-edit.ts';
import { type MisplacedEntries, misplacedEntries } from '../checks/misplaced-entries.ts';
import type { QuickFix } from './quick-fix.ts';

/** Puts the key of a list above the entries that have got into the list before it. */
export const insertListKey: QuickFix = {
  codes: ['misplaced-entry'],
  fixes({ range }, { parsed }) {
    const { text } = parsed.yaml;
    const found = misplacedEntries(parsed).find(({ first }) => first.start === range.start);
    if (!found?.isKeyMissing) return [];
    const edit = inBrackets(text, found) ?? inBlock(text, found);
    return edit ? [{ title: `Insert "${found.of}:"`, edits: [edit], preferred: true }] : [];
  },
};

/** The comma before the first of the entries ends the list that they are in, and begins theirs. */
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
