import { type TextEdit, applyEdits } from '../../model/edits/text-edit.ts';

/** A change that may mend a text. */
export interface Attempt {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Somebody has to decide. */
  readonly isGuess?: boolean;
}

/**
 * What makes JSON of a text in which one sign is missing near an offset. JSON is read as YAML, which takes much for right
 * that JSON does not, so what a sign would make of the text is asked of JSON itself.
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

/** Behind a key that its value follows at once. */
function* colons(near: string): Generator<Missing> {
  for (const { index, 0: key } of near.matchAll(name)) {
    const offset = index + key.length;
    if (/^\s*["[{\w-]/.test(near.slice(offset))) yield { title: `Add ":" behind ${key}`, sign: ':', offset };
  }
}

/** Behind a value that another one follows. */
function* commas(near: string): Generator<Missing> {
  for (const { index } of near.matchAll(/(?<=["\]}\w])(?=\s*["[{])/g))
    yield { title: 'Add ","', sign: ',', offset: index };
}

/** Behind what an open quote begins, and before what a quote ends that was not begun. */
function* quotes(near: string): Generator<Missing> {
  for (const { index } of near.matchAll(/(?<=[\w.)])(?=\s*(?:[,:\]}]|\r?\n))/g))
    yield { title: 'Close the quote', sign: '"', offset: index };
  for (const { index } of near.matchAll(/(?<=[\s,:[{])(?=\w)/g))
    yield { title: 'Open the quote', sign: '"', offset: index };
}

/** A mistake is noticed on its line, or on one beside it. */
function linesAround(text: string, at: number): readonly [number, number] {
  const line = text.lastIndexOf('\n', at - 1);
  const from = line < 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  const next = text.indexOf('\n', text.indexOf('\n', at) + 1);
  return [Math.max(from, at - most), Math.min(next < 0 ? text.length : next + 1, at + most)];
}

/** Lines may be as long as the file. */
const most = 300;

function insert(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}
