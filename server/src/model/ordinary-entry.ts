import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { lightNodes } from './light-nodes.ts';
import { schemaOfParts } from './yaml-text.ts';

/**
 * Reads an entry of a list that is written as almost all are, in a tenth of the library's time: mappings and lists in
 * block style or on one line, words, whole numbers, `true` and `false`, texts in quotes without escapes, and texts below
 * `|`. Gives the nodes that the library would give; undefined for anything else, which the library reads: comments,
 * anchors, tags, blank lines in between, other numbers, texts on several lines, and all mistakes.
 *
 * @param text the entry with its dash, to the end of its last line; blank lines may follow.
 */
export function readOrdinaryEntry(text: string): Node | undefined {
  if (text.length > maxLength || !text.endsWith('\n') || !printable.test(text)) return undefined;
  const indent = spacesAt(text, 0);
  if (!isDash(text, indent)) return undefined;
  const reader = new EntryReader(text);
  const list = reader.blockList(indent, 0);
  return list !== undefined && reader.isAtEnd() ? list : undefined;
}

const nodes = lightNodes(schemaOfParts);

/** The library parses longer entries, which are rare enough not to cost time. */
const maxLength = 20_000;
const maxDepth = 20;

/** Without tabs, carriage returns and characters that are not printable or two units long. */
const printable = /^[\n -~\u00a0-\u2027\u202a-\ud7ff]*$/;
const key = /([A-Za-z_][\w-]{0,99}):(?=[ \n])/y;
/** Without the words and first characters that have a meaning of their own. */
const word = /[A-Za-z_(/$\u00c0-\u024f\u3040-\ud7a3][^\n]*/y;
const wordInLine = /[A-Za-z_(/$\u00c0-\u024f\u3040-\ud7a3][^\n,[\]{}]*/y;
const special = /^(?:null|true|false)$/i;
/** A colon that ends a key, or the start of a comment. */
const structure = /:(?=[ ,[\]{}]|$)| #/;
const wholeNumber = /(?:0|[1-9]\d{0,14})(?= *(?:[\n,\]}]))/y;
const quoted = /"([^"\\\n]*)"/y;
const quotedSingly = /'([^'\n]*)'(?!')/y;
const block = /\|(-?)\n/y;

