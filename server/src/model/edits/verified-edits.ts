import { aliasMistakes } from '../alias-mistakes.ts';
import { createIncrementalYaml } from '../incremental-yaml.ts';
import { withoutBlanks } from '../indented-json.ts';
import { mergeConflicts } from '../merge-conflicts.ts';
import { plainDocument } from '../plain-value.ts';
import type { YamlText } from '../yaml-text.ts';
import { type DividedText, type TextPart, divideText, partsTouched, staysDivided } from './divided-text.ts';
import { type EditReading, readForEdits } from './edit-reading.ts';
import { readEditable } from './editable-yaml.ts';
import { type EditedText, type ReadingLimits, cannotBeWritten, readingLimits, unreadable } from './edited-text.ts';
import { excerptOf } from './excerpt.ts';
import { type JsonValue, sameValue } from './json-value.ts';
import { keepsCommentsAndKeys, keepsEntries } from './kept-content.ts';
import { type MeaningChange, changedWithAliases } from './meaning-change.ts';
import { type TextEdit, applyEdits, areApart } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

declare const proven: unique symbol;

/**
 * Edits verified by parsing the result: they have the intended effect and no other. Only functions of this module
 * create them, and only they reach editors and files.
 */
export type VerifiedEdits = readonly TextEdit[] & { readonly [proven]: true };

/** Edits, or a message for the user. */
export type EditOutcome = { readonly edits: VerifiedEdits } | { readonly refusal: string };

/** No change. */
export const noEdits = [] as unknown as VerifiedEdits;

/** Returns edits if they change the data exactly as given; without changes, if the data stays the same. */
export function verifyEdits(
  source: EditedText,
  edits: readonly TextEdit[],
  changes: readonly MeaningChange[],
  limits = readingLimits,
): EditOutcome {
  const reading = readForEdits(source, { edits, changes }, limits);
  if ('refusal' in reading) return reading;
  const { excerpt } = reading;
  const before = meaningIn(reading);
  if (before === undefined) return { refusal: unreadable };
  const expected = changedWithAliases(before, changes.map(excerpt.changeInExcerpt));
  const inside = edits.flatMap((edit) => excerpt.inExcerpt(edit) ?? []);
  if (expected === undefined || inside.length < edits.length) return { refusal: cannotBeWritten };
  return proveReading(source, reading, inside, expected);
}

/** Returns edits of an excerpt as edits of the whole text, if they have the expected effect. */
export function proveReading(
  { text }: EditedText,
  { excerpt, divided }: EditReading,
  edits: readonly TextEdit[],
  expected: JsonValue,
): EditOutcome {
  if (!areApart(edits)) return { refusal: cannotBeWritten };
  try {
    const after = applyEdits(excerpt.text, edits);
    const { document } = readEditable(after);
    const isMeant = document.errors.length === 0 && sameValue(plainDocument(document, after), expected);
    if (!isMeant) return { refusal: cannotBeWritten };
    const inWhole = edits.map(excerpt.inWhole);
    if (divided && !staysDivided(divided, text, inWhole)) return { refusal: cannotBeWritten };
    return { edits: inWhole as unknown as VerifiedEdits };
  } catch (error) {
    if (error instanceof Unwritable) return { refusal: cannotBeWritten };
    throw error;
  }
}

/** The data of a parse result; undefined for unresolvable or exponentially growing aliases. */
export function meaningIn({ yaml, excerpt }: EditReading): JsonValue | undefined {
  return plainDocument(yaml.document, excerpt.text) as JsonValue | undefined;
}

/** Returns edits that fix syntax errors, if fewer errors remain and readable parts are unchanged. */
export function proveRepair(source: YamlText, edits: readonly TextEdit[], limits = readingLimits): EditOutcome {
  if (!areApart(edits)) return { refusal: cannotBeWritten };
  const isBetter = mendsParts(source, edits, limits) ?? mendsWhole(source, edits, limits);
  return isBetter ? { edits: edits as unknown as VerifiedEdits } : { refusal: cannotBeWritten };
}

