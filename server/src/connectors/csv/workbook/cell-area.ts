/** A rectangle of cells: 1-based rows, 0-based columns, all inclusive. */
export interface CellArea {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Excel's limits. */
const rows = 1_048_576;
export const maxColumns = 16_384;

/** The letters of a 0-based column: A, B, …, Z, AA. */
export function columnLetters(column: number): string {
  const rest = Math.floor(column / 26);
  return `${rest > 0 ? columnLetters(rest - 1) : ''}${String.fromCharCode(65 + (column % 26))}`;
}

/** Row and 0-based column of a reference such as `B7`; undefined for other texts, and cells beyond Excel's limits. */
export function cellOf(reference: string): Cell | undefined {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})([1-9][0-9]{0,6})$/i.exec(reference) ?? [];
  const [row, column] = [Number(digits), columnOf(letters)];
  return letters !== '' && row <= rows && column < maxColumns ? { row, column } : undefined;
}

function columnOf(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

/** The area of a text such as `A1:D20`, `D20:A1`, `$A$1`, `A:D` or `3:9`; undefined for other texts. */
export function areaOf(text: string): CellArea | undefined {
  const [from = '', to = from, ...more] = text.replaceAll('$', '').split(':');
  if (more.length > 0) return undefined;
  if (/^[A-Z]{1,3}$/i.test(from) && /^[A-Z]{1,3}$/i.test(to)) {
    return areaBetween({ row: 1, column: columnOf(from) }, { row: rows, column: columnOf(to) });
  }
  if (/^[0-9]{1,7}$/.test(from) && /^[0-9]{1,7}$/.test(to)) {
    return areaBetween({ row: Number(from), column: 0 }, { row: Number(to), column: maxColumns - 1 });
  }
  const [first, last] = [cellOf(from), cellOf(to)];
  return first && last && areaBetween(first, last);
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Some programs write the corners of an area in another order. */
function areaBetween(one: Cell, other: Cell): CellArea {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  };
}

/** Excel's limit. */
const longestFormula = 8192;

/** A defined name: a range of a sheet, several of them, or undefined for anything else, such as a formula. */
export function rangeOf(formula: string): { readonly sheet: string; readonly area: CellArea } | 'several' | undefined {
  const parts = formula.slice(0, longestFormula).match(/(?:'(?:[^']|'')*'|[^',])+/g) ?? [];
  const ranges = parts.map((part) => {
    const [, quoted, bare, cells = ''] = /^(?:'((?:[^']|'')+)'|([^'![\]:(),]+))!([^!]+)$/.exec(part.trim()) ?? [];
    const sheet = quoted?.replaceAll("''", "'") ?? bare;
    const area = areaOf(cells);
    return sheet !== undefined && area ? { sheet, area } : undefined;
  });
  if (ranges.some((range) => range === undefined)) return undefined;
  return ranges.length > 1 ? 'several' : ranges[0];
}
