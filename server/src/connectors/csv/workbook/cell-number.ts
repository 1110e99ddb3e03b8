import { canonicalDecimal } from '../../survives-as-double.ts';

const notation = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*$/;

/** Longer texts are no numbers that a program writes. */
const longest = 400;

/**
 * The text of the number of a cell; undefined for other texts. A workbook holds doubles, which Excel writes with 17
 * digits: `1.1000000000000001` is 1.1. Other numbers keep the digits of the file.
 */
export function cellNumber(written: string): string | undefined {
  const [, text] = written.length > longest ? [] : (notation.exec(written) ?? []);
  if (text === undefined) return undefined;
  const value = Number(text);
  const shortest = String(value);
  if (shortest === text) return text;
  return Number.isFinite(value) && isWritingOf(value, text) ? shortest : text.replace(/^\+/, '');
}

/** Whether the text is the value, rounded to as many digits as it has. */
function isWritingOf(value: number, text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length;
  const same = canonicalDecimal(text);
  if (canonicalDecimal(String(value)) === same) return true;
  return digits > 0 && digits <= 100 && canonicalDecimal(value.toPrecision(digits)) === same;
}
