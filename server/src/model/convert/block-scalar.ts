import type { SourceCharacter } from './source-character.ts';

interface Line {
  /** Without indentation and line break. */
  readonly text: string;
  readonly start: number;
  /** Position of the line break. */
  readonly end: number;
}

/**
 * The characters of a literal (`|`) or folded (`>`) block scalar by YAML 1.2.2 §8.1, with their positions.
 * @param source the scalar including its header; `start` is the header's document offset.
 * @param value the value of the scalar: an indentation indicator is relative to the parent, which is not in `source`,
 * so the indentation that yields this value is used.
 */
export function blockScalarCharacters(source: string, start: number, value: string): readonly SourceCharacter[] {
  const headerEnd = source.indexOf('\n');
  const [, style, indicators = ''] = /^([|>])([-+1-9]*)/.exec(source) ?? [];
  if (headerEnd < 0) return [];
  const lines = contentLines(source, headerEnd + 1, start);
  const first = lines.find(({ text }) => text.trim() !== '');
  const most = first ? first.text.search(/[^ ]/) : 0;
  const least = /[1-9]/.test(indicators) ? 0 : most;
  for (let indent = most; indent >= least; indent -= 1) {
    const placed = readLines(lines, indent, style === '>', indicators);
    if (placed.map(({ character }) => character).join('') === value) return placed;
  }
  return [];
}

function readLines(
  lines: readonly Line[],
  indent: number,
  isFolded: boolean,
  indicators: string,
): readonly SourceCharacter[] {
  const stripped = lines.map((line) => stripIndent(line, indent));
  const contentEnd = stripped.findLastIndex(({ text }) => text !== '') + 1;
  const content = stripped.slice(0, contentEnd);
  const placed = isFolded ? folded(content) : literal(content);
  return [...placed, ...chomped(indicators, content, stripped.slice(contentEnd))];
}

function contentLines(source: string, from: number, start: number): readonly Line[] {
  const lines: Line[] = [];
  for (let at = from; at < source.length;) {
    const lineBreak = source.indexOf('\n', at);
    const end = lineBreak < 0 ? source.length : lineBreak;
    const text = source.slice(at, end).replace(/\r$/, '');
    lines.push({ text, start: start + at, end: start + at + text.length });
    at = end + 1;
  }
  return lines;
}

function stripIndent(line: Line, indent: number): Line {
  const spaces = line.text.search(/[^ ]|$/);
  const removed = Math.min(spaces, indent);
  return { text: line.text.slice(removed), start: line.start + removed, end: line.end };
}

function literal(lines: readonly Line[]): readonly SourceCharacter[] {
  return lines.flatMap((line, index) => [
    ...characters(line),
    ...(index < lines.length - 1 ? [{ character: '\n', offset: line.end }] : []),
  ]);
}

/** Single line breaks between ordinary lines become blanks; those next to indented and empty lines are kept. */
function folded(lines: readonly Line[]): readonly SourceCharacter[] {
  const placed: SourceCharacter[] = [];
  let separator = '';
  let separatorAt = 0;
  let afterIndented = false;
  for (const line of lines) {
    if (line.text === '') {
      if (separator === '\n') placed.push({ character: '\n', offset: separatorAt });
      separator = '\n';
    } else {
      const indented = /^[ \t]/.test(line.text);
      if (indented && separator === ' ') separator = '\n';
      else if (indented && !afterIndented && separator === '\n' && placed.length > 0) separator = '\n\n';
      for (const character of separator) placed.push({ character, offset: separatorAt });
      placed.push(...characters(line));
      separator = indented ? '\n' : ' ';
      afterIndented = indented;
    }
    separatorAt = line.end;
  }
  return placed;
}

function chomped(indicators: string, content: readonly Line[], trailing: readonly Line[]): readonly SourceCharacter[] {
  if (indicators.includes('-')) return [];
  const breaks = indicators.includes('+') ? [...content.slice(-1), ...trailing] : content.slice(-1);
  return breaks.map(({ end }) => ({ character: '\n', offset: end }));
}

function characters(line: Line): readonly SourceCharacter[] {
  return Array.from({ length: line.text.length }, (_, index) => ({
    character: line.text.charAt(index),
    offset: line.start + index,
  }));
}
