import type { Problem } from '../problem.ts';
import { type YamlText, tooLargeCode } from '../yaml-text.ts';

/** A text for edits, with its parse result if available. */
export type EditedText = Pick<YamlText, 'text'> & Partial<YamlText>;

/** Maximum number of characters to parse again for a change. */
export interface ReadingLimits {
  /** Shorter texts are always parsed completely. */
  readonly short: number;
  /** Larger changes would block other requests. */
  readonly most: number;
  /** Maximum length of an entry used as an example of the style. */
  readonly context: number;
}

export const readingLimits: ReadingLimits = { short: 20_000, most: 60_000, context: 2_000 };

export const unreadable = 'The file cannot be read at the moment. Mend its first error, then try again.';

/** Why a text with problems is not changed. */
export function unreadableReason(problems: readonly Problem[]): string {
  return problems.length > 0 && problems.every(({ code }) => code === tooLargeCode) ? partTooLarge : unreadable;
}

const partTooLarge =
  'This file has a part that is too large to be parsed while you type; it is marked with a warning. Make this change in the text.';

export const cannotBeWritten =
  'This change would affect other text, such as an anchor that is used elsewhere. Make it in the text.';

/** @param length number of characters to parse again. */
export function tooLarge(length: number, { most }: ReadingLimits): string {
  const size = (characters: number): string => `${Math.ceil(characters / 1000).toLocaleString('en-US')} kB`;
  return `This file is too large for this change: ${size(length)} of it would have to be read again, and ${size(most)} are read at most. Make it in the text.`;
}
