import type { TextPart } from '../../model/edits/divided-text.ts';
import { readForEdits } from '../../model/edits/edit-reading.ts';
import { type EditedText, cannotBeWritten } from '../../model/edits/edited-text.ts';
import { type EditOutcome, noEdits, verifyEdits } from '../../model/edits/verified-edits.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { formatJson, isJson } from './format-json.ts';
import { layoutEdits } from './format-lines.ts';

/**
 * Formatting edits for a range of lines. The meaning of lines depends on the indentation of their neighbours: lines
 * whose meaning would change stay unchanged.
 */
export function formatRange(source: EditedText, range: SourceRange): EditOutcome {
  const { text } = source;
  if (isJson(text)) return formatJsonRange(source, range);
  const within = layoutOf(source, range);
  if ('refusal' in within) return within;
  if (within.edits.length === 0) return { edits: noEdits };
  const asTheyAre = verifyEdits(source, within.edits, []);
  if ('edits' in asTheyAre) return asTheyAre;
  // Removing trailing blanks and blank lines is always safe.
  const inPlace = within.edits.flatMap((edit) => withOldIndentation(text, edit) ?? []);
  const alone = inPlace.length > 0 ? verifyEdits(source, inPlace, []) : asTheyAre;
  return 'refusal' in alone && alone.refusal === cannotBeWritten ? { edits: noEdits } : alone;
}

/** JSON is formatted as a whole only. */
function formatJsonRange(source: EditedText, { start, end }: SourceRange): EditOutcome {
  return start === 0 && end >= source.text.length ? formatJson(source) : { edits: noEdits };
}

/** The edits within a range; of a long text, only the surrounding sections are parsed. */
function layoutOf(
  source: EditedText,
  { start, end }: SourceRange,
): { readonly edits: readonly TextEdit[] } | { readonly refusal: string } {
  const { text } = source;
  const isAbout = (part: TextPart): boolean => part.start <= end && start <= part.end;
  const reading = readForEdits(source, { isAbout });
  if ('refusal' in reading) return reading;
  const { excerpt, yaml } = reading;
  const [from, until] = [excerpt.offsetInExcerpt(start), excerpt.offsetInExcerpt(end)];
  const within = layoutEdits(yaml).filter(({ range }) => range.start >= from && range.end <= until);
  // Next to a gap, only blanks at the end of the text are changed, which belong to other lines in the whole text.
  const edits = within.filter(({ range }) => text.length === excerpt.text.length || range.end < excerpt.text.length);
  return { edits: edits.map(excerpt.inWhole) };
}

/** An edit without its indentation change; undefined if nothing remains. */
function withOldIndentation(text: string, { range, newText }: TextEdit): TextEdit | undefined {
  const old = text.slice(range.start, range.end);
  if (old.trim() === '')
    return old.includes('\n') || /^\r?\n/.test(text.slice(range.end, range.end + 2)) ? { range, newText } : undefined;
  return { range, newText: `${/^ */.exec(old)?.[0]}${newText.trimStart()}` };
}
