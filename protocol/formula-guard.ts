// Both patterns mean the same to JavaScript and to DuckDB.

/**
 * Texts that a spreadsheet may run as a formula, by their first character: those of https://owasp.org/www-community/attacks/CSV_Injection
 * and NUL. Apostrophes before it count as well, so that one can be put before them and taken away again.
 */
export const formulaPattern = "^'*[=+\\-@\\t\\r\\n\\x00＝＋－＠]";

/** Among them, numbers: a spreadsheet reads them as what they are. */
export const plainNumberPattern = '^[+\\-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+\\-]?[0-9]+)?$';

const formula = new RegExp(formulaPattern, 'u');
const plainNumber = new RegExp(plainNumberPattern, 'u');

/** A text that a spreadsheet shows and does not run. */
export function guardedText(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}
