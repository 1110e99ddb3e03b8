import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';

/** The committed record: which source files each test file called. */
export const recordFile = 'test/called-sources.json';

/**
 * The source files in which each test file called a function, by the path of the test file; empty if nothing was recorded.
 * @returns {Map<string, ReadonlySet<string>>}
 */
export function readCalledSources(path = join(root, recordFile)) {
  return existsSync(path) ? decodeRecord(readFileSync(path, 'utf8')) : new Map();
}

/**
 * Writes the record. Files keep their numbers, so that only lines change whose content did.
 * @param {Map<string, ReadonlySet<string>>} record
 */
export function writeCalledSources(record, path = join(root, recordFile)) {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const text = encodeRecord(record, before);
  if (text !== before) writeFileSync(path, text);
}

/**
 * JSON with a line for each source file, which has a number, and one for each test file: the bits of the numbers that it
 * called, as base64. New source files get the numbers of deleted ones first.
 * @param {Map<string, ReadonlySet<string>>} record
 * @param {string} [before] the text until now
 */
export function encodeRecord(record, before) {
  const sources = [...new Set([...record.values()].flatMap((called) => [...called]))].sort();
  const known = before === undefined ? {} : JSON.parse(before).sources;
  const numbers = new Map(sources.filter((source) => source in known).map((source) => [source, known[source]]));
  const taken = new Set(numbers.values());
  let next = 0;
  for (const source of sources) {
    if (numbers.has(source)) continue;
    while (taken.has(next)) next += 1;
    numbers.set(source, next);
    taken.add(next);
  }
  const tests = [...record.keys()]
    .sort()
    .map((test) => [test, bitsOf([...record.get(test)].map((s) => numbers.get(s)))]);
  const content = {
    sources: Object.fromEntries(sources.map((source) => [source, numbers.get(source)])),
    tests: Object.fromEntries(tests),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** @param {string} text as `encodeRecord` makes it */
export function decodeRecord(text) {
  const { sources, tests } = JSON.parse(text);
  const all = Object.entries(sources);
  return new Map(
    Object.entries(tests).map(([test, bits]) => {
      const bytes = Buffer.from(bits, 'base64');
      const isCalled = (number) => ((bytes[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
      return [test, new Set(all.filter(([, number]) => isCalled(number)).map(([source]) => source))];
    }),
  );
}

function bitsOf(numbers) {
  const bytes = Buffer.alloc((Math.max(-1, ...numbers) >> 3) + 1);
  for (const number of numbers) bytes[number >> 3] |= 1 << (number & 7);
  return bytes.toString('base64');
}
