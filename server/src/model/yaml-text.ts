import { Document, type Node, type ParsedNode, isAlias, isNode, parseDocument } from 'yaml';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import { syntaxProblems } from './syntax-mistakes.ts';
import type { YamlSection } from './yaml-chunks.ts';

/** A YAML 1.2 (or JSON) text taken apart. */
export interface YamlText {
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
  /** Syntax errors, code `yaml-syntax`. */
  readonly problems: readonly Problem[];
  /**
   * The parts of the text that could not be read, when everything else could be all the same. Absent where a mistake
   * makes the meaning of the whole text uncertain, and where entries may have aliases of what stands elsewhere.
   */
  readonly broken?: readonly SourceRange[];
  /** The parts that it was read in; absent when it was read as a whole. */
  readonly sections?: readonly YamlSection[];
}

/**
 * What every document is read with. The library writes its warnings to the process; with 'silent' it would also keep quiet
 * about a second document.
 */
export const yamlOptions = { version: '1.2', logLevel: 'error' } as const;

/** Parses a text, however broken; never throws. */
export function parseYaml(text: string): YamlText {
  const tooDeep = depthExceeded(text);
  if (tooDeep !== undefined) return unread(text, tooDeep);
  const document = parseDocument<ParsedNode>(text, { ...yamlOptions, prettyErrors: false });
  // Keys without a name are no typing error of somebody who names things.
  const errors = document.errors.filter(({ code, pos }) => code !== 'DUPLICATE_KEY' || text[pos[0]] !== ':');
  const problems = [...syntaxProblems(errors, text), ...repeatedDirective(text)];
  return { text, document: document as Document.Parsed<ParsedNode>, problems };
}

/**
 * The bracket that is nested deeper than anybody writes. The library calls itself for each: near the end of the stack
 * engines do not throw everywhere, they may end the process where a regular expression is compiled.
 */
function depthExceeded(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === openingBracket || sign === openingBrace) depth += 1;
    else if ((sign === closingBracket || sign === closingBrace) && depth > 0) depth -= 1;
    if (depth > deepest) return at;
  }
  return undefined;
}

const [openingBracket, closingBracket, openingBrace, closingBrace] = [91, 93, 123, 125];
const deepest = 300;

function unread(text: string, at: number): YamlText {
  const message = `Brackets are nested deeper than ${deepest} levels here. Close those that are open, or leave some out.`;
  const document = new Document(null, yamlOptions) as unknown as YamlText['document'];
  return {
    text,
    document,
    problems: [{ code: 'yaml-syntax', severity: 'error', message, range: { start: at, end: at + 1 } }],
  };
}

/** The library takes the last of several; the standard allows one. */
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
