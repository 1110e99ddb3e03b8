// Both patterns have the same meaning in JavaScript and in DuckDB.

/**
 * Texts that a spreadsheet may evaluate as a formula, by their first character: those of
 * https://owasp.org/www-community/attacks/CSV_Injection and NUL. Leading apostrophes are included, so that adding one
 * is reversible.
 */
export const formulaPattern = "^'*[=+\\-@\\t\\r\\n\\x00＝＋－＠]";

/** Numbers among them, which spreadsheets read correctly. */
export const plainNumberPattern = '^[+\\-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+\\-]?[0-9]+)?$';

const formula = new RegExp(formulaPattern, 'u');
const plainNumber = new RegExp(plainNumberPattern, 'u');

/** A text that a spreadsheet shows without evaluating it. */
export function guardedText(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}
