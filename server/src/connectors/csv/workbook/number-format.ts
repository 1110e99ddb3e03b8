/** What a number stands for by its format: dates, times of day, both, durations, or by its size one of the first three. */
export type TimeFormat = 'date' | 'time' | 'dateTime' | 'duration' | 'anyTime';

/** Built-in formats, which have no code in the file. The East Asian ones differ by language. */
const builtIn: readonly (readonly [first: number, last: number, format: TimeFormat])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'dateTime'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 54, 'date'],
  [55, 56, 'anyTime'],
  [57, 58, 'date'],
];

export function builtInFormat(id: number): TimeFormat | undefined {
  return builtIn.find(([first, last]) => id >= first && id <= last)?.[2];
}

/** Characters of a format code; Excel allows 255. */
const longest = 1000;

/** The kind of times of a format code such as `dd.mm.yyyy hh:mm`; undefined for formats of numbers and texts. */
export function timeFormatOf(code: string): TimeFormat | undefined {
  // Of formats for positive, negative and other numbers, the first counts.
  const [first = ''] = code.slice(0, longest).match(/^(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*/) ?? [];
  if (/\[(?:h+|m+|s+)\]/i.test(withoutTexts(first))) return 'duration';
  const letters = withoutTexts(first)
    .replace(/\[[^\]]*\]/g, '')
    .replace(/general|e[+-]|am\/pm|a\/p/gi, '');
  const hasTime = /[hs]/i.test(letters);
  const hasDate =
    /[ydb]/i.test(letters) || (/m/i.test(letters) && !hasTime) || (/e/i.test(letters) && !/[0#?]/.test(letters));
  if (hasDate) return hasTime ? 'dateTime' : 'date';
  return hasTime ? 'time' : undefined;
}

/** The code without quoted texts, escaped characters, and characters for width or fill. */
function withoutTexts(code: string): string {
  return code.replace(/"[^"]*"?|[\\_*]./g, '');
}
