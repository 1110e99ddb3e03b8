import { tooManyAliases } from '../support/too-many-aliases.ts';

/** Unusual documents, each made from a valid one. None exceeds our limits of depth, size or aliases by much. */
export const nastyTexts: readonly (readonly [name: string, make: (good: string) => string])[] = [
  ['nothing', () => ''],
  ['a byte order mark', (good) => `\uFEFF${good}`],
  ['Windows line ends', (good) => good.replaceAll('\n', '\r\n')],
  ['old Macintosh line ends', (good) => good.replaceAll('\n', '\r')],
  ['tabs', (good) => good.replaceAll('  ', '\t')],
  ['other scripts', (good) => good.replaceAll('Incident', 'Störung 😀 事件').replaceAll('name', 'nаme')],
  ['the file cut off in the middle', (good) => good.slice(0, good.length / 2)],
  ['the file pasted into itself', (good) => good.slice(0, 300) + good + good.slice(300)],
  ['conflict marks', (good) => good.replace('elements:', '<<<<<<< ours\nelements:\n=======\nelement:\n>>>>>>> theirs')],
  ['several documents', (good) => `${good}---\n${good}...\n`],
  ['more aliases than are expanded', (good) => `${tooManyAliases}${good}`],
  ['an anchor inside itself', (good) => `x-a: &a { x-b: *a }\n${good}`],
  ['anchors and aliases', (good) => `${good.replace('where: ', 'where: &few ')}x-few: *few\nx-more: *nowhere\n`],
  ['merge keys', (good) => `x-base: &base { correlate: both }\n${good.replace('correlate: both', '<<: *base')}`],
  ['brackets deeper than the limit', (good) => `${good}x-deep: ${'['.repeat(310)}${']'.repeat(310)}\n`],
  ['brackets deeper than the limit, never closed', (good) => `${good}x-deep: ${'[{a: '.repeat(160)}`],
  ['a line with more words than an entry may have', (good) => `${good}x-long: ${'word '.repeat(61_000)}\n`],
  ['a quoted line of as many words, never closed', (good) => `x-long: "${'word '.repeat(61_000)}\n${good}`],
  ['JSON', () => JSON.stringify({ version: 1, dataSource: 'itsm', elements: [{ activityName: 'A' }] }, null, 2)],
  ['JSON on one line', () => JSON.stringify({ version: 1, dataSource: 'log', elements: [{ where: "a = 'b'" }] })],
  ['a list', () => '- a\n- b\n'],
  ['control signs and lone surrogates', (good) => `${good}x-odd: "\u0000\u0007\uD800"\n`],
];

/** A file of this many lines: the entries of a valid one repeated under new names. */
export function longText(good: string, lines: number): string {
  const [head = '', elements = '', relationships = ''] = good.split(/^(?:elements|relationships):\n/m);
  const names = [...elements.matchAll(/activityName: (.*)/g)].map(([, name = '']) => name);
  const numbered = (entries: string, number: number): string =>
    names
      .reduce((text, name) => text.replaceAll(`: ${name}\n`, `: ${name} ${number}\n`), entries)
      .replaceAll(/^( *- name: .*)$/gm, `$1 ${number}`);
  const rounds = Math.ceil(lines / (elements + relationships).split('\n').length);
  const all = (entries: string): string =>
    Array.from({ length: rounds }, (_, round) => numbered(entries, round)).join('');
  return `${head}elements:\n${all(elements)}relationships:\n${all(relationships)}`;
}
