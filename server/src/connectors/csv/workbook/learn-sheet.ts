import { survivesAsDouble } from '../../survives-as-double.ts';
import { type JsonNumbers, type JsonPlace, jsonKinds, newPlace, textForms } from '../json-places.ts';
import { fits64Bits, formOf } from '../scan-json.ts';
import { typeOfForms, typeOfPlace } from '../json-types.ts';
import { type CellArea, columnLetters } from './cell-area.ts';
import {
  type HeadCells,
  type SheetHead,
  findHead,
  headCells,
  headColumns,
  headNames,
  headRows,
  rowsAbove,
} from './find-head.ts';
import type { CellFault, SheetCell, SheetEvents, SheetRow } from './read-sheet.ts';

interface SheetOptions {
  readonly header?: boolean | undefined;
  readonly headerRow?: number | undefined;
  readonly nullValues?: readonly string[] | undefined;
}

/** A column of a table. */
export interface SheetColumn {
  readonly name: string;
  /** Whether the name comes from the head; otherwise it is the letter of the column. */
  readonly isNamed: boolean;
  /** 0-based column of the sheet. */
  readonly column: number;
  readonly type: string;
  /** Whether its numbers have more digits than any numeric type holds. */
  readonly keepsDigits: boolean;
  /** Whether some cells have a time, as ISO 8601. */
  readonly hasTimes: boolean;
  /** All values are texts, not all of them in ISO 8601. */
  readonly areTexts: boolean;
}

export interface LearntSheet {
  readonly head: SheetHead | undefined;
  readonly columns: readonly SheetColumn[];
  readonly records: number;
  /** The number of the last row with cells; 0 without any. */
  readonly lastRow: number;
  /** The first rows as texts, in the order of the columns. */
  readonly firstRows: readonly (readonly (string | null)[])[];
  readonly faults: ReadonlyMap<CellFault, { readonly count: number; readonly row: number; readonly column: number }>;
  /** The first merged cell below the head. */
  readonly merged: CellArea | undefined;
}

const shownRows = 20;
/** Maximum number of characters of the rows at the top, which are kept in memory. */
const mostBuffered = 16_777_216;
const timeOfDay = 16;
const duration = 32;

/** Learns names and types from all rows of a table, one after the other. */
export function learnSheet(options: SheetOptions): SheetEvents & { end(): LearntSheet } {
  const nulls = new Set(options.nullValues);
  const buffered: SheetRow[] = [];
  const merged: CellArea[] = [];
  const faults = new Map<CellFault, { count: number; row: number; column: number }>();
  const places = new Map<number, Learnt>();
  let records = 0;
  let lastRow = 0;
  let size = 0;
  const firstBuffered = (options.headerRow ?? 0) - rowsAbove;
  const lastBuffered = Math.max(headRows, (options.headerRow ?? 0) + shownRows);
  const add = (row: SheetRow): void => {
    records += 1;
    for (const cell of row.cells) {
      if (nulls.has(cell.text)) continue;
      let place = places.get(cell.column);
      if (!place) places.set(cell.column, (place = { ...newPlace(), hasTimes: false }));
      learnCell(place, cell);
    }
  };
  return {
    row(row) {
      lastRow = Math.max(lastRow, row.number);
      if (row.number < firstBuffered) return;
      const isAtTop = row.number <= lastBuffered || buffered.length < shownRows;
      if (!isAtTop || size > mostBuffered) {
        add(row);
        return;
      }
      buffered.push(row);
      size += row.cells.reduce((sum, { text }) => sum + text.length, 0);
    },
    fault(fault, row, column) {
      const known = faults.get(fault);
      if (known) known.count += 1;
      else faults.set(fault, { count: 1, row, column });
    },
    merged(area) {
      if (area.top <= lastBuffered || merged.length === 0) merged.push(area);
    },
    end() {
      const cells = headCells(buffered, merged);
      const head = findHead(cells, options);
      const last = head?.last ?? 0;
      const data = buffered.filter(({ number }) => number > last);
      for (const row of data) add(row);
      const columns = columnsOf(cells, head, places);
      return {
        head,
        columns,
        records,
        lastRow,
        firstRows: data.slice(0, shownRows).map((row) =>
          rowTexts(
            row,
            columns.map(({ column }) => column),
            nulls,
          ),
        ),
        faults,
        merged: merged.find(({ top, bottom, left, right }) => top > last && (bottom > top || right > left)),
      };
    },
  };
}

interface Learnt extends JsonPlace {
  hasTimes: boolean;
}

function learnCell(place: Learnt, { kind, text }: SheetCell): void {
  switch (kind) {
    case 'number':
      place.kinds |= jsonKinds.number;
      addNumber(place.numbers, text);
      return;
    case 'boolean':
      place.kinds |= jsonKinds.boolean;
      return;
    case 'text':
    case 'isoTime':
      place.kinds |= jsonKinds.text;
      if (kind === 'isoTime') place.hasTimes = true;
      place.texts |= kind === 'isoTime' && /^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? timeOfDay : formOf(text);
      return;
    case 'timeOfDay':
    case 'duration':
    case 'date':
    case 'time':
      place.kinds |= jsonKinds.text;
      place.hasTimes = true;
      place.texts |= { timeOfDay, duration, date: textForms.date, time: textForms.time }[kind];
  }
}

function addNumber(numbers: JsonNumbers, text: string): void {
  const [, whole = '', fraction = '', exponent] = /^-?(\d*)\.?(\d*)(e.*)?$/i.exec(text) ?? [];
  const hasExponent = exponent !== undefined;
  const isWhole = fraction === '' && !hasExponent;
  numbers.wholeDigits = Math.max(numbers.wholeDigits, whole.length);
  numbers.scale = Math.max(numbers.scale, fraction.replace(/0+$/, '').length);
  if (!isWhole) numbers.isFloating = true;
  if (hasExponent) numbers.hasExponent = true;
  if (text.length <= 15) return;
  if (isWhole && whole.length > 18 && !fits64Bits(text)) numbers.isWide = true;
  // `floating_number` refuses whole numbers of more digits.
  if ((isWhole && whole.length > 16) || !survivesAsDouble(text)) numbers.isLossy = true;
}

function typeOfTexts(place: JsonPlace): string {
  if (place.texts === timeOfDay) return 'TIME';
  return place.texts === duration ? 'INTERVAL' : typeOfForms(place);
}

/** Columns that have a name or a value. */
function columnsOf(
  cells: HeadCells,
  head: SheetHead | undefined,
  places: ReadonlyMap<number, Learnt>,
): readonly SheetColumn[] {
  const columns = [...new Set([...places.keys(), ...headColumns(cells, head)])].sort((left, right) => left - right);
  const names = headNames(cells, head, columns);
  return columns.map((column, index) => {
    const place = places.get(column) ?? { ...newPlace(), hasTimes: false };
    const type = typeOfPlace(place, typeOfTexts);
    return {
      name: names[index] ?? columnLetters(column),
      isNamed: names[index] !== undefined,
      column,
      type,
      keepsDigits: place.kinds === jsonKinds.number && type === 'VARCHAR',
      hasTimes: place.hasTimes,
      areTexts: place.kinds === jsonKinds.text && type === 'VARCHAR' && !place.hasTimes,
    };
  });
}

/** The texts of a row in the order of columns; null for missing values. */
export function rowTexts(
  { cells }: SheetRow,
  columns: readonly number[],
  nulls: ReadonlySet<string>,
): readonly (string | null)[] {
  const texts = new Map(cells.map(({ column, text }) => [column, nulls.has(text) ? null : text]));
  return columns.map((column) => texts.get(column) ?? null);
}
