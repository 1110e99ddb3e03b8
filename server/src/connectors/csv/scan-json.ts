import { type JsonField, type JsonPlace, isDictionary, jsonKinds, newPlace, textForms } from './json-places.ts';
import { survivesAsDouble } from '../survives-as-double.ts';

/** Thrown where the bytes end within a value. */
class MoreBytes extends Error {}

/** Thrown for a text that is no JSON. */
export class NoJson extends Error {}

/** Values that are nested more deeply are texts. */
const deepest = 20;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [minus, point, digit0, digit9] = [0x2d, 0x2e, 0x30, 0x39];

export interface JsonScanner {
  /** Number of whole records so far. */
  readonly records: number;
  /** The bytes began with that of UTF-8. */
  readonly hasByteOrderMark: boolean;
  /**
   * Adds the values of all whole records in `bytes` to the place, and returns the number of bytes read. Throws `NoJson`.
   * @param isEnd no further bytes follow
   */
  add(bytes: Buffer, isEnd: boolean): number;
}

/**
 * Learns what the records of a JSON file are, from all of them and from the digits as they are written. Accepts what
 * DuckDB's parser accepts beyond the standard: `NaN`, `Infinity`, commas before a closing bracket.
 * @param isList the file may be a list of records; otherwise records just follow one another
 */
