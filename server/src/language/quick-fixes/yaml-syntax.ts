import type { TextEdit } from '../../model/edits/text-edit.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { type MergeConflict, mergeConflicts } from '../../model/merge-conflicts.ts';
import { createIncrementalYaml } from '../../model/incremental-yaml.ts';
import { openBrackets } from '../../model/open-brackets.ts';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, parseYaml } from '../../model/yaml-text.ts';
import { isStructured, isTopLevel } from '../schema/field-names.ts';
import { isJson } from '../json-text.ts';
import { missingDashes } from './add-dash.ts';
import { isJsonText, jsonAttempts, type Attempt } from './json-syntax.ts';
import { insertKeyLine } from './insert-list-key.ts';
import { type Fix, type QuickFix, fixByChoice, fixOfSyntax } from './quick-fix.ts';

/** Fixes syntax errors: candidate edits are offered if the text becomes readable. */
export const fixSyntax: QuickFix = {
  codes: ['yaml-syntax'],
  fixes: (problem, { parsed }) => syntaxFixes(problem, parsed.yaml),
};

/** Maximum text length, because candidates require repeated parsing. */
const longestText = 60_000;
const maxFixes = 2;

export function syntaxFixes(problem: Problem, yaml: YamlText): readonly Fix[] {
  const { range } = problem;
  const conflict = mergeConflicts(yaml.text).find(({ mark }) => mark.start === range.start);
  if (conflict) return sidesOf(conflict, yaml);
  const line = insertKeyLine(range.start, yaml);
  if (line.length > 0) return line;
  const parts = isKeyOfFile(range, yaml.text) ? undefined : yaml.broken;
  const part = parts?.find(({ start, end }) => start <= range.start && range.start <= end);
  const from = part?.start ?? 0;
  const text = yaml.text.slice(from, part?.end);
  if (text.length > longestText) return [];
  const before = parseYaml(text).problems.length;
  const place: Place = { text, at: range.start - from, end: range.end - from };
  // The reference may be intended as text, so it is quoted.
  const all = before === 0 ? quoteValue(place) : attempts(place);
  const tried = [...all].map((attempt) => ({
    ...attempt,
    left: parseYaml(applyEdits(text, attempt.edits)).problems.length,
  }));
  // There may be another error after the first one.
  const whole = tried.filter(({ left }) => left === 0);
  const mended = whole.length > 0 ? whole : tried.filter(({ left }) => left < before);
  const better = isJson(text) ? inJson(place, mended) : mended;
  const inWhole = better.map((attempt) => ({ ...attempt, edits: attempt.edits.map((edit) => moved(edit, from)) }));
  const useful = inWhole.filter(({ edits }) => before === 0 || !staysWith(edits, problem, yaml.text));
  const distinct = useful.filter(({ title }, index) => useful.findIndex((other) => other.title === title) === index);
  return distinct
    .flatMap(({ title, edits, isGuess = false }, index) =>
      fixOfSyntax({ title, preferred: index === 0 && !isGuess }, yaml, edits),
    )
    .slice(0, maxFixes);
}

/** Whether the same error remains in or before the changed part of the whole text. */
function staysWith(edits: readonly TextEdit[], { message, range }: Problem, text: string): boolean {
  if (text.length > longestText) return false;
  const after = applyEdits(text, edits);
  const last = range.end + Math.max(0, after.length - text.length);
  return createIncrementalYaml()
    .parse(after)
    .problems.some((other) => other.message === message && other.range.start <= last);
}

/** Fixes for JSON files; repairs that only YAML accepts are uncertain. */
function inJson(place: Place, mended: readonly Attempt[]): readonly Attempt[] {
  const right = mended.filter(({ edits }) => isJsonText(applyEdits(place.text, edits)));
  const missing = right.length > 0 ? right : jsonAttempts(place.text, place.at);
  return missing.length > 0 ? missing : mended.map((attempt) => ({ ...attempt, isGuess: true }));
}

