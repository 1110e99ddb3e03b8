import { type EditedText, unreadable } from '../../model/edits/edited-text.ts';
import { type VerifiedEdits, noEdits, proveBlankLine, verifyEdits } from '../../model/edits/verified-edits.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';

/** Spaces per level. */
const step = 2;

/**
 * Indentation of a new line after Enter: aligned after the dash of the entry above, or one level deeper after a key
 * without a value.
 * @param lineStart offset of the new line.
 */
export function indentNewLine(source: EditedText, lineStart: number): VerifiedEdits {
  const { text } = source;
  const edit = newIndentation(text, lineStart);
  if (!edit) return noEdits;
  const outcome = verifyEdits(source, [edit], []);
  if ('edits' in outcome) return outcome.edits;
  // In an incomplete text the blanks of a blank line mean nothing.
  const unread = outcome.refusal === unreadable ? proveBlankLine(source, edit) : outcome;
  return 'edits' in unread ? unread.edits : noEdits;
}

function newIndentation(text: string, lineStart: number): TextEdit | undefined {
  const before = text.slice(0, Math.max(0, lineStart - 1)).replace(/\r$/, '');
  const above = before.slice(before.lastIndexOf('\n') + 1);
  const [, indent = '', dashes = '', rest = ''] = /^( *)((?:- +)*)(.*)$/.exec(above) ?? [];
  const line = /^.*/.exec(text.slice(lineStart))?.[0] ?? '';
  const now = /^ */.exec(line)?.[0].length ?? 0;
  if (line.trim() !== '' || rest.trim() === '' || rest.startsWith('#')) return undefined;
  const isKey = /^[^\s#'"[{][^#]*:(\s|$)/.test(rest);
  const opens = /:\s*(#.*)?$/.test(rest) || /:\s+[|>][-+0-9]*\s*$/.test(rest);
  if (!isKey) return undefined;
  const wanted = indent.length + dashes.length + (opens ? step : 0);
  return wanted === now
    ? undefined
    : { range: { start: lineStart, end: lineStart + now }, newText: ' '.repeat(wanted) };
}
