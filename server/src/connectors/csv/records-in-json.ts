import { basename } from 'node:path';
import { SourceError } from '../source-error.ts';

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const byteOrderMark = [0xef, 0xbb, 0xbf];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The bytes of the list at `path` of the object in a JSON file, such as `value` of an OData answer. The rest of the file
 * is passed over. Throws `file-malformed` where the list is missing, is there twice, or is cut off, and for text
 * before or behind the object.
 * @param records names separated by dots
 */
export async function* recordsInJson(
  chunks: AsyncIterable<Buffer>,
  file: string,
  records: string,
): AsyncGenerator<Buffer, void, undefined> {
  const names = records.split('.');
  /** Objects and lists around the current byte, and those of the path among them. */
  let level = 0;
  let matched = 0;
  let isInText = false;
  let isEscaped = false;
  /** The bytes of the name that is read, at a place where it may be one of the path. */
  let name: number[] | undefined;
  let isBeforeName = false;
  let isNext = false;
  let isInList = false;
  let isFound = false;
  /** The object has ended. */
  let isDone = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk[at] ?? 0;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isInText = false;
        if (name && isInText) name.push(code);
        if (name && !isInText) {
          isNext = textOf(name) === names[matched];
          name = undefined;
        }
        continue;
      }
      if (code <= 0x20 || code === colon) continue;
      const isBegun = code === openBrace || code === openBracket || byteOrderMark.includes(code);
      if (level === 0 && (isDone || !isBegun)) throw textOutside(file);
      const isOnPath = !isInList && level === matched + 1;
      if (code === quote) {
        isInText = true;
        if (isOnPath && isBeforeName) name = [];
        else if (isOnPath) isNext = false;
        isBeforeName = false;
      } else if (code === openBrace || code === openBracket) {
        level += 1;
        if (isInList) continue;
        const isRoot = level === 1 && code === openBrace;
        if (isOnPath && isNext && matched + 1 === names.length && code === openBracket) {
          if (isFound) throw several(file, records);
          isInList = true;
          isFound = true;
          start = at;
        } else if (isOnPath && isNext && matched + 1 < names.length && code === openBrace) matched += 1;
        isBeforeName = isRoot || (level === matched + 1 && code === openBrace);
        isNext = false;
      } else if (code === closeBrace || code === closeBracket) {
        level -= 1;
        if (isInList && level === matched + 1) {
          yield chunk.subarray(start, at + 1);
          isInList = false;
        } else if (!isInList && matched > 0 && level === matched) matched -= 1;
        isDone = level <= 0;
        isNext = false;
      } else if (isOnPath) {
        isBeforeName = code === comma;
        isNext = false;
      }
    }
    if (isInList && start < chunk.length) yield chunk.subarray(start);
  }
  if (isInText || level !== 0) throw cutOff(file);
  if (!isFound) throw missing(file, records);
}

function textOf(written: readonly number[]): string | undefined {
  try {
    return JSON.parse(`"${Buffer.from(written).toString('utf8')}"`) as string;
  } catch {
    return undefined;
  }
}

function missing(file: string, records: string): SourceError {
  return new SourceError('file-malformed', `${basename(file)} has no list "${records}", which records names.`, {
    file,
    remedy: 'Set records to the path of the list of records in the file, or leave it out.',
  });
}

function several(file: string, records: string): SourceError {
  return new SourceError('file-malformed', `${basename(file)} has more than one list "${records}".`, {
    file,
    remedy: 'Write one file for each, and make them parts of one data object.',
  });
}

function textOutside(file: string): SourceError {
  return new SourceError('file-malformed', `${basename(file)} has text before or behind its object: it is not JSON.`, {
    file,
    remedy: 'Write one object, or the records as JSON Lines without the setting records.',
  });
}

function cutOff(file: string): SourceError {
  return new SourceError('file-malformed', `${basename(file)} ends within a value: it is no complete JSON.`, {
    file,
    remedy: 'Copy or export the file again.',
  });
}
