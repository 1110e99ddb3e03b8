import { keysIn, listOfKeys } from './entry-keys.ts';
import { beginsEntry, kindOfValue, mayStayOpen } from './misplaced-key.ts';
import type { YamlSection } from './yaml-section.ts';
import { preludeEnd } from './yaml-prelude.ts';

/**
 * Recovers the list of a section that is hidden by an error in the line above it or in its first entry. Applied only if
 * those lines are certainly an error that stays local, so that valid text is never parsed differently.
 */
export function withBrokenList(text: string, section: YamlSection): readonly YamlSection[] {
  if (section.items && section.items.length > 1) return [section];
  const keyStart = section.start === 0 ? (preludeEnd(text) ?? 0) : section.start;
  const lineEnd = text.indexOf('\n', keyStart) + 1;
  const line = text.slice(keyStart, lineEnd || section.end).trimEnd();
  const [, key = '', written = ''] = /^([^\s"']+?):(?:\s+(.*))?$/.exec(line) ?? [];
  if (lineEnd === 0 || lineEnd >= section.end) return [section];
  const value = written.replace(/(?:^|\s)#.*$/, '').trim();
  const isList = key === 'elements' || key === 'relationships';
  if (isList && value === '') return [belowFirst(text, section, lineEnd) ?? section];
  const isSaid = kindOfValue(value) === 'said' || (isList && /^(?:[[{]|\*\w+)$/.test(value));
  return isSaid ? behindValue(text, section, lineEnd) : [section];
}

/** The list of a key whose first entry has a different indentation, or no dash. */
function belowFirst(text: string, section: YamlSection, from: number): YamlSection | undefined {
  const lines = contentLines(text, from, section.end);
  const at = lines.findIndex(({ indent, content }) => indent > 0 || content.startsWith('- '));
  const [first, second] = lines.slice(at);
  if (at < 0 || !first) return undefined;
  const isDash = first.content.startsWith('- ');
  if (!isDash && !/^\w/.test(first.content)) return undefined;
  // An entry with a single value followed by a deeper key is an error, wherever the others start.
  const value = /^- +[\w-]+: +(\w.*)$/.exec(first.content);
  const isBroken = isDash && value && second && beginsEntry.test(second.content) && second.indent > first.indent + 2;
  const next = lines
    .slice(at + 1)
    .find(
      ({ indent, content }) =>
        isHead(content) && (indent < first.indent || (isBroken && indent > first.indent && indent < second.indent)),
    );
  if (!next || mayStayOpen(text.slice(first.start, next.start))) return undefined;
  const [, ...starts] = startsOf(lines, next);
  if (starts.length === 0) return undefined;
  return withItems(section, [section.items?.[0]?.start ?? from, ...starts], next.indent);
}

/** A list below a value, whose key is missing or unreadable. Its first entry belongs to the error. */
function behindValue(text: string, section: YamlSection, from: number): readonly YamlSection[] {
  const lines = contentLines(text, from, section.end);
  const next = lines.find(({ indent, content }) => indent > 0 && isHead(content));
  // The unindented line is the error; brackets opened in it are ignored.
  const above = lines.filter(({ start, indent }) => next && start < next.start && indent > 0);
  if (!next || mayStayOpen(above.map(({ content }) => content).join('\n'))) return [section];
  const [, start, ...others] = startsOf(lines, next);
  if (start === undefined) return [section];
  const key = listOfKeys(keysIn(text.slice(start, others[0] ?? section.end)));
  if (!key) return [section];
  return [
    { start: section.start, end: start, isTentative: true },
    { ...withItems({ start, end: section.end }, [start, ...others], next.indent), key },
  ];
}

function withItems({ start, end }: YamlSection, starts: readonly number[], indent: number): YamlSection {
  const items = starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end }));
  return { start, end, items, indent, isTentative: true };
}

interface Line {
  readonly start: number;
  readonly indent: number;
  readonly content: string;
}

function isHead(content: string): boolean {
  return content.startsWith('- ') && beginsEntry.test(content);
}

function startsOf(lines: readonly Line[], first: Line): readonly number[] {
  return lines.flatMap(({ start, indent, content }) =>
    start >= first.start && indent === first.indent && /^-(?:[\t\r\n ]|$)/.test(content) ? [start] : [],
  );
}

/** The lines of a part, without comments and blank lines. */
function contentLines(text: string, from: number, until: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = from; start < until;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 || lineBreak >= until ? until : lineBreak + 1;
    const line = text.slice(start, end).trimEnd();
    const indent = line.search(/[^ ]/);
    if (indent >= 0 && line.charAt(indent) !== '#') lines.push({ start, indent, content: line.slice(indent) });
    start = end;
  }
  return lines;
}
