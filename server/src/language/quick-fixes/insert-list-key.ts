import { misplacedEntries } from '../checks/misplaced-entries.ts';
import type { QuickFix } from './quick-fix.ts';

/** Puts the key of a list above the entries that have got into the list before it. */
export const insertListKey: QuickFix = {
  codes: ['misplaced-entry'],
  fixes({ range }, { parsed }) {
    const { text } = parsed.yaml;
    const found = misplacedEntries(parsed).find(({ first }) => first.start === range.start);
    if (!found?.isKeyMissing) return [];
    const lineStart = text.lastIndexOf('\n', found.start - 1) + 1;
    // Between brackets a list does not end with a line.
    if (!/^ *- +$/.test(text.slice(lineStart, found.start))) return [];
    const lineBreak = text.slice(0, lineStart).endsWith('\r\n') ? '\r\n' : '\n';
    const edit = { range: { start: lineStart, end: lineStart }, newText: `${found.of}:${lineBreak}` };
    return [{ title: `Insert "${found.of}:"`, edits: [edit], preferred: true }];
  },
};
