import { escapeMarkdown, lineBreaks } from '../../../protocol/escape-markdown.ts';

/**
 * Markdown with escaped data. The class is not exported, so that only the functions below create it, escaping by
 * context: literal parts of templates are trusted, interpolated values are not.
 */
class OwnMarkdown {
  /** Makes the type nominal. */
  readonly #own = true;
  /** For the module that sends Markdown to an editor, and for tests. */
  readonly source: string;
  /** The same without marks, for editors that show no Markdown. */
  readonly plain: string;

  constructor(source: string, plain: string) {
    this.source = source;
    this.plain = plain;
  }

  static is(value: unknown): value is OwnMarkdown {
    return value instanceof OwnMarkdown && value.#own;
  }
}

export type Markdown = OwnMarkdown;

/** A line of Markdown. Interpolated texts are shown literally, with visible line breaks. */
export function line(ours: TemplateStringsArray, ...filledIn: readonly (Markdown | string | number)[]): Markdown {
  const parts = filledIn.map((part) =>
    OwnMarkdown.is(part) ? part : new OwnMarkdown(escapeMarkdown(String(part)), shownPlain(String(part))),
  );
  const [sources, plains] = [parts.map(({ source }) => source), parts.map(({ plain }) => plain)];
  return new OwnMarkdown(String.raw({ raw: ours }, ...sources), String.raw({ raw: ours }, ...plains));
}

/** A bold name, between blanks or at line ends. */
export function strong(name: string): Markdown {
  if (name === '') return line``;
  // Next to a blank the markers would have no effect.
  const shown = escapeMarkdown(name).replaceAll(/^\s|\s$/g, '&nbsp;');
  return new OwnMarkdown(`**${shown}**`, shownPlain(name));
}

/** A value or a word of a language as inline code. */
export function code(text: string): Markdown {
  // An empty line would end the paragraph, and code cannot be escaped.
  const shown = text.replaceAll('\0', '\uFFFD').split(lineBreaks).join('↵');
  const fence = '`'.repeat(longestRun(shown) + 1);
  const needsRoom = /^`|`$|^\s.*\S.*\s$|^$/.test(shown);
  return new OwnMarkdown(needsRoom ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`, shown);
}

/** A code block. */
export function codeBlock(language: 'sql', text: string): Markdown {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const shown = text.replaceAll('\0', '\uFFFD');
  return new OwnMarkdown(`${fence}${language}\n${shown}\n${fence}`, shown);
}

/** A text with inline code in backticks, such as a schema description. */
export function prose(text: string): Markdown {
  const parts = text.split(/(?<!`)`([^`]+)`(?!`)/).map((part, index) => (index % 2 === 1 ? code(part) : line`${part}`));
  return joined(parts, '');
}

/** Blocks below one another; empty ones are omitted. */
export function paragraphs(...blocks: readonly (Markdown | undefined)[]): Markdown {
  return joined(
    blocks.filter((block): block is Markdown => block !== undefined && block.source !== ''),
    '\n\n',
  );
}

/** Lines of one paragraph. */
export function lines(each: readonly Markdown[]): Markdown {
  return joined(each, '  \n');
}

/** Parts of a line. */
export function joined(parts: readonly Markdown[], between: '' | ' ' | ', ' | '  \n' | '\n\n'): Markdown {
  const inPlain = between === '  \n' ? '\n' : between;
  return new OwnMarkdown(
    parts.map(({ source }) => source).join(between),
    parts.map(({ plain }) => plain).join(inPlain),
  );
}

/** With line breaks that every editor shows. */
function shownPlain(text: string): string {
  return text.replaceAll('\0', '\uFFFD').split(lineBreaks).join('\n');
}

/** The longest run of backticks. */
function longestRun(text: string): number {
  return text.match(/`+/g)?.reduce((longest, run) => Math.max(longest, run.length), 0) ?? 0;
}
