import { withBrokenList } from './broken-lists.ts';
import { isMisplacedKey, mayBeMisplaced } from './misplaced-key.ts';
import { preludeEnd } from './yaml-prelude.ts';
import type { SourceRange } from './source-range.ts';
import type { YamlSection } from './yaml-section.ts';

/**
 * The parts of a text that can be parsed on their own, because nothing in one can change what another means. Undefined
 * when the text is not made of top-level keys in block style, or has tags or several documents. What an alias in
 * one of them stands for may be in another one (`YamlLinks`).
 */
export function yamlSections(text: string): readonly YamlSection[] | undefined {
  const prelude = preludeEnd(text);
  if (prelude === undefined || notSeparable.test(prelude === 0 ? text : text.slice(prelude))) return undefined;
  const sections: YamlSection[] = [];
  let open: OpenSection | undefined;
  /** Where a broken first line begins, which is read with the key below it. */
  let broken: number | undefined;
  for (let start = prelude; start < text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    const first = text.charCodeAt(start);
    // Blank lines, comments and indented lines belong to what is open.
    if (first !== space && first !== hash && first !== newline && first !== carriageReturn) {
      const line = text.slice(start, end);
      if (first === dash && /^-([\t\r\n ]|$)/.test(line)) {
        if (open) open.take(start, line, 0);
        else if (misplacedKey.test(line) || brokenWord.test(line)) broken ??= start;
        else return undefined;
      } else if (topLevelKey.test(line)) {
        const isTentative = open?.isIndentedList() === true && mayBeMisplaced(line);
        if (!isTentative || !isMisplacedKey(text, start, line)) {
          if (open) sections.push(open.close(start));
          open = openSection(sections.length === 0 && prelude > 0 ? 0 : (broken ?? start), line);
          if (broken !== undefined) open.doubt();
          broken = undefined;
        }
        if (isTentative) open?.doubt();
      } else if (!open) {
        if (!brokenWord.test(line)) return undefined;
        broken ??= start;
      } else if (mayBeKey.test(line) && !noKey.test(line)) return undefined;
      // Anything else is a mistake, told by the part that it stands in; the parts around it stay whole.
    } else if (first === space && open) {
      const indent = indentAt(text, start, end);
      if (indent !== undefined) open.take(start, text.slice(start + indent, start + indent + 2), indent);
    } else if (first === space && !open && indentAt(text, start, end) !== undefined) {
      if (!misplacedKey.test(text.slice(start, end))) return undefined;
      broken ??= start;
    }
    start = end;
  }
  if (broken !== undefined || (!open && prelude > 0)) return undefined;
  if (open) sections.push(open.close(text.length));
  return sections.flatMap((section) => withBrokenList(text, section));
}

const [space, hash, newline, carriageReturn, dash] = [32, 35, 10, 13, 45];

/** Tags may be said at the start for all of a text; marks between documents are about the whole text. */
const notSeparable = /^(?:---|\.\.\.)|(?:^ *|[:,[{-] +)!(?!=)|^\uFEFF|\r(?!\n)/m;

/** Whether a text may have aliases, which mean nothing without what they stand for. */
export function hasAliases(text: string): boolean {
  return /(?:^ *|[:,?-] +|[[{] *)\*[^\t\r\n ,[\]{}]/m.test(text);
}

/** A dash, a colon or a number sign is part of a key where no blank makes it more than that. Blanks of YAML are space and tab alone. */
const topLevelKey =
  /^(?:(?:[^\t\r\n #\-[\]{}"'|>@`?,:&*!%]|-(?=[^\t\r\n ]))(?:[^:#]|:(?=[^\t\r\n ])|(?<=[^\t\r\n ])#)*|"[^"\\]*"|'[^']*'):(?:[\t\r\n ]|$)/;

/** Rare forms of keys: in brackets, in quotes over several lines, empty, or marked as such. */
const mayBeKey = /^[?:[{"'&*!]/;

/** A word that cannot stand above a key of the file: it is indented, or has a dash. */
const misplacedKey = /^(?: +(?:- +)?|- +)\w[^"'[\]{}&*!|>?#]*$/;

/**
 * What begins like a rare form of a key and is none: a key stands on one line, with its colon. A quote or bracket that is left
 * open, or that no colon follows, is a mistake whatever comes below it; so is an alias without a colon.
 */
const noKey = /^(?:["'][^"']*|"[^"\\]*"[\t\r\n ]*|'[^']*'[\t\r\n ]*|[[{][^:]*|\*\w+[\t\r\n ]*)$/;

/** Words above the first key, without a colon: they would be part of a key over several lines, which there is not. */
const brokenWord = /^(?:-{1,2}[\t\r\n ]*|-{0,2}\w[^:"'[\]{}&*!|>?#%@`]*)$/;

interface OpenSection {
  /** A line that is no comment and not blank: where it begins, its first signs, and its indentation. */
  take(start: number, content: string, indent: number): void;
  /** It is a list so far, with blanks before its dashes. */
  isIndentedList(): boolean;
  /** It has, or is, what may belong to an entry above. */
  doubt(): void;
  close(end: number): YamlSection;
}

function openSection(start: number, line: string): OpenSection {
  const value = line.slice(line.indexOf(':') + 1).replace(/(?:^|[\t\r\n ])#.*$/, '');
  /** Undefined until the first line below the key tells. */
  let listIndent: number | undefined;
  let separable = /^[\t\r\n ]*$/.test(value);
  let isTentative = false;
  const starts: number[] = [];
  return {
    isIndentedList: () => separable && (listIndent ?? 0) > 0,
    doubt() {
      isTentative = true;
    },
    take(at, content, indent) {
      if (!separable) return;
      const isEntry = /^-([\t\r\n ]|$)/.test(content);
      if (listIndent === undefined) {
        if (isEntry) listIndent = indent;
        else separable = false;
      }
      if (isEntry && indent === listIndent) starts.push(at);
      // Anything else that is indented no deeper than the dashes is a mistake, told by the entry that it stands below; but
      // a lone value of a key goes on with the whole list.
      else if (content.startsWith(':') && indent <= (listIndent ?? 0)) separable = false;
    },
    close(end) {
      const doubt = isTentative ? ({ isTentative } as const) : {};
      if (!separable || starts.length === 0) return { start, end, ...doubt };
      const items = starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end }));
      return { start, end, items, indent: listIndent ?? 0, ...doubt };
    },
  };
}

/** The indentation of a line; undefined when it is blank or a comment. */
function indentAt(text: string, start: number, end: number): number | undefined {
  let at = start;
  while (at < end && text.charCodeAt(at) === space) at += 1;
  const sign = text.charCodeAt(at);
  return at >= end || sign === newline || sign === carriageReturn || sign === hash ? undefined : at - start;
}

/** The entries of a piece of a list that begins with the dash of one; undefined when something else is in it. */
export function splitItems(
  region: string,
  start: number,
  indent: number | undefined,
): readonly SourceRange[] | undefined {
  const key = 'elements:\n';
  const [section, ...others] = yamlSections(`${key}${region}`) ?? [];
  const [first] = section?.items ?? [];
  // An entry that is indented otherwise than the others is none of them.
  const isWhole = first?.start === key.length && others.length === 0 && section?.indent === indent;
  if (!section?.items || !isWhole || section.isTentative) return undefined;
  const distance = start - key.length;
  return section.items.map((item) => ({ start: item.start + distance, end: item.end + distance }));
}
