import { commandBreaks, escapeControls } from '../../../protocol/printable-text.ts';

const codes = { bold: 1, dim: 2, red: 31, yellow: 33, green: 32, blue: 34 } as const;
type Style = keyof typeof codes;

interface Part {
  readonly text: string;
  readonly style?: Style;
}

/**
 * A line with styles. They are kept beside the text, and become escape sequences only when the line is printed, so that
 * those in data are never taken for ours. The class is not exported: only `paint` and `styled` create it.
 */
class OwnStyledText {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  static partsOf(value: unknown): readonly Part[] {
    return value instanceof OwnStyledText ? value.#parts : [{ text: String(value) }];
  }

  /** Without styles, as in a template without `styled`. */
  toString(): string {
    return this.#parts.map(({ text }) => text).join('');
  }
}

type StyledText = OwnStyledText;

/** A line to be printed; whatever it holds, it stays one line. */
export type Line = string | StyledText;

/** Styles of texts. */
export const paint: Readonly<Record<Style, (text: string) => StyledText>> = {
  bold: (text) => new OwnStyledText([{ text, style: 'bold' }]),
  dim: (text) => new OwnStyledText([{ text, style: 'dim' }]),
  red: (text) => new OwnStyledText([{ text, style: 'red' }]),
  yellow: (text) => new OwnStyledText([{ text, style: 'yellow' }]),
  green: (text) => new OwnStyledText([{ text, style: 'green' }]),
  blue: (text) => new OwnStyledText([{ text, style: 'blue' }]),
};

/** A line of texts, some of them with a style. */
export function styled(ours: TemplateStringsArray, ...filledIn: readonly (Line | number)[]): StyledText {
  return new OwnStyledText(
    ours.flatMap((text, index) => [
      { text },
      ...(index < filledIn.length ? OwnStyledText.partsOf(filledIn[index]) : []),
    ]),
  );
}

/** The line as it is printed: data has no effect on terminals and build servers. */
export function printedLine(line: Line, isColoured: boolean): string {
  const parts = OwnStyledText.partsOf(line).map(({ text, style }) => ({ text: escapeControls(text), style }));
  // A command may begin in one part and end in the next.
  const breaks = new Set(commandBreaks(parts.map(({ text }) => text).join('')));
  let from = 0;
  return parts
    .map(({ text, style }) => {
      const start = from;
      from += text.length;
      const shown = text.replaceAll(/[^]/g, (unit, at: number) => (breaks.has(start + at) ? `\u200b${unit}` : unit));
      return isColoured && style && shown !== '' ? `\u001b[${codes[style]}m${shown}\u001b[0m` : shown;
    })
    .join('');
}
