import { Document, type Node, type ParsedNode, isAlias, isNode } from 'yaml';
import { type TooDeep, type TooLong, maxDepth, readingDocument } from './bounded-document.ts';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import { type Steps, toEnd } from './steps.ts';
import { syntaxProblems } from './syntax-mistakes.ts';
import { type YamlLinks, createLinks, linksIn } from './yaml-links.ts';
import type { YamlSection } from './yaml-section.ts';

/** A parsed YAML 1.2 (or JSON) text. */
export interface YamlText {
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
  /** Syntax errors, code `yaml-syntax`. */
  readonly problems: readonly Problem[];
  /** Alias targets of the text. */
  readonly links: YamlLinks;
  /**
   * The unreadable parts, and those with aliases into them, if all others are readable. Absent when an error makes the
   * meaning of the whole text uncertain.
   */
  readonly broken?: readonly SourceRange[];
  /** The sections it was parsed in; absent when parsed as a whole. */
  readonly sections?: readonly YamlSection[];
}

/**
 * Parse options of every document. The library would print warnings; 'silent' would also suppress the error of a second
 * document.
 */
export const yamlOptions = { version: '1.2', logLevel: 'error' } as const;

/**
 * The schema of parts of a file, which the library would otherwise build for each. A directive chooses another one, and
 * explicit tags, which parts do not have, would extend it.
 */
export const schemaOfParts = new Document(null, yamlOptions).schema;
const hasDirective = /^\uFEFF?%/m;

/** The code of skipped content that is too large. */
export const tooLargeCode = 'too-large';

/** Parses any text; never throws. */
export function parseYaml(text: string): YamlText {
  return toEnd(readingYaml(text));
}

/**
 * Parses YAML in steps. @param most maximum number of tokens: a larger text is skipped with a problem.
 * @param isPart whether it is a part of a file, as opposed to an undivided file.
 */
export function* readingYaml(text: string, most = Infinity, isPart = false): Steps<YamlText> {
  const options = isPart && !hasDirective.test(text) ? { ...yamlOptions, schema: schemaOfParts } : yamlOptions;
  const document = yield* readingDocument(text, options, most);
  if ('most' in document) return unread(text, () => [tooLarge(text, document, isPart)]);
  if ('isInOpenBracket' in document) return unread(text, () => tooDeepProblems(text, document));
  return lazily(text, document as YamlText['document'], () => {
    // Empty keys are never intended.
    const errors = document.errors.filter(({ code, pos }) => code !== 'DUPLICATE_KEY' || text[pos[0]] !== ':');
    return [...syntaxProblems(errors, text), ...repeatedDirective(text)];
  });
}

/** Errors, anchors and aliases are evaluated on demand, because most parts have none. */
function lazily(text: string, document: YamlText['document'], explain: () => readonly Problem[]): YamlText {
  let problems: readonly Problem[] | undefined;
  let links: YamlLinks | undefined;
  return {
    text,
    document,
    get problems() {
      problems ??= explain();
      return problems;
    },
    get links() {
      links ??= createLinks(linksIn(document.contents, text));
      return links;
    },
  };
}

function unread(text: string, explain: () => readonly Problem[]): YamlText {
  return lazily(text, new Document(null, yamlOptions) as unknown as YamlText['document'], explain);
}

/** Reported at the first line instead of underlining all of the text. */
function tooLarge(text: string, { most }: TooLong, isPart: boolean): Problem {
  const start = Math.max(0, text.search(/\S/));
  const lineEnd = text.slice(start).search(/\r?\n/);
  const end = Math.min(lineEnd < 0 ? text.length : start + lineEnd, start + 200);
  const size = `more than ${most.toLocaleString('en-US')} words and signs`;
  const what = isPart
    ? `What begins here is too large to be read and checked while you type: it has ${size}. Shorten its lists, or split it.`
    : `This file is too large to be read and checked while you type: it has ${size}, and cannot be read entry by entry. Mend the mistake in a key at the start of a line, or do without tags, several documents, and braces around the whole file.`;
  const message = `${what} Imports and the command line read it all the same.`;
  return { code: tooLargeCode, severity: 'warning', message, range: { start, end } };
}

function tooDeepProblems(text: string, { at, isInOpenBracket, brackets }: TooDeep): readonly Problem[] {
  const range = { start: at, end: at + 1 };
  if (isInOpenBracket) return syntaxProblems([{ code: 'BLOCK_IN_FLOW', message: '', pos: [at, at + 1] }], text);
  const message =
    brackets > maxDepth / 2
      ? `Brackets are nested deeper than ${maxDepth} levels here. Close the open ones, or remove some.`
      : `Values are nested deeper than ${maxDepth} levels here. Leave some of the levels out.`;
  return [{ code: 'yaml-syntax', severity: 'error', message, range }];
}

/** The library keeps the last of several directives; the standard allows one. */
function repeatedDirective(text: string): readonly Problem[] {
  const directive = '%YAML ';
  let isSaid = false;
  for (let start = text.startsWith('\uFEFF') ? 1 : 0, next: number; start < text.length; start = next) {
    const lineEnd = text.indexOf('\n', start);
    next = lineEnd < 0 ? text.length : lineEnd + 1;
    const isAgain = text.startsWith(directive, start);
    if (isAgain && isSaid) {
      const message = 'The version of YAML is already said above. Remove one of the two.';
      const range = { start, end: start + directive.length };
      return [{ code: 'yaml-syntax', severity: 'error', message, range }];
    }
    isSaid ||= isAgain;
    if (!/^(?:[%#]|\s*$)/.test(text.slice(start, next))) break;
  }
  return [];
}

/** Range of a node's value, without trailing comments and blank lines. */
export function rangeOf(node: Node): SourceRange {
  const range = node.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}

/** The node, or its alias target; undefined for an unresolvable alias. */
export function resolveNode(node: unknown, yaml: YamlText): Node | undefined {
  if (!isNode(node)) return undefined;
  return isAlias(node) ? yaml.links.target(node) : node;
}
