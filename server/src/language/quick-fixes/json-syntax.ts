import { type TextEdit, applyEdits } from '../../model/edits/text-edit.ts';

/** A candidate fix of a syntax error. */
export interface Attempt {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Requires a decision of the user. */
  readonly isGuess?: boolean;
}

/**
 * Candidate insertions of one missing JSON character near an offset, each verified by parsing JSON, because the YAML
 * parser accepts text that is not valid JSON.
 */
export function jsonAttempts(text: string, at: number): readonly Attempt[] {
  const [from, until] = linesAround(text, at);
  const near = text.slice(from, until);
  return [...colons(near), ...commas(near), ...quotes(near)]
    .map(({ title, sign, offset }) => ({ title, edits: [insert(from + offset, sign)] }))
    .filter(({ edits }) => isJsonText(applyEdits(text, edits)));
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Missing {
  readonly title: string;
  readonly sign: string;
  readonly offset: number;
}

const name = /"[^"\\\n]*"/g;

/** After a key followed directly by its value. */
function* colons(near: string): Generator<Missing> {
  for (const { index, 0: key } of near.matchAll(name)) {
    const offset = index + key.length;
    if (/^\s*["[{\w-]/.test(near.slice(offset))) yield { title: `Add ":" behind ${key}`, sign: ':', offset };
  }
}

/** After a value followed by another one. */
function* commas(near: string): Generator<Missing> {
  for (const { index } of near.matchAll(/(?<=["\]}\w])(?=\s*["[{])/g))
    yield { title: 'Add ","', sign: ',', offset: index };
}

/** At the end of an unclosed string, and at the start of an unopened one. */
function* quotes(near: string): Generator<Missing> {
  for (const { index } of near.matchAll(/(?<=[\w.)])(?=\s*(?:[,:\]}]|\r?\n))/g))
    yield { title: 'Close the quote', sign: '"', offset: index };
  for (const { index } of near.matchAll(/(?<=[\s,:[{])(?=\w)/g))
    yield { title: 'Open the quote', sign: '"', offset: index };
}

/** An error is reported on its line, or on an adjacent one. */
function linesAround(text: string, at: number): readonly [number, number] {
  const line = text.lastIndexOf('\n', at - 1);
  const from = line < 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  const next = text.indexOf('\n', text.indexOf('\n', at) + 1);
  return [Math.max(from, at - most), Math.min(next < 0 ? text.length : next + 1, at + most)];
}

/** Lines may be very long. */
const most = 300;

function insert(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}
