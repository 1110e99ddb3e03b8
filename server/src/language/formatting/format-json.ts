import { type EditedText, unreadable } from '../../model/edits/edited-text.ts';
import { type EditOutcome, noEdits, proveBlanks } from '../../model/edits/verified-edits.ts';
import { indentedJson } from '../../model/indented-json.ts';

/** Whether a text looks like JSON. */
export function isJson(text: string): boolean {
  return /^[\s\ufeff]*\{\s*["}]/.test(text);
}

/** Formats JSON, with every scalar unchanged. */
export function formatJson(source: EditedText): EditOutcome {
  const { text } = source;
  const formatted = indentedJson(text);
  // YAML flow style that is not valid JSON.
  if (formatted === undefined) return { refusal: unreadable };
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const newText = `${formatted}\n`.replaceAll('\n', eol);
  return newText === text
    ? { edits: noEdits }
    : proveBlanks(source, [{ range: { start: 0, end: text.length }, newText }]);
}