// eslint-disable-next-line max-lines-per-function -- A scanner that runs once for each byte: its small functions share their state in local variables, which is fastest.
export function scanJson(root: JsonPlace, isList: boolean): JsonScanner {
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  let isInList = false;
  let isStart = true;
  let hasByteOrderMark = false;
  let records = 0;

  const code = (): number => {
    const found = bytes[at];
    if (found === undefined) throw new MoreBytes();
    return found;
  };
  const skipBlanks = (): number => {
    for (;;) {
      const found = code();
      if (found > 0x20) return found;
      at += 1;
    }
  };
  /** Moves behind the closing quote, and returns its position. */
  const endOfText = (): number => {
    at += 1;
    for (;;) {
      const found = code();
      at += 1;
      if (found === quote) return at - 1;
      if (found === backslash) at += 1;
    }
  };
  const fieldOf = (place: JsonPlace, start: number, end: number): JsonField => {
    const written = bytes.subarray(start, end);
    const text = written.toString('utf8');
    const name = written.includes(backslash) ? textOf(text) : text;
    let field = place.fieldsByName.get(name);
    if (!field) {
      field = { name, index: place.fields.length, written: Buffer.from(written), place: newPlace() };
      place.fields.push(field);
      place.fieldsByName.set(name, field);
    }
    return field;
  };
  const isWrittenAt = ({ written }: JsonField, start: number, end: number): boolean => {
    if (written.length !== end - start) return false;
    for (let index = 0; index < written.length; index += 1) if (written[index] !== bytes[start + index]) return false;
    return true;
  };
  const readObject = (place: JsonPlace | undefined, depth: number): void => {
    const known = place && !isDictionary(place) ? place : undefined;
    if (place) {
      place.kinds |= jsonKinds.object;
      place.objects += 1;
    }
    at += 1;
    // Records mostly have their fields in one order.
    let next = 0;
    for (;;) {
      let found = skipBlanks();
      if (found === comma) {
        at += 1;
        found = skipBlanks();
      }
      if (found === closeBrace) break;
      if (found !== quote) throw new NoJson();
      const start = at + 1;
      const end = endOfText();
      let inner: JsonPlace | undefined;
      if (known) {
        const expected = known.fields[next];
        const field = expected && isWrittenAt(expected, start, end) ? expected : fieldOf(known, start, end);
        next = field.index + 1;
        known.fieldsOfObjects += 1;
        inner = field.place;
      }
      if (skipBlanks() !== colon) throw new NoJson();
      at += 1;
      readValue(inner, depth);
    }
    at += 1;
  };
  const readList = (place: JsonPlace | undefined, depth: number): void => {
    let items: JsonPlace | undefined;
    if (place) {
      place.kinds |= jsonKinds.list;
      items = place.items ??= newPlace();
    }
    at += 1;
    for (;;) {
      const found = skipBlanks();
      if (found === closeBracket) break;
      if (found === comma) at += 1;
      else readValue(items, depth);
    }
    at += 1;
  };
  const readText = (place: JsonPlace | undefined): void => {
    const start = at + 1;
    const end = endOfText();
    if (!place) return;
    place.kinds |= jsonKinds.text;
    if ((place.texts & textForms.other) !== 0) return;
    place.texts |= isLikeTime(start, end) ? formOf(bytes.toString('latin1', start, end)) : textForms.other;
  };
  const isLikeTime = (start: number, end: number): boolean =>
    end - start >= 10 && end - start <= 35 && bytes[start + 4] === minus && bytes[start + 7] === minus;
  const readWord = (place: JsonPlace | undefined): void => {
    const start = at;
    while (isWordCode(code())) at += 1;
    if (at === start) throw new NoJson();
    const word = bytes.toString('latin1', start, at).toLowerCase();
    if (!words.includes(word)) throw new NoJson();
    if (!place || word === 'null') return;
    if (word === 'true' || word === 'false') place.kinds |= jsonKinds.boolean;
    else addWord(place);
  };
  const addWord = (place: JsonPlace): void => {
    place.kinds |= jsonKinds.number;
    place.numbers.isFloating = true;
    place.numbers.hasExponent = true;
  };
  const readNumber = (place: JsonPlace | undefined): void => {
    const start = at;
    if (code() === minus) at += 1;
    const first = at;
    while (code() >= digit0 && code() <= digit9) at += 1;
    const wholeDigits = at - first;
    let fraction = 0;
    let scale = 0;
    if (code() === point) {
      at += 1;
      const begin = at;
      for (; code() >= digit0 && code() <= digit9; at += 1) if (bytes[at] !== digit0) scale = at + 1 - begin;
      fraction = at - begin;
    }
    const hasExponent = (code() | 0x20) === 0x65;
    if (hasExponent) {
      at += 1;
      while (/[0-9+-]/.test(String.fromCharCode(code()))) at += 1;
    }
    if (wholeDigits === 0) {
      // -Infinity
      readWord(place);
      return;
    }
    if (!place) return;
    const { numbers } = place;
    place.kinds |= jsonKinds.number;
    if (wholeDigits > numbers.wholeDigits) numbers.wholeDigits = wholeDigits;
    if (scale > numbers.scale) numbers.scale = scale;
    if (fraction > 0 || hasExponent) numbers.isFloating = true;
    if (hasExponent) numbers.hasExponent = true;
    if (wholeDigits + fraction <= 15) return;
    const text = bytes.toString('latin1', start, at);
    if (fraction === 0 && !hasExponent && wholeDigits > 18 && !fits64Bits(text)) numbers.isWide = true;
    // `floating_number` refuses whole numbers of more digits.
    if ((fraction === 0 && wholeDigits > 16) || !survivesAsDouble(text)) numbers.isLossy = true;
  };
  const readValue = (place: JsonPlace | undefined, depth: number): void => {
    const found = skipBlanks();
    if (found === quote) readText(place);
    else if (found === openBrace || found === openBracket) {
      const isDeep = depth >= deepest;
      if (isDeep && place) place.kinds |= jsonKinds.deep;
      if (found === openBrace) readObject(isDeep ? undefined : place, depth + 1);
      else readList(isDeep ? undefined : place, depth + 1);
    } else if (found === minus || (found >= digit0 && found <= digit9)) readNumber(place);
    else readWord(place);
  };
  /** Reads the next record, if there is one. */
  const readRecord = (): void => {
    const found = skipBlanks();
    if (isStart && isList && found === openBracket) {
      isInList = true;
      at += 1;
    } else if (found === comma || (isInList && found === closeBracket)) at += 1;
    else {
      readValue(root, 0);
      records += 1;
    }
    isStart = false;
  };
  return {
    get records() {
      return records;
    },
    get hasByteOrderMark() {
      return hasByteOrderMark;
    },
    add(more, isEnd) {
      // A number may end with the file.
      bytes = isEnd ? Buffer.concat([more, Buffer.from('\n')]) : more;
      at = 0;
      if (isStart && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
        hasByteOrderMark = true;
        at = 3;
      }
      let taken = at;
      try {
        for (;;) {
          readRecord();
          taken = at;
        }
      } catch (error) {
        if (!(error instanceof MoreBytes)) throw error;
        if (isEnd && bytes.subarray(taken).some((each) => each > 0x20)) throw new NoJson();
      }
      return Math.min(taken, more.length);
    },
  };
}

const words = ['null', 'true', 'false', 'nan', 'inf', 'infinity'];

function isWordCode(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function textOf(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    throw new NoJson();
  }
}

/** Whether a whole number is one of 64 bits. */
export function fits64Bits(text: string): boolean {
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** What DuckDB reads as a date or time without losing a part. */
const timePattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6}0*)?(Z|[+-]\d\d(?::?[0-5]\d)?)?)?)?$/;

/** One of `textForms`. */
export function formOf(text: string): number {
  const [, year, month, day, zone] = timePattern.exec(text) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return textForms.other;
  if (text.length === 10) return textForms.date;
  return zone === undefined ? textForms.time : textForms.timeWithZone;
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
