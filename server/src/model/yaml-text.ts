import { type Document, type Node, type ParsedNode, isAlias, isNode, parseDocument } from 'yaml';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import type { YamlSection } from './yaml-chunks.ts';

/** A YAML 1.2 (or JSON) text taken apart. */
export interface YamlText {
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
  /** Syntax errors, code `yaml-syntax`. */
  readonly problems: readonly Problem[];
  /**
   * The parts of the text that could not be read, when everything else could be all the same. Absent where a mistake
   * makes the meaning of the whole text uncertain.
   */
  readonly broken?: readonly SourceRange[];
  /** The parts that it was read in; absent when it was read as a whole. */
  readonly sections?: readonly YamlSection[];
}

/** Parses a text, however broken; never throws. */
export function parseYaml(text: string): YamlText {
  const document = parseDocument<ParsedNode>(text, {
    version: '1.2',
    prettyErrors: false,
    // With 'silent' the library would also keep quiet about a second document.
    logLevel: 'error',
  });
  // Keys without a name are no typing error of somebody who names things.
  const errors = document.errors.filter(({ code, pos }) => code !== 'DUPLICATE_KEY' || text[pos[0]] !== ':');
  const problems = errors.map(({ pos, code, message }): Problem => ({
    code: 'yaml-syntax',
    severity: 'error',
    message: sentence(hints[isUnclosed(message) ? 'BLOCK_IN_FLOW' : code] ?? message),
    range: onOneLine(text, pos[0], pos[1]),
  }));
  problems.push(...repeatedDirective(text));
  return { text, document: document as Document.Parsed<ParsedNode>, problems };
}

/** The library takes the last of several; the standard allows one. */
function repeatedDirective(text: string): readonly Problem[] {
  const again = /^\uFEFF?(?:[%#].*\r?\n|\s*\r?\n)*?%YAML .*\r?\n(?:[%#].*\r?\n|\s*\r?\n)*?(%YAML )/.exec(text);
  if (!again) return [];
  const end = again[0].length;
  const message = 'The version of YAML is already said above. Remove one of the two.';
  return [{ code: 'yaml-syntax', severity: 'error', message, range: { start: end - '%YAML '.length, end } }];
}

/** Some errors reach over many lines, which would all be underlined; what is missing at the end is placed behind it. */
function onOneLine(text: string, from: number, to: number): SourceRange {
  const start = Math.min(from, text.length);
  const end = Math.min(Math.max(from, to), text.length);
  const lineEnd = /[\r\n]/.exec(text.slice(start, end))?.index;
  return { start, end: lineEnd === undefined ? end : start + lineEnd };
}

/** The library calls a bracket that is never closed a matter of indentation as well. */
function isUnclosed(message: string): boolean {
  return /and end with a [\]}]/.test(message);
}

/** What a person can do about the errors that people really make. */
const hints: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'YAML is indented with spaces, not with tabs. Replace the tab by spaces.',
  DUPLICATE_KEY: 'This key is already set above. Remove one of the two.',
  MULTIPLE_DOCS:
    'A file holds one document. Remove the "---" line and what follows it, or move that to a file of its own.',
  BAD_INDENT: 'This line is indented differently from its neighbours. Align it with the entries that it belongs to.',
  MISSING_CHAR: 'A character is missing here: check the closing quotes, brackets and the space after ":" and "-".',
  BLOCK_IN_FLOW: 'A bracket or brace above is never closed. Close it, or write its entries on lines of their own.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested entry cannot start on the line of its key. Move it to the next line, indented, or put the value in quotes.',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line and be followed by ":". Add the ":" or put the text in quotes.',
  BAD_ALIAS: 'This name after "*" is not an anchor of the file. Put the value in quotes when it starts with "*".',
};

/** The problem of a key that is set twice; `offset` is where it stands the second time. */
export function duplicateKey(offset: number, length: number): Problem {
  const message = hints['DUPLICATE_KEY'] ?? '';
  return { code: 'yaml-syntax', severity: 'error', message, range: { start: offset, end: offset + length } };
}

function sentence(message: string): string {
  const trimmed = message.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Where a node's value stands, trailing comments and blank lines left out. */
export function rangeOf(node: Node): SourceRange {
  const range = node.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}

/** The node itself, or what its alias stands for; undefined for an alias that leads nowhere. */
export function resolveNode(node: unknown, yaml: YamlText): Node | undefined {
  if (!isNode(node)) return undefined;
  return isAlias(node) ? node.resolve(yaml.document) : node;
}