class EntryReader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Whether nothing but blank lines is left. */
  isAtEnd(): boolean {
    for (let at = this.at; at < this.text.length; at += 1) if (this.text[at] !== '\n') return false;
    return true;
  }

  /** At the start of a line with a dash at `indent`. */
  blockList(indent: number, depth: number): YAMLSeq | undefined {
    const list = nodes.list();
    const start = this.at + indent;
    while (this.lineIndent() === indent && isDash(this.text, this.at + indent)) {
      const column = indent + 1 + spacesAt(this.text, this.at + indent + 1);
      this.at += column;
      const item = this.match(key, false) ? this.blockMap(column, depth + 1) : this.value(indent, depth + 1);
      if (item === undefined) return undefined;
      list.items.push(item);
    }
    return list.items.length > 0 && this.isOver(indent) ? placed(list, start, this.at) : undefined;
  }

  /** At its first key. */
  private blockMap(indent: number, depth: number): YAMLMap | undefined {
    if (depth > maxDepth) return undefined;
    const map = nodes.map();
    const names = new Set<string>();
    const start = this.at;
    do {
      if (map.items.length > 0) this.at += indent;
      const name = this.key();
      if (!name || names.has(name.value)) return undefined;
      names.add(name.value);
      const value = this.text[this.at] === '\n' ? this.below(indent, depth) : this.value(indent, depth);
      if (value === undefined) return undefined;
      map.items.push(nodes.pair(name, value));
    } while (this.lineIndent() === indent && !isDash(this.text, this.at + indent));
    return this.isOver(indent) ? placed(map, start, this.at) : undefined;
  }

  /** The key and its colon, with the blanks after it. */
  private key(): Scalar<string> | undefined {
    const start = this.at;
    const found = this.match(key)?.[1];
    if (found === undefined || special.test(found)) return undefined;
    const name = one(found);
    this.at += spacesAt(this.text, this.at);
    const end = start + name.length;
    return scalar(name, name, 'PLAIN', start, end, end);
  }

  /** The value of a key at the end of its line. */
  private below(indent: number, depth: number): Node | undefined {
    this.at += 1;
    const column = this.lineIndent();
    if (column >= indent && isDash(this.text, this.at + column)) {
      return depth > maxDepth ? undefined : this.blockList(column, depth + 1);
    }
    if (column <= indent) return undefined;
    this.at += column;
    return this.blockMap(column, depth + 1);
  }

  /** A value on one line, or the text below its sign, in a mapping or list with this indentation. */
  private value(indent: number, depth: number): Node | undefined {
    if (this.text[this.at] === '|') return this.blockText(indent);
    const value = this.inLine(word, depth);
    if (!value || this.text[this.at] !== '\n') return undefined;
    this.at += 1;
    value.range![2] = this.at;
    return value;
  }

  /** A text, number, list or mapping on one line, with the blanks after it. */
  private inLine(plain: RegExp, depth: number): Scalar | YAMLMap | YAMLSeq | undefined {
    const start = this.at;
    const sign = this.text[start];
    let value: Scalar | YAMLMap | YAMLSeq | undefined;
    if (sign === '{') value = this.flowMap(depth + 1);
    else if (sign === '[') value = this.flowList(depth + 1);
    else if (sign === '"') value = this.quotedText(quoted, 'QUOTE_DOUBLE');
    else if (sign === "'") value = this.quotedText(quotedSingly, 'QUOTE_SINGLE');
    else value = this.number() ?? this.word(plain);
    if (!value) return undefined;
    this.at += spacesAt(this.text, this.at);
    value.range![2] = this.at;
    return value;
  }

  private word(plain: RegExp): Scalar | undefined {
    const start = this.at;
    const written = this.match(plain)?.[0];
    if (written === undefined) return undefined;
    let length = written.length;
    while (written[length - 1] === ' ') length -= 1;
    const source = one(written.slice(0, length));
    if (structure.test(source)) return undefined;
    const value = source === 'true' ? true : source === 'false' ? false : source;
    if (typeof value === 'string' && special.test(value)) return undefined;
    const end = start + length;
    this.at = end;
    return scalar(value, source, 'PLAIN', start, end, end);
  }

  private number(): Scalar | undefined {
    const start = this.at;
    const source = this.match(wholeNumber)?.[0];
    return source === undefined ? undefined : scalar(Number(source), source, 'PLAIN', start, this.at, this.at);
  }

  private quotedText(pattern: RegExp, type: Scalar.Type): Scalar | undefined {
    const start = this.at;
    const found = this.match(pattern);
    return found ? scalar(found[1]!, found[1]!, type, start, this.at, this.at) : undefined;
  }

  private flowList(depth: number): YAMLSeq | undefined {
    const start = this.at;
    const list = nodes.list();
    list.flow = true;
    return this.flow(list, ']', depth, () => this.inLine(wordInLine, depth)) ? placed(list, start, this.at) : undefined;
  }

  private flowMap(depth: number): YAMLMap | undefined {
    const start = this.at;
    const map = nodes.map();
    const names = new Set<string>();
    map.flow = true;
    const pair = (): Pair | undefined => {
      const name = this.key();
      if (!name || names.has(name.value)) return undefined;
      names.add(name.value);
      const value = this.inLine(wordInLine, depth);
      return value && nodes.pair(name, value);
    };
    return this.flow(map, '}', depth, pair) ? placed(map, start, this.at) : undefined;
  }

  /** The entries between brackets or braces. */
  private flow(collection: { readonly items: unknown[] }, close: string, depth: number, read: () => unknown): boolean {
    if (depth > maxDepth) return false;
    do {
      this.at += 1;
      this.at += spacesAt(this.text, this.at);
      if (collection.items.length === 0 && this.text[this.at] === close) break;
      const item = read();
      if (item === undefined) return false;
      collection.items.push(item);
    } while (this.text[this.at] === ',');
    if (this.text[this.at] !== close) return false;
    this.at += 1;
    return true;
  }

  /** The text below `|`. */
  private blockText(indent: number): Scalar | undefined {
    const start = this.at;
    const header = this.match(block);
    if (!header) return undefined;
    const column = this.lineIndent();
    if (column <= indent || this.text[this.at + column] === '\n') return undefined;
    const lines: string[] = [];
    let end = this.at;
    let filled = 0;
    while (end < this.text.length) {
      const lineEnd = this.text.indexOf('\n', end);
      const spaces = spacesAt(this.text, end);
      const isBlank = end + spaces === lineEnd;
      if (isBlank && spaces > 0) return undefined;
      if (!isBlank && spaces < column) break;
      lines.push(isBlank ? '' : this.text.slice(end + column, lineEnd));
      end = lineEnd + 1;
      if (!isBlank) [filled, this.at] = [lines.length, end];
    }
    const value = lines.slice(0, filled).join('\n') + (header[1] === '-' ? '' : '\n');
    return scalar(value, value, 'BLOCK_LITERAL', start, this.at, this.at);
  }

  /** Whether a mapping or list ends here: a line with deeper indentation would continue its last value. */
  private isOver(indent: number): boolean {
    return this.at >= this.text.length || this.text[this.at] === '\n' ? this.isAtEnd() : this.lineIndent() <= indent;
  }

  private lineIndent(): number {
    return spacesAt(this.text, this.at);
  }

  private match(pattern: RegExp, takes = true): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found && takes) this.at = pattern.lastIndex;
    return found;
  }
}

/** Keys and names recur in each entry; the map is emptied before it holds the names of a whole large file. */
const recurring = new Map<string, string>();
const maxRecurring = 2_000;

/** One string for equal ones: of 50,000 lines the server keeps a few megabytes less. */
function one(text: string): string {
  const known = recurring.get(text);
  if (known !== undefined) return known;
  if (recurring.size >= maxRecurring) recurring.clear();
  recurring.set(text, text);
  return text;
}

function spacesAt(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 32) at += 1;
  return at - start;
}

function isDash(text: string, at: number): boolean {
  return text.charCodeAt(at) === 45 && text.charCodeAt(at + 1) === 32;
}

function scalar<T>(
  value: T,
  source: string,
  type: Scalar.Type,
  start: number,
  end: number,
  nodeEnd: number,
): Scalar<T> {
  return nodes.scalar(value, [start, end, nodeEnd], source, type);
}

function placed<T extends YAMLMap | YAMLSeq>(node: T, start: number, end: number): T {
  // A copy has room for its items only; an array that grew has room for 17.
  node.items = node.items.slice();
  node.range = [start, end, end];
  return node;
}
