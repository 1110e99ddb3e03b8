import { type CellArea, areaOf, cellOf, columnLetters, maxColumns } from './cell-area.ts';
import { cellNumber } from './cell-number.ts';
import type { Workbook, WorkbookTable } from './open-workbook.ts';
import { readXml } from './read-xml.ts';
import { type TimeText, serialTime } from './serial-time.ts';
import { createTextCollector } from './text-collector.ts';
import { unescapeText } from './text-escapes.ts';
import type { ZipParts } from './zip-parts.ts';

/** A cell with a value. */
export interface SheetCell {
  /** 0-based. */
  readonly column: number;
  readonly kind: 'number' | 'boolean' | 'text' | TimeText['form'] | 'isoTime';
  /** Never empty. */
  readonly text: string;
}

export interface SheetRow {
  /** 1-based, as Excel shows it. */
  readonly number: number;
  /** From left to right; at least one. */
  readonly cells: readonly SheetCell[];
}

/** Why a cell that is not empty is a missing value. With `maybeOutdated` its value is used. */
export type CellFault = 'error' | 'noDay' | 'notCalculated' | 'maybeOutdated';

export interface SheetEvents {
  row(row: SheetRow): void;
  fault?(fault: CellFault, row: number, column: number): void;
  merged?(area: CellArea): void;
  /** Called after each piece of the sheet. */
  flush?(): Promise<void>;
}

/** Reads the rows of a table that have a value. Rejects with an error that names the cell of a mistake. */
// eslint-disable-next-line max-lines-per-function -- A reader that runs once for each cell: its handlers share the state of the current cell.
export async function readSheet(
  parts: ZipParts,
  { workbook, strings }: { readonly workbook: Workbook; readonly strings: readonly string[] },
  { part, area }: WorkbookTable,
  events: SheetEvents,
  signal: AbortSignal | undefined,
): Promise<void> {
  const collector = createTextCollector();
  let row = 0;
  let cells: SheetCell[] = [];
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let hasValue = false;
  let hasFormula = false;
  let isInRows = false;
  let isInValue = false;
  let isInline = false;
  const isInArea = (of: number, at: number): boolean =>
    !area || (of >= area.top && of <= area.bottom && at >= area.left && at <= area.right);
  const wrong = (what: string): Error => new Error(`cell ${columnLetters(column)}${row} ${what}`);
  const beginRow = (reference: string | undefined): void => {
    const number = reference === undefined ? row + 1 : Number(reference);
    if (!Number.isInteger(number) || number <= row) throw new Error(`row ${reference} stands behind row ${row}`);
    row = number;
    column = -1;
    cells = [];
  };
  const beginCell = (attributes: Readonly<Record<string, string>>): void => {
    const { r: reference, t = 'n', s = '0' } = attributes;
    const cell = reference === undefined ? { row, column: column + 1 } : cellOf(reference);
    if (cell?.row !== row || cell.column <= column || cell.column >= maxColumns)
      throw new Error(`row ${row} has a cell ${reference} at the wrong place`);
    column = cell.column;
    type = t;
    style = Number(s);
    value = '';
    hasValue = hasFormula = false;
    isInline = false;
  };
  const fault = (what: CellFault): undefined => {
    events.fault?.(what, row, column);
  };
  const numberCell = (): Omit<SheetCell, 'column'> | undefined => {
    const text = cellNumber(value);
    if (text === undefined) throw wrong(`has "${value.slice(0, 40)}", which is no number`);
    const format = workbook.timeFormats[style];
    if (format === undefined) return { kind: 'number', text };
    const time = serialTime(Number(text), format, workbook.isFrom1904);
    return time ? { kind: time.form, text: time.text } : fault('noDay');
  };
  const valueOfCell = (): Omit<SheetCell, 'column'> | undefined => {
    if (isInline) return { kind: 'text', text: collector.take() };
    if (!hasValue) return hasFormula ? fault('notCalculated') : undefined;
    if (hasFormula && workbook.isUncalculated) fault('maybeOutdated');
    if (type !== 'str' && value.trim() === '') return undefined;
    switch (type) {
      case 'n':
        return numberCell();
      case 's': {
        const text = strings[Number(value)];
        if (text === undefined)
          throw wrong(`names the shared text ${value.slice(0, 40)}, which the workbook does not have`);
        return { kind: 'text', text };
      }
      case 'str':
        return { kind: 'text', text: unescapeText(value) };
      case 'b': {
        const truth = { 1: 'true', 0: 'false', true: 'true', false: 'false' }[value.trim()];
        if (truth === undefined) throw wrong(`has "${value.slice(0, 40)}", which is no boolean`);
        return { kind: 'boolean', text: truth };
      }
      case 'e':
        return fault('error');
      case 'd':
        return { kind: 'isoTime', text: value.trim() };
      default:
        throw wrong(`has the type ${type}, which is unknown`);
    }
  };
  const endCell = (): void => {
    if (!isInArea(row, column)) return;
    const found = valueOfCell();
    if (found && found.text !== '') cells.push({ column, ...found });
  };
  await readXml(
    parts.read(part),
    {
      open(name, attributes) {
        if (name === 'mergeCell') {
          const merged = areaOf(attributes['ref'] ?? '');
          if (merged && isInArea(merged.top, merged.left)) events.merged?.(merged);
        }
        if (name === 'sheetData') isInRows = true;
        // Extensions behind the rows have elements of the same names.
        if (!isInRows) return;
        switch (name) {
          case 'row':
            beginRow(attributes['r']);
            break;
          case 'c':
            beginCell(attributes);
            break;
          case 'v':
            isInValue = hasValue = true;
            break;
          case 'f':
            hasFormula = true;
            break;
          case 'is':
            isInline = true;
            collector.take();
            break;
          default:
            if (isInline) collector.open(name);
        }
      },
      text(text) {
        if (isInValue) value += text;
        else if (isInline) collector.text(text);
      },
      close(name) {
        if (name === 'sheetData') isInRows = false;
        if (!isInRows) return;
        if (name === 'v') isInValue = false;
        else if (name === 'c') endCell();
        else if (name === 'row') {
          if (cells.length > 0) events.row({ number: row, cells });
        } else if (isInline) collector.close(name);
      },
      ...(events.flush && { flush: events.flush.bind(events) }),
    },
    signal,
  );
}
