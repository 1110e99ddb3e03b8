import type { CellArea } from './cell-area.ts';
import type { SheetCell, SheetRow } from './read-sheet.ts';

/** The rows that name the columns: several where their cells are merged. */
export interface SheetHead {
  readonly first: number;
  readonly last: number;
}

/** Number of rows at the top in which column names are searched. */
export const headRows = 100;
/** Rows above the given one that may belong to it. */
export const rowsAbove = 8;

/** Cells by row and column, in which each cell of a merged one is its first. */
export interface HeadCells {
  readonly rows: readonly number[];
  cellAt(row: number, column: number): SheetCell | undefined;
  /** By column. */
  cellsIn(row: number): ReadonlyMap<number, SheetCell>;
  /** The merged cells with a value that reach into a row. */
  mergedIn(row: number): readonly CellArea[];
}

/** Cells under merged ones in the first rows. */
const mostMerged = 4_000_000;

export function headCells(rows: readonly SheetRow[], merged: readonly CellArea[]): HeadCells {
  const byRow = new Map(rows.map((row) => [row.number, new Map(row.cells.map((cell) => [cell.column, cell]))]));
  const numbers = rows.map(({ number }) => number);
  const last = numbers.at(-1) ?? 0;
  const mergedBy = new Map<number, CellArea[]>();
  let room = mostMerged;
  for (const area of merged) {
    const anchor = byRow.get(area.top)?.get(area.left);
    if (!anchor) continue;
    room -= (Math.min(area.bottom, last) - area.top + 1) * (area.right - area.left + 1);
    if (room < 0) throw new Error(`its rows at the top have more than ${mostMerged} merged cells`);
    for (let row = area.top; row <= Math.min(area.bottom, last); row += 1) {
      const others = mergedBy.get(row);
      if (others) others.push(area);
      else mergedBy.set(row, [area]);
      const cells = byRow.get(row) ?? new Map<number, SheetCell>();
      byRow.set(row, cells);
      for (let column = area.left; column <= area.right; column += 1) cells.set(column, anchor);
    }
  }
  return {
    rows: numbers,
    cellAt: (row, column) => byRow.get(row)?.get(column),
    cellsIn: (row) => byRow.get(row) ?? new Map(),
    mergedIn: (row) => mergedBy.get(row) ?? [],
  };
}

/**
 * The rows of the names: the first row that fills most of the usual columns, if it has texts only, or the given one; undefined if
 * there is none. Rows above that have a merged cell over several of its columns, and rows that a merged cell ties to it, belong
 * to it.
 */
export function findHead(
  cells: HeadCells,
  { header, headerRow }: { readonly header?: boolean | undefined; readonly headerRow?: number | undefined },
): SheetHead | undefined {
  if (headerRow !== undefined) return { first: topOf(cells, headerRow), last: headerRow };
  if (header === false) return undefined;
  const width = usualWidth(cells);
  const isTitle = (row: number): boolean => width > 1 && distinct(cells, row).length === 1;
  const full = cells.rows.find((row) => cells.cellsIn(row).size >= width * 0.75 && !isTitle(row));
  if (full !== undefined && hasTextsOnly(cells, full)) {
    return { first: topOf(cells, full), last: bottomOf(cells, full) };
  }
  const [first] = cells.rows;
  return header === true && first !== undefined ? { first, last: first } : undefined;
}

/** The number of cells that three rows of four do not exceed: a note beside a row makes no column. */
function usualWidth(cells: HeadCells): number {
  const widths = cells.rows.map((row) => cells.cellsIn(row).size).sort((one, other) => one - other);
  return widths[Math.floor(widths.length * 0.75)] ?? 0;
}

function distinct(cells: HeadCells, row: number): readonly SheetCell[] {
  return [...new Set(cells.cellsIn(row).values())];
}

function hasTextsOnly(cells: HeadCells, row: number): boolean {
  const all = distinct(cells, row);
  return all.length > 0 && all.every(({ kind }) => kind === 'text');
}

function topOf(cells: HeadCells, row: number): number {
  let top = row;
  while (isTied(cells, top - 1) || isOverSeveral(cells, top - 1, row)) top -= 1;
  return top;
}

function bottomOf(cells: HeadCells, row: number): number {
  let bottom = row;
  while ((isTied(cells, bottom) || dividesNames(cells, bottom)) && hasTextsOnly(cells, bottom + 1)) bottom += 1;
  return bottom;
}

/** Whether a merged cell reaches from a row into the next. */
function isTied(cells: HeadCells, row: number): boolean {
  return cells.mergedIn(row).some(({ bottom }) => bottom > row);
}

/** The merged cells over several columns of a row. */
function wideIn(cells: HeadCells, row: number): readonly CellArea[] {
  return cells.mergedIn(row).filter(({ left, right }) => right > left);
}

/** Whether each column of a merged cell has a cell of its own in the next row. */
function dividesNames(cells: HeadCells, row: number): boolean {
  const below = cells.cellsIn(row + 1);
  return wideIn(cells, row).some(({ left, right }) => {
    const own = new Set(Array.from({ length: right - left + 1 }, (_, index) => below.get(left + index)));
    return !own.has(undefined) && own.size > right - left;
  });
}

/** Whether a row has names over those of the head. A single text that begins at the left is the title of the table. */
function isOverSeveral(cells: HeadCells, row: number, head: number): boolean {
  const [wide] = wideIn(cells, row);
  if (!wide) return false;
  return distinct(cells, row).length > 1 || wide.left > Math.min(...cells.cellsIn(head).keys());
}

/** The columns of the names, and of those that are merged over several. */
export function headColumns(cells: HeadCells, head: SheetHead | undefined): readonly number[] {
  if (!head) return [];
  const rows = Array.from({ length: head.last - head.first + 1 }, (_, index) => cells.cellsIn(head.first + index));
  return rows.flatMap((row) => [...row.keys()]);
}

/** The column names; undefined where there is no text. */
export function headNames(
  cells: HeadCells,
  head: SheetHead | undefined,
  columns: readonly number[],
): readonly (string | undefined)[] {
  return columns.map((column) => {
    const texts: string[] = [];
    for (let row = head?.first ?? 0; head && row <= head.last; row += 1) {
      const text = cells.cellAt(row, column)?.text.replace(/\s+/g, ' ').trim();
      if (text !== undefined && text !== '' && text !== texts.at(-1)) texts.push(text);
    }
    return texts.length === 0 ? undefined : texts.join(' ');
  });
}