/** Only the user knows which side is right. */
function sidesOf({ sides }: MergeConflict, yaml: YamlText): readonly Fix[] {
  if (!sides) return [];
  const { whole, current, incoming } = sides;
  return [
    ...fixByChoice({ title: 'Accept the current change' }, yaml, [{ range: whole, newText: current }]),
    ...fixByChoice({ title: 'Accept the incoming change' }, yaml, [{ range: whole, newText: incoming }]),
  ];
}

interface Place {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Candidate edits per kind of error, the most likely first. */
function attempts(place: Place): Iterable<Attempt> {
  const { text, at, end } = place;
  const sign = text.slice(at, end);
  if (/^[ \t]*\t/.test(sign)) return tabs(place);
  if (sign === '[' || sign === '{') return [...closeBracket(place), ...addComma(place)];
  if (sign === '"' || sign === "'") return [...closeQuote(place), ...addComma(place)];
  if (sign === ']' || sign === '}')
    return [{ title: `Remove "${sign}"`, edits: [{ range: { start: at, end }, newText: '' }] }];
  return others(place);
}

function* others(place: Place): Generator<Attempt> {
  yield* plainSpaces(place);
  yield* removeRepeatedKey(place);
  yield* addDash(place);
  yield* addComma(place);
  // Line structure and unquoted words have no meaning in JSON.
  if (/^\s*\{/.test(place.text)) return;
  yield* addColon(place);
  yield* quoteInBrackets(place);
  yield* quoteValue(place);
  yield* align(place);
}

/** Replaces tabs by spaces: aligned with neighbours, or by tab width. */
function* tabs({ text, at }: Place): Generator<Attempt> {
  const title = 'Replace the tabs by spaces';
  // Includes the lines below, because a list may be indented with tabs too.
  if (isAtTop(text, at)) {
    for (const width of [2, 4, 0]) yield { title, edits: [indent(text, at, 0), ...spaces(text, width, at)] };
  }
  for (const column of neighbourColumns(text, at)) yield { title, edits: [indent(text, at, column)] };
  for (const width of [2, 4, 8]) yield { title, edits: spaces(text, width) };
}

/**
 * With a tab or without its colon, a top-level key is parsed as part of the entry above, so the fix is applied at the
 * file level.
 */
function isKeyOfFile({ start, end }: Problem['range'], text: string): boolean {
  const line = text.slice(lineStartAt(text, start), lineEndAt(text, start)).slice(0, maxBlanks);
  const isBare = /^[\w-]+\s*(?:#.*)?$/.test(line);
  return (isBare || text.slice(start, end).includes('\t')) && isAtTop(text, start);
}

/** Whether the key on an offset's line is a top-level one. */
function isAtTop(text: string, at: number): boolean {
  const start = lineStartAt(text, at);
  return isTopLevel(/^[ \t]*([\w-]+)(?:[ \t]*:|\s*$|\s+#)/m.exec(text.slice(start, start + maxBlanks))?.[1] ?? '');
}

const maxBlanks = 200;

/** Replaces leading tabs on all lines but that of an offset. */
function spaces(text: string, width: number, but?: number): readonly TextEdit[] {
  const except = but === undefined ? -1 : lineStartAt(text, but);
  return [...text.matchAll(/^[ \t]*\t[ \t]*/gm)]
    .filter(({ index }) => index !== except)
    .map(({ index, 0: blanks }) => ({
      range: { start: index, end: index + blanks.length },
      newText: blanks.replaceAll('\t', ' '.repeat(width)),
    }));
}

function* closeBracket({ text, at }: Place): Generator<Attempt> {
  for (const { end, closer } of openBrackets(text).filter((open) => open.at === at)) {
    yield { title: `Close the bracket with "${closer}"`, edits: [insert(end, `${gapBehind(text, at)}${closer}`)] };
  }
}

/** Moves the closing bracket after the content. */
function gapBehind(text: string, at: number): string {
  const [gap = ''] = /^(?: |\r?\n)?/.exec(text.slice(at + 1, at + 3)) ?? [];
  const lineStart = lineStartAt(text, at);
  return gap.endsWith('\n') ? `${gap}${/^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? ''}` : gap;
}

/** Before a comma or bracket after the first word, else at the line end. */
function* closeQuote({ text, at, end }: Place): Generator<Attempt> {
  const quote = text.slice(at, end);
  const rest = text
    .slice(end, lineEndAt(text, end))
    .replace(/\s#.*$/, '')
    .trimEnd();
  const separator = /\s*[,\]}]/.exec(rest);
  const title = 'Close the quote';
  const isInBrackets = /[[{]/.test(text.slice(lineStartAt(text, at), at)) || /^\s*\{/.test(text);
  if (separator && isInBrackets) yield { title, edits: [insert(end + separator.index, quote)] };
  yield { title, edits: [insert(end + rest.length, quote)] };
}

/** Unicode spaces, as inserted by word processors and web pages, are not blanks in YAML. */
function* plainSpaces({ text, at }: Place): Generator<Attempt> {
  const start = lineStartAt(text, at);
  const blanks = /^[\s-]*(?:[\w"'-]+:\s+)?/.exec(text.slice(start, lineEndAt(text, at)))?.[0] ?? '';
  const newText = blanks.replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ');
  if (newText === blanks) return;
  const range = { start, end: start + blanks.length };
  yield { title: 'Replace the non-breaking space by a space', edits: [{ range, newText }] };
}

/** Removes an identical duplicate line; different values require a decision. */
function* removeRepeatedKey({ text, at, end }: Place): Generator<Attempt> {
  const start = lineStartAt(text, at);
  const after = Math.min(lineEndAt(text, at) + 1, text.length);
  const key = text.slice(at, end);
  const isAlone = text.slice(start, at).trim() === '' && /^\s*:\s*\S/.test(text.slice(end));
  if (!isAlone || columnAt(text, after) > at - start) return;
  if (!isRepeated(text.slice(0, start), key, at - start)) return;
  const line = text.slice(start, after).trim();
  const isSame = text
    .slice(0, start)
    .split('\n')
    .some((other) => other.trim().replace(/^- +/, '') === line);
  yield { title: `Remove this "${key}"`, edits: [{ range: { start, end: after }, newText: '' }], isGuess: !isSame };
}

/** Whether a key exists in preceding lines of the object at this column. */
function isRepeated(above: string, key: string, column: number): boolean {
  for (const line of above.split('\n').reverse()) {
    const [, blanks = '', dashes = '', name = ''] = /^( *)((?:- +)*)("[^"]*"|'[^']*'|[^\s:#]*)/.exec(line) ?? [];
    if (name === '') continue;
    if (name === key && blanks.length + dashes.length === column) return true;
    if (blanks.length < column) return false;
  }
  return false;
}

function columnAt(text: string, lineStart: number): number {
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0].length ?? 0;
}

function* addComma({ text, at }: Place): Generator<Attempt> {
  const before = text.slice(0, at).trimEnd();
  if (/[^\s,[{:]$/.test(before)) yield { title: 'Add ","', edits: [insert(before.length, ',')] };
}

/** A key without a colon, or without a blank after it; or a dash without a blank. */
function* addColon({ text, at }: Place): Generator<Attempt> {
  const start = lineStartAt(text, at);
  for (const from of new Set([start, lineStartAt(text, Math.max(0, start - 1))])) {
    const line = text.slice(from, lineEndAt(text, from));
    const lead = /^\s*(?:- +)?/.exec(line)?.[0].length ?? 0;
    const glued = /^("?[A-Za-z_][\w-]*"?):(?=\S)/.exec(line.slice(lead));
    if (glued) yield { title: 'Put a space behind ":"', edits: [insert(from + lead + glued[0].length, ' ')] };
    const dash = /^(\s*)-(?=[A-Za-z"'[{])/.exec(line);
    if (dash) yield { title: 'Put a space behind "-"', edits: [insert(from + dash[0].length, ' ')] };
    const bare = /^([A-Za-z_][\w-]*)(?=\s|$)/.exec(line.slice(lead));
    const name = bare?.[1] ?? '';
    if (bare && !line.includes(':')) {
      yield { title: `Add ":" behind "${name}"`, edits: [insert(from + lead + name.length, ':')] };
    }
  }
}

function* addDash({ text, at }: Place): Generator<Attempt> {
  for (const { key, edit } of missingDashes(text, at)) yield { title: `Put a dash before "${key}"`, edits: [edit] };
}

/** In flow style, quotes a value that starts with an indicator, such as `>=`. */
function* quoteInBrackets({ text, at }: Place): Generator<Attempt> {
  const value = /^[>|@`%][^,\]}"\\\r\n]*(?=[,\]}])/.exec(text.slice(at, lineEndAt(text, at)))?.[0].trimEnd();
  if (value === undefined || !/[:,[{]\s*$/.test(text.slice(lineStartAt(text, at), at))) return;
  const range = { start: at, end: at + value.length };
  yield { title: 'Put the value in quotes', edits: [{ range, newText: `"${value}"` }] };
}

/** Quotes a value that starts with an indicator, or contains a colon. */
function* quoteValue({ text, at }: Place): Generator<Attempt> {
  const start = lineStartAt(text, at);
  const line = text.slice(start, lineEndAt(text, start));
  const parts = /^(\s*(?:- +)?(?:[\w-]+:\s+)?)(.*?)(\s+#.*|\s*)$/.exec(line);
  const [, lead = '', value = ''] = parts ?? [];
  // Comments are not values.
  if (value === '' || /^#|["\\]/.test(value)) return;
  const range = { start: start + lead.length, end: start + lead.length + value.length };
  const key = /([\w-]+):\s+$/.exec(lead)?.[1] ?? '';
  // Quoting an unreadable key would hide it and everything below.
  if (key === '' && /:(?:\s|$)/.test(value)) return;
  // Quoting must not hide a list or an object, nor lines that continue it.
  const goesOn =
    columnAt(text, Math.min(lineEndAt(text, at) + 1, text.length)) > (/^\s*(?:- +)?/.exec(lead)?.[0].length ?? 0);
  const isGuess = isStructured(key) || /^- /.test(value) || goesOn;
  yield { title: 'Put the value in quotes', edits: [{ range, newText: `"${value}"` }], isGuess };
}

/** Aligns the reported line, or an adjacent one, with its neighbours. */
function* align({ text, at }: Place): Generator<Attempt> {
  const start = lineStartAt(text, at);
  for (const line of [start, Math.min(lineEndAt(text, at) + 1, text.length)]) {
    for (const column of neighbourColumns(text, line)) {
      const edit = indent(text, line, column);
      if (edit.range.end - edit.range.start !== column)
        yield { title: 'Align the line with its neighbours', edits: [edit] };
    }
  }
}

/** Indentations of keys and dashes around an offset's line. */
function neighbourColumns(text: string, offset: number): readonly number[] {
  const lines = text.slice(0, lineStartAt(text, offset)).trimEnd().split('\n').slice(-8).reverse();
  const columns = lines
    .filter((line) => line.trim() !== '' && !line.includes('\t'))
    .flatMap((line) => [line.search(/[^\s-]/), line.search(/\S/)]);
  return [...new Set(columns.filter((column) => column >= 0))];
}

/** Changes the indentation of an offset's line. */
function indent(text: string, offset: number, column: number): TextEdit {
  const start = lineStartAt(text, offset);
  return { range: { start, end: start + columnAt(text, start) }, newText: ' '.repeat(column) };
}

function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEndAt(text: string, offset: number): number {
  const end = /\r?\n/.exec(text.slice(offset))?.index;
  return end === undefined ? text.length : offset + end;
}

function insert(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}

function moved({ range, newText }: TextEdit, distance: number): TextEdit {
  return { range: { start: range.start + distance, end: range.end + distance }, newText };
}
