import { escapeMarkdown, lineBreaks } from '../../../protocol/escape-markdown.ts';

/**
 * Markdown that no data can change. The class is not exported, so that nothing but the functions below makes one of a text; they
 * escape it for where it stands: what is written in code, in `line` templates, is ours; what is filled in is not.
 */
class OwnMarkdown {
  /** Nothing else is of this type, whatever it has. */
  readonly #own = true;
  /** For the one place that hands Markdown to an editor, and for tests. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  static is(value: unknown): value is OwnMarkdown {
    return value instanceof OwnMarkdown && value.#own;
  }
}

export type Markdown = OwnMarkdown;

/** A line of Markdown. Texts that are filled in are shown as they are, their line breaks as such. */
export function line(ours: TemplateStringsArray, ...filledIn: readonly (Markdown | string | number)[]): Markdown {
  const parts = filledIn.map((part) => (OwnMarkdown.is(part) ? part.source : escapeMarkdown(String(part))));
  return new OwnMarkdown(String.raw({ raw: ours }, ...parts));
}

/** A name that stands out, between blanks or at the ends of a line. */
export function strong(name: string): Markdown {
  if (name === '') return line``;
  // Beside a blank the signs would not begin or end anything.
  const shown = escapeMarkdown(name).replaceAll(/^\s|\s$/g, '&nbsp;');
  return new OwnMarkdown(`**${shown}**`);
}

/** A value or a word of a language, on one line. */
export function code(text: string): Markdown {
  // An empty line would end the paragraph around it, and no code can be escaped.
  const shown = text.replaceAll('\0', '\uFFFD').split(lineBreaks).join('↵');
  const fence = '`'.repeat(longestRun(shown) + 1);
  const needsRoom = /^`|`$|^\s.*\S.*\s$|^$/.test(shown);
  return new OwnMarkdown(needsRoom ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`);
}

/** Text of a language on lines of its own. */
export function codeBlock(language: 'sql', text: string): Markdown {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return new OwnMarkdown(`${fence}${language}\n${text.replaceAll('\0', '\uFFFD')}\n${fence}`);
}

/** A text with words of a language between backticks, such as the description of a property in a schema. */
export function prose(text: string): Markdown {
  const parts = text.split(/(?<!`)`([^`]+)`(?!`)/).map((part, index) => (index % 2 === 1 ? code(part) : line`${part}`));
  return joined(parts, '');
}

/** Blocks below each other; empty ones are left out. */
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
  return new OwnMarkdown(parts.map(({ source }) => source).join(between));
}

/** The longest run of backticks. */
function longestRun(text: string): number {
  return text.match(/`+/g)?.reduce((longest, run) => Math.max(longest, run.length), 0) ?? 0;
}
