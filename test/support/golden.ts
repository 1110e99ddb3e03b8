import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const goldenFolder = fileURLToPath(new URL('../golden', import.meta.url));

/** Set by `npm run golden`: files are written instead of compared. */
const isRenewing = process.env['RENEW_GOLDEN'] === '1';

/** Compares a text with a golden file; fails with the first different line. */
export function expectGolden(path: string, text: string): void {
  const file = join(goldenFolder, path);
  if (isRenewing) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  const golden = readFileSync(file, 'utf8');
  if (golden !== text) assert.fail(firstDifference(path, golden, text));
}

/** The first different line with its context. */
export function firstDifference(path: string, golden: string, text: string): string {
  const [before, after] = [golden.split('\n'), text.split('\n')];
  const longest = Math.max(before.length, after.length);
  const line = Array.from({ length: longest }, (_, index) => index).find((index) => before[index] !== after[index]);
  if (line === undefined) return `${path}: the texts are equal.`;
  const shown = (each: string | undefined): string => each ?? '(the text ends here)';
  return [
    `${path} differs from line ${line + 1} on. If that is wanted: npm run golden.`,
    ...before.slice(Math.max(0, line - 3), line).map((each) => `  ${each}`),
    `- ${shown(before[line])}`,
    `+ ${shown(after[line])}`,
  ].join('\n');
}
