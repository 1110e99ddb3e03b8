import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';
import { writtenLike } from './text-edit.ts';

/** Style of new text. */
export interface WritingStyle {
  /** `\n` or `\r\n`. */
  readonly eol: string;
  /** Indentation of list items relative to their key. */
  readonly listIndent: number;
  /** JSON style: quoted keys and texts. */
  readonly json: boolean;
}

/** Maximum line length of a flow collection. */
const maxFlowWidth = 100;

/** A value on one line; collections in flow style. */
export function writeFlow(value: JsonValue, json: boolean): string {
  if (json) return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map((item) => writeFlow(item, json)).join(', ')}]`;
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(([key, item]) => `${writeKey(key)}: ${writeFlow(item, json)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' && /[\r\n]/.test(value) ? JSON.stringify(value) : writeScalar(value);
}

/** Multi-line JSON; lines after the first are indented by `indent`. */
export function writeJsonLines(value: JsonValue, indent: string, eol: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `${eol}${indent}`);
}

/** The text after the colon of a key at `column`: a blank and the value, or lines below. */
export function writeAfterKey(key: string, value: JsonValue, column: number, style: WritingStyle): string {
  if (typeof value === 'string') return ` ${writeText(value, ' '.repeat(column + 2), style)}`;
  // A rule judges one thing only.
  const isOne = key === 'each' && isJsonObject(value) && fitsInBrackets(value, column);
  if (isOne || fitsOnLine(value, column)) return ` ${writeFlow(value, false)}`;
  const at = isJsonList(value) ? column + style.listIndent : column + 2;
  return `${style.eol}${' '.repeat(at)}${writeBlock(value, at, style, key)}`;
}

/** The text after a dash of the list of `key`, at `column`. */
export function writeItem(value: JsonValue, column: number, style: WritingStyle, key = ''): string {
  const inBrackets =
    entryLists.has(key) && isJsonObject(value) && !('expression' in value) && fitsInBrackets(value, column);
  return inBrackets ? writeFlow(value, false) : writeBlock(value, column, style);
}

/** Lists with one entry per line: mappings, and what a rule of the process expects. */
const entryLists = new Set(['mappings', 'sourceMappings', 'targetMappings', 'expect']);

/** A value whose first line starts at `column`, the indentation of its other lines; `key` is that of a list. */
function writeBlock(value: JsonValue, column: number, style: WritingStyle, key = ''): string {
  const separator = `${style.eol}${' '.repeat(column)}`;
  if (isJsonList(value) && value.length > 0) {
    return value.map((item) => `- ${writeItem(item, column + 2, style, key)}`).join(separator);
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) return writePairs(value, column, style, separator);
  return typeof value === 'string' ? writeText(value, ' '.repeat(column), style) : writeFlow(value, false);
}

function writePairs(value: JsonObject, column: number, style: WritingStyle, separator: string): string {
  return Object.entries(value)
    .map(([key, item]) => `${writeKey(key)}:${writeAfterKey(key, item, column, style)}`)
    .join(separator);
}

/** On the line of the key: scalars, empty collections, and short lists of scalars. */
function fitsOnLine(value: JsonValue, column: number): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return !isJsonList(value) || fitsInBrackets(value, column);
}

function fitsInBrackets(value: JsonObject | readonly JsonValue[], column: number): boolean {
  if (Object.values(value).some((item) => isJsonList(item) || isJsonObject(item))) return false;
  const text = writeFlow(value, false);
  return !text.includes('\\n') && column + text.length <= maxFlowWidth;
}

/** Characters that block scalars cannot express. */
export const unprintable = /[^\t\n\u0020-\u{10FFFF}]|[\u007f-\u009f\ufeff]/u;

/** A text in block style: multi-line as literal if possible, else quoted. */
export function writeText(value: string, indent: string, { eol }: WritingStyle): string {
  if (!/[\r\n]/.test(value)) return writeScalar(value);
  const body = value.replace(/\n$/, '');
  const lines = body.split('\n');
  // Leading blanks need an indentation indicator, and unusual line breaks change the meaning, so quotes are used.
  const plain = !/^[ \t\n]|\r|\n$|[ \t]$/.test(body) && !unprintable.test(body);
  if (!plain || body === '') return JSON.stringify(value);
  const header = value.endsWith('\n') ? '|' : '|-';
  return [header, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))].join(eol);
}

function writeScalar(value: JsonValue): string {
  return typeof value === 'string' ? writtenLike(value, '') : JSON.stringify(value);
}

function writeKey(key: string): string {
  return /[\r\n]/.test(key) ? JSON.stringify(key) : writtenLike(key, '');
}
