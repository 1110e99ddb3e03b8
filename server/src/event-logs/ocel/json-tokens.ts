/** Type of a JSON value, as named in messages. */
export type JsonKind = 'an object' | 'a list' | 'a text' | 'a number' | 'true' | 'false' | 'null';

/** Events of the JSON reader; `depth` is the number of enclosing objects and lists, `index` a byte of the chunk. */
interface JsonEvents {
  /** Throws. `index` is the invalid byte. */
  fail(what: string, index: number): never;
  keyBegins(depth: number, index: number): void;
  keyEnds(depth: number, index: number): void;
  valueBegins(depth: number, kind: JsonKind, index: number): void;
  /** The last byte of an object or a list. */
  containerEnds(depth: number, index: number): void;
}

/** Reads one JSON value strictly by RFC 8259, across chunks; UTF-8 is not validated. */
interface JsonTokens {
  /** Reads the bytes of a chunk from `start` to `end`. Line breaks between tokens become spaces. */
  push(chunk: Buffer, start: number, end: number): void;
  /** Describes the token that is missing at the end of the text; undefined when complete. */
  end(): string | undefined;
  /** 1-based line of the current byte. */
  line(): number;
}

const quote = 0x22;
const backslash = 0x5c;
const [newline, carriageReturn, tab, space] = [0x0a, 0x0d, 0x09, 0x20];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [comma, colon, minus, plus, dot] = [0x2c, 0x3a, 0x2d, 0x2b, 0x2e];
const [digit0, digit9, letterU] = [0x30, 0x39, 0x75];
/** `"\/bfnrt`. */
const plainEscapes: ReadonlySet<number> = new Set([quote, backslash, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);

/** The tokens that are allowed next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'nothing';

/** The construct that contains the next byte. */
type Inside = 'nothing' | 'text' | 'escape' | 'unicode' | 'number' | 'word';

/** Position within a number: after its sign, after a leading zero, in its digits, after the dot, …. */
type NumberPart = 'sign' | 'zero' | 'digits' | 'dot' | 'fraction' | 'exponent' | 'exponent sign' | 'exponent digits';
const wholeNumber: ReadonlySet<NumberPart> = new Set(['zero', 'digits', 'fraction', 'exponent digits']);

/** Maximum nesting depth; prevents memory exhaustion by a file of brackets. */
const maxDepth = 1000;

// eslint-disable-next-line max-lines-per-function -- A scanner that runs once for each character: its small functions share their state in local variables, which is fastest.
export function createJsonTokens(events: JsonEvents): JsonTokens {
  let line = 1;
  let expected: Expected = 'value';
  let inside: Inside = 'nothing';
  /** For each enclosing object or list: whether it is an object. */
  const around: boolean[] = [];
  let isKey = false;
  let hexDigits = '';
  let halfCharacter = false;
  let numberPart: NumberPart = 'sign';
  let word = '';
  let wordLength = 0;

  const afterValue = (): Expected => (around.length === 0 ? 'nothing' : 'comma');

  /** Consumes plain text of a string; returns the index of the byte that ended it. */
  function skipPlainText(chunk: Buffer, from: number, end: number): number {
    let index = from;
    for (; index < end; index += 1) {
      const byte = chunk[index] as number;
      if (byte === quote || byte === backslash || byte < space) break;
    }
    return index;
  }

  function inText(byte: number, index: number): void {
    if (halfCharacter && byte !== backslash) events.fail(unpaired, index);
    if (byte === backslash) inside = 'escape';
    else if (byte === quote) {
      inside = 'nothing';
      if (isKey) events.keyEnds(around.length, index);
      expected = isKey ? 'colon' : afterValue();
    } else {
      const what = byte === newline ? 'A text is not closed at the end of its line' : `A text contains ${shown(byte)}`;
      events.fail(`${what}, which must be written as an escape`, index);
    }
  }

  function inEscape(byte: number, index: number): void {
    if (byte === letterU) {
      inside = 'unicode';
      hexDigits = '';
      return;
    }
    if (halfCharacter) events.fail(unpaired, index);
    if (!plainEscapes.has(byte)) events.fail(`\\${shown(byte)} is not a JSON escape`, index);
    inside = 'text';
  }

  function inUnicode(byte: number, index: number): void {
    const digit = String.fromCharCode(byte);
    if (!/[0-9a-fA-F]/.test(digit)) events.fail('An escape \\u needs four hexadecimal digits', index);
    hexDigits += digit;
    if (hexDigits.length < 4) return;
    const unit = Number.parseInt(hexDigits, 16);
    const isLow = unit >= 0xdc00 && unit < 0xe000;
    if (isLow !== halfCharacter) events.fail(unpaired, index);
    halfCharacter = unit >= 0xd800 && unit < 0xdc00;
    inside = 'text';
  }

  /** Returns false when the number ended before this byte. */
  function inNumber(byte: number, index: number): boolean {
    const next = nextNumberPart(numberPart, byte);
    if (next === undefined) {
      if (!wholeNumber.has(numberPart)) events.fail('A number ends too early', index);
      if (byte >= digit0 && byte <= digit9) events.fail('A number begins with a zero', index);
      inside = 'nothing';
      expected = afterValue();
      return false;
    }
    numberPart = next;
    return true;
  }

  function inWord(byte: number, index: number): void {
    if (byte !== word.charCodeAt(wordLength)) events.fail(notJson, index);
    wordLength += 1;
    if (wordLength < word.length) return;
    inside = 'nothing';
    expected = afterValue();
  }

  function open(isObject: boolean, index: number): void {
    if (around.length >= maxDepth) events.fail(`More than ${maxDepth} objects and lists are inside each other`, index);
    events.valueBegins(around.length, isObject ? 'an object' : 'a list', index);
    around.push(isObject);
    expected = isObject ? 'key or }' : 'value or ]';
  }

  function close(isObject: boolean, index: number): void {
    if (around.at(-1) !== isObject) events.fail(unexpected(isObject ? closeBrace : closeBracket), index);
    const isAllowed = expected === 'comma' || expected === (isObject ? 'key or }' : 'value or ]');
    if (!isAllowed) events.fail(unexpected(isObject ? closeBrace : closeBracket), index);
    around.pop();
    events.containerEnds(around.length, index);
    expected = afterValue();
  }

  function beginValue(byte: number, index: number): void {
    const depth = around.length;
    if (byte === quote) {
      events.valueBegins(depth, 'a text', index);
      inside = 'text';
      isKey = false;
    } else if (byte === openBrace || byte === openBracket) open(byte === openBrace, index);
    else if (byte === minus || (byte >= digit0 && byte <= digit9)) {
      events.valueBegins(depth, 'a number', index);
      inside = 'number';
      numberPart = byte === minus ? 'sign' : byte === digit0 ? 'zero' : 'digits';
    } else {
      const found = (['true', 'false', 'null'] as const).find((each) => each.charCodeAt(0) === byte);
      if (found === undefined) events.fail(depth === 0 ? notJson : unexpected(byte), index);
      events.valueBegins(depth, found, index);
      inside = 'word';
      word = found;
      wordLength = 1;
    }
  }

  /** Message about an unexpected byte. */
  function unexpected(byte: number): string {
    const found = shown(byte);
    if (expected === 'nothing') return `${found} stands after the end of the JSON object`;
    if (expected === 'comma') {
      if (byte === closeBrace || byte === closeBracket) return `${found} closes what it has not opened`;
      return `A comma is missing before ${found}`;
    }
    if (expected === 'colon') return `A colon is missing before ${found}`;
    if ((byte === closeBrace || byte === closeBracket) && (expected === 'key' || expected === 'value')) {
      return `A ${expected} is missing before ${found}: there is a comma or a colon too many`;
    }
    return `A ${expected.startsWith('key') ? 'key in quotes' : 'value'} is expected, not ${found}`;
  }

  function between(byte: number, index: number): void {
    if (byte === closeBrace || byte === closeBracket) close(byte === closeBrace, index);
    else if (expected === 'value' || expected === 'value or ]') beginValue(byte, index);
    else if (expected === 'colon' && byte === colon) expected = 'value';
    else if (expected === 'comma' && byte === comma) expected = around.at(-1) === true ? 'key' : 'value';
    else if ((expected === 'key' || expected === 'key or }') && byte === quote) {
      events.keyBegins(around.length, index);
      inside = 'text';
      isKey = true;
    } else events.fail(unexpected(byte), index);
  }

  return {
    push(chunk, start, end) {
      for (let index = start; index < end; index += 1) {
        if (inside === 'text' && !halfCharacter) {
          index = skipPlainText(chunk, index, end);
          if (index === end) return;
        }
        const byte = chunk[index] as number;
        if (inside === 'text') inText(byte, index);
        else if (inside === 'escape') inEscape(byte, index);
        else if (inside === 'unicode') inUnicode(byte, index);
        else if (inside === 'word') inWord(byte, index);
        else if (inside === 'number' && inNumber(byte, index)) continue;
        else if (byte === newline) {
          line += 1;
          chunk[index] = space;
        } else if (byte === carriageReturn) chunk[index] = space;
        else if (byte !== space && byte !== tab) between(byte, index);
      }
    },
    end: () =>
      expected === 'nothing' && inside === 'nothing'
        ? undefined
        : `The file ends too early: ${inside === 'nothing' ? missing(around.at(-1)) : cutOff[inside]}`,
    line: () => line,
  };
}

const notJson = 'The file is not JSON';
const unpaired = 'An escape \\u is one half of a character, without the other';

const cutOff: Readonly<Record<Exclude<Inside, 'nothing'>, string>> = {
  text: 'a text is not closed',
  escape: 'an escape is cut off',
  unicode: 'an escape is cut off',
  number: 'what holds its last number is not closed',
  word: 'a word is cut off',
};

function missing(isObject: boolean | undefined): string {
  if (isObject === undefined) return 'it is empty';
  return `${isObject ? 'an object' : 'a list'} is not closed`;
}

function nextNumberPart(part: NumberPart, byte: number): NumberPart | undefined {
  const isDigit = byte >= digit0 && byte <= digit9;
  const isExponent = byte === 0x65 || byte === 0x45;
  switch (part) {
    case 'sign':
      return isDigit ? (byte === digit0 ? 'zero' : 'digits') : undefined;
    case 'digits':
      if (isDigit) return 'digits';
      return byte === dot ? 'dot' : isExponent ? 'exponent' : undefined;
    case 'zero':
      return byte === dot ? 'dot' : isExponent ? 'exponent' : undefined;
    case 'dot':
      return isDigit ? 'fraction' : undefined;
    case 'fraction':
      return isDigit ? 'fraction' : isExponent ? 'exponent' : undefined;
    case 'exponent':
      if (byte === plus || byte === minus) return 'exponent sign';
      return isDigit ? 'exponent digits' : undefined;
    case 'exponent sign':
    case 'exponent digits':
      return isDigit ? 'exponent digits' : undefined;
  }
}

/** A byte in readable form. */
function shown(byte: number): string {
  return byte > space && byte < 0x7f
    ? `"${String.fromCharCode(byte)}"`
    : `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}
