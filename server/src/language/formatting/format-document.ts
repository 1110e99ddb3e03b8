import { type DividedText, type TextPart, divideText } from '../../model/edits/divided-text.ts';
import { partsLinked, readForEdits } from '../../model/edits/edit-reading.ts';
import { readEditable } from '../../model/edits/editable-yaml.ts';
import {
  type EditedText,
  cannotBeWritten,
  readingLimits,
  tooLarge,
  unreadable,
  unreadableReason,
} from '../../model/edits/edited-text.ts';
import { excerptOf } from '../../model/edits/excerpt.ts';
import {
  type EditOutcome,
  type VerifiedPiece,
  joinPieces,
  noEdits,
  verifyEdits,
  provePiece,
} from '../../model/edits/verified-edits.ts';
import type { Steps } from '../../model/steps.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { formatJson, isJson } from './format-json.ts';
import { layoutEdits } from './format-lines.ts';

/** Length above which only selections are formatted, because the whole would take too long. */
const longest = 500_000;

/** Numbers of characters. */
export interface FormattingLimits {
  /** Length above which a text is formatted in pieces. */
  readonly short: number;
  /** Length formatted between two time checks. */
  readonly piece: number;
}

const formattingLimits: FormattingLimits = { short: readingLimits.short, piece: 3_000 };

/**
 * Formatting edits: two spaces per level, lists indented below their key, one blank after a dash, no trailing blanks,
 * at most one blank line, a final line break. The content of lines, such as comments and custom SQL, is unchanged. An
 * unreadable text, one whose meaning would change, and one that is too long are refused. It yields at each piece.
 */
export function* formatting(source: EditedText, limits = formattingLimits): Steps<EditOutcome> {
  const { text } = source;
  if (text.length > longest) return { refusal: tooLong(text.length) };
  if (isJson(text)) return formatJson(source);
  const divided = text.length > limits.short ? divideText(source) : undefined;
  if (!divided) return formatWhole(source);
  const { problems = [] } = source;
  if (problems.length > 0) return { refusal: unreadableReason(problems) };
  const linked = partsLinked(text, divided);
  const pieces: VerifiedPiece[] = [];
  for (const parts of piecesOf(divided, limits)) {
    const piece = formatPiece(source, divided, linked, parts);
    if ('refusal' in piece) return piece;
    pieces.push(piece);
    yield undefined;
  }
  return joinPieces(source, divided, pieces);
}

function tooLong(length: number): string {
  const size = (characters: number): string => `${Math.ceil(characters / 1000).toLocaleString('en-US')} kB`;
  return `This file is too large to be formatted at once: it has ${size(length)}, and ${size(longest)} are formatted at most. Format a selection.`;
}

function formatWhole(source: EditedText): EditOutcome {
  const reading = readForEdits(source, { isAbout: () => true });
  if ('refusal' in reading) return reading;
  const edits = layoutEdits(reading.yaml);
  return edits.length === 0 ? { edits: noEdits } : verifyEdits(source, edits, []);
}

/** Consecutive sections, by index. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

function* piecesOf({ parts }: DividedText, { piece }: FormattingLimits): Generator<Stretch> {
  let first = 0;
  for (const [last, part] of parts.entries()) {
    const start = parts[first]?.start ?? 0;
    if (part.end - start < piece && last < parts.length - 1) continue;
    yield { first, last };
    first = last + 1;
  }
}

/** Formats some sections together with their neighbours, because of blank lines and comments between them. */
function formatPiece(
  source: EditedText,
  divided: DividedText,
  linked: ReadonlySet<TextPart>,
  { first, last }: Stretch,
): VerifiedPiece | { readonly refusal: string } {
  const { parts } = divided;
  const near = new Set([...parts.slice(Math.max(0, first - 1), last + 2), ...linked]);
  // An entry is formatted below its key, and so is a neighbour.
  const keys = new Set([...near].map(({ key }) => key));
  const isNear = (part: TextPart): boolean => near.has(part) || (part.index === undefined && keys.has(part.key));
  const start = first === 0 ? 0 : (parts[first]?.start ?? 0);
  const end = last === parts.length - 1 ? source.text.length : (parts[last]?.end ?? 0);
  const excerpt = excerptOf(source.text, divided, isNear);
  if (excerpt.text.length > readingLimits.most) return { refusal: tooLarge(excerpt.text.length, readingLimits) };
  const yaml = readEditable(excerpt.text);
  if (yaml.document.errors.length > 0) return { refusal: unreadable };
  const edits = layoutEdits(yaml);
  const [from, until] = [excerpt.offsetInExcerpt(start), excerpt.offsetInExcerpt(end)];
  // An insertion between two pieces belongs to the first one.
  const isOwn = ({ range }: TextEdit): boolean =>
    from <= range.start && range.end <= until && (range.end > from || from === 0);
  return provePiece({ excerpt, yaml, divided }, edits, isOwn) ?? { refusal: cannotBeWritten };
}
