import { withBrokenList } from './broken-lists.ts';
import { isMisplacedKey, mayBeMisplaced } from './misplaced-key.ts';
import { preludeEnd } from './yaml-prelude.ts';
import type { SourceRange } from './source-range.ts';
import type { YamlSection } from './yaml-section.ts';

/**
 * Splits a text into parts that can be parsed independently. Undefined if the text is not a block mapping, or has tags
 * or several documents. Aliases may refer to other parts (`YamlLinks`).
 */
export function yamlSections(text: string): readonly YamlSection[] | undefined {
  const prelude = preludeEnd(text);
  if (prelude === undefined || notSeparable.test(prelude === 0 ? text : text.slice(prelude))) return undefined;
  const sections: YamlSection[] = [];
  let open: OpenSection | undefined;
  /** Start of an invalid first line, which is parsed with the next key. */
  let broken: number | undefined;
  for (let start = prelude; start < text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    const first = text.charCodeAt(start);
    // Blank lines, comments and indented lines belong to the open part.
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
      // Other lines are errors reported in their part; the surrounding parts stay intact.
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

/** Tag directives apply to the whole text, and so do document markers. */
const notSeparable = /^(?:---|\.\.\.)|(?:^ *|[:,[{-] +)!(?!=)|^\uFEFF|\r(?!\n)/m;

/** Whether a text may have aliases, which need their anchors. */
export function hasAliases(text: string): boolean {
  return /(?:^ *|[:,?-] +|[[{] *)\*[^\t\r\n ,[\]{}]/m.test(text);
}

/** Dash, colon and number sign need an adjacent blank to be indicators. YAML blanks are space and tab only. */
const topLevelKey =
  /^(?:(?:[^\t\r\n #\-[\]{}"'|>@`?,:&*!%]|-(?=[^\t\r\n ]))(?:[^:#]|:(?=[^\t\r\n ])|(?<=[^\t\r\n ])#)*|"[^"\\]*"|'[^']*'):(?:[\t\r\n ]|$)/;

/** Unusual keys: in brackets, multi-line quotes, empty, or explicit (`?`). */
const mayBeKey = /^[?:[{"'&*!]/;

/** A word that cannot precede a top-level key: it is indented, or has a dash. */
const misplacedKey = /^(?: +(?:- +)?|- +)\w[^"'[\]{}&*!|>?#]*$/;

/**
 * An apparent unusual key that is none: a key is on one line with its colon. An unclosed quote or bracket, or one
 * without a colon, is an error whatever follows; so is an alias without a colon.
 */
const noKey = /^(?:["'][^"']*|"[^"\\]*"[\t\r\n ]*|'[^']*'[\t\r\n ]*|[[{][^:]*|\*\w+[\t\r\n ]*)$/;

/** Words before the first key without a colon, which would be part of an invalid multi-line key. */
const brokenWord = /^(?:-{1,2}[\t\r\n ]*|-{0,2}\w[^:"'[\]{}&*!|>?#%@`]*)$/;

interface OpenSection {
  /** A line that is neither comment nor blank: start, first characters, and indentation. */
  take(start: number, content: string, indent: number): void;
  /** A list so far, with indented dashes. */
  isIndentedList(): boolean;
  /** Contains, or is, a possible continuation of the entry above. */
  doubt(): void;
  close(end: number): YamlSection;
}

function openSection(start: number, line: string): OpenSection {
  const value = line.slice(line.indexOf(':') + 1).replace(/(?:^|[\t\r\n ])#.*$/, '');
  /** Undefined until the first line below the key is known. */
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
      // Anything else with at most the indentation of the dashes is an error of the entry above; but a single value of
      // a key continues with the whole list.
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

/** The indentation of a line; undefined for blank lines and comments. */
function indentAt(text: string, start: number, end: number): number | undefined {
  let at = start;
  while (at < end && text.charCodeAt(at) === space) at += 1;
  const sign = text.charCodeAt(at);
  return at >= end || sign === newline || sign === carriageReturn || sign === hash ? undefined : at - start;
}

/** The entries of a list that starts at a dash; undefined for other content. */
export function splitItems(
  region: string,
  start: number,
  indent: number | undefined,
): readonly SourceRange[] | undefined {
  const key = 'elements:\n';
  const [section, ...others] = yamlSections(`${key}${region}`) ?? [];
  const [first] = section?.items ?? [];
  // An entry with a different indentation is separate.
  const isWhole = first?.start === key.length && others.length === 0 && section?.indent === indent;
  if (!section?.items || !isWhole || section.isTentative) return undefined;
  const distance = start - key.length;
  return section.items.map((item) => ({ start: item.start + distance, end: item.end + distance }));
}

/**
 * Replaces lists by comments, which makes parsing much faster; offsets outside are unchanged. The same text if lists
 * cannot be separated without parsing.
 */
export function withoutLists(text: string): string {
  // An anchor for an alias above may be in an entry.
  const sections = hasAliases(text) ? undefined : yamlSections(text);
  let kept = '';
  let end = 0;
  for (const section of sections ?? []) {
    if (!section.items) continue;
    kept += text.slice(end, section.start) + text.slice(section.start, section.end).replace(/[^\r\n]+/g, hidden);
    end = section.end;
  }
  return kept + text.slice(end);
}

/** Blanks could be part of a scalar above. */
function hidden(line: string): string {
  return '#'.repeat(line.length);
}