/** Whether the touched parts improve; undefined if other parts may change. */
function mendsParts(source: YamlText, edits: readonly TextEdit[], limits: ReadingLimits): boolean | undefined {
  const divided = divideText(source);
  if (!divided || !staysDivided(divided, source.text, edits)) return undefined;
  const touched = partsTouched(divided, edits);
  const lists = new Set([...touched].map(({ key }) => key));
  const places = new Set(
    [...touched].flatMap(({ key, index = 0 }) => [index - 1, index + 1].map((at) => `${at} ${key}`)),
  );
  // An entry needs its neighbours to be parsed as one.
  const isNear = ({ key, index }: TextPart): boolean =>
    lists.has(key) && (index === undefined || places.has(`${index} ${key}`));
  const excerpt = excerptOf(source.text, divided, (part) => touched.has(part) || isNear(part));
  const inside = edits.flatMap((edit) => excerpt.inExcerpt(edit) ?? []);
  if (inside.length < edits.length || excerpt.text.length > limits.most) return undefined;
  return isRepaired(excerpt.text, inside, (yaml) => yaml.problems.length);
}

function mendsWhole({ text }: YamlText, edits: readonly TextEdit[], limits: ReadingLimits): boolean {
  return text.length <= limits.most && isRepaired(text, edits, mistakesIn) === true;
}

/** Undefined when the excerpt has no error. */
function isRepaired(text: string, edits: readonly TextEdit[], count: (yaml: YamlText) => number): boolean | undefined {
  const before = createIncrementalYaml().parse(text);
  if (count(before) === 0) return undefined;
  const after = createIncrementalYaml().parse(applyEdits(text, edits));
  return count(after) < count(before) && keepsEntries(before, after) && keepsCommentsAndKeys(text, edits);
}

function mistakesIn(yaml: YamlText): number {
  return yaml.problems.length + aliasMistakes(yaml).length;
}

/** Returns edits that resolve a merge conflict by the user's choice. */
export function proveChoice({ text }: EditedText, edits: readonly TextEdit[]): EditOutcome {
  const isDecided = areApart(edits) && mergeConflicts(applyEdits(text, edits)).length < mergeConflicts(text).length;
  return isDecided ? { edits: edits as unknown as VerifiedEdits } : { refusal: cannotBeWritten };
}

/** Formatting edits of some parts of a text; part of a change of the whole. */
export interface VerifiedPiece {
  readonly [proven]: true;
  readonly edits: readonly TextEdit[];
}

/**
 * Returns the edits within some ranges of the whole, if the excerpt's data is unchanged by all of them. The others
 * belong to neighbouring pieces.
 */
export function provePiece(
  reading: EditReading,
  edits: readonly TextEdit[],
  isOwn: (edit: TextEdit) => boolean,
): VerifiedPiece | undefined {
  const after = applyEdits(reading.excerpt.text, edits);
  const { document } = readEditable(after);
  const now = meaningIn(reading);
  if (!areApart(edits) || document.errors.length > 0 || now === undefined) return undefined;
  if (!sameValue(plainDocument(document, after), now)) return undefined;
  const own = edits.filter(isOwn).map(reading.excerpt.inWhole);
  return { edits: own } as unknown as VerifiedPiece;
}

/** The edits of all pieces, if they keep the division of the text. */
export function joinPieces(source: EditedText, divided: DividedText, pieces: readonly VerifiedPiece[]): EditOutcome {
  const edits = pieces.flatMap((piece) => piece.edits);
  const now = areApart(edits) ? divideText({ text: applyEdits(source.text, edits) }) : undefined;
  const isSame =
    now?.parts.length === divided.parts.length &&
    now.parts.every(({ key, index }, place) => {
      const before = divided.parts[place];
      return before?.key === key && before.index === index;
    });
  return isSame ? { edits: edits as unknown as VerifiedEdits } : { refusal: cannotBeWritten };
}

/** Returns edits of JSON that change blanks between tokens only, for any length. */
export function proveBlanks({ text }: EditedText, edits: readonly TextEdit[]): EditOutcome {
  const isSame = areApart(edits) && withoutBlanks(applyEdits(text, edits)) === withoutBlanks(text);
  return isSame ? { edits: edits as unknown as VerifiedEdits } : { refusal: cannotBeWritten };
}

/** Returns an edit of the blanks on an otherwise empty line. */
export function proveBlankLine({ text }: EditedText, edit: TextEdit): EditOutcome {
  const { start, end } = edit.range;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start) + text.slice(end).replace(/\n[^]*$/, '');
  const isBlank = /^ *$/.test(edit.newText) && /^[ \t]*$/.test(text.slice(start, end)) && /^[ \t\r]*$/.test(line);
  return isBlank ? { edits: [edit] as unknown as VerifiedEdits } : { refusal: cannotBeWritten };
}
