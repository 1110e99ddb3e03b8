import { open } from 'node:fs/promises';
import { SourceError } from '../../source-error.ts';
import type { WorkbookPlan } from '../plan-types.ts';
import { longestRow } from '../read-plan.ts';
import { rowTexts } from './learn-sheet.ts';
import type { WorkbookTable } from './open-workbook.ts';
import type { SheetRow } from './read-sheet.ts';
import type { Workbooks } from './workbooks.ts';

const pieceSize = 1 << 20;
/** Bytes of a copy: few cells far to the right make many missing values. */
const maxCopy = 8 * 1024 ** 3;

interface SheetOfPlan {
  readonly path: string;
  readonly table: WorkbookTable;
  readonly plan: WorkbookPlan;
}

/** Writes the rows of a table below its head: a line for each, with a JSON list of texts. */
export async function writeSheetCopy(
  workbooks: Workbooks,
  { path, table, plan }: SheetOfPlan,
  copy: string,
  signal: AbortSignal | undefined,
  limit = maxCopy,
): Promise<void> {
  const nulls = new Set(plan.nullValues);
  const file = await open(copy, 'w');
  let lines: string[] = [];
  let size = 0;
  let written = 0;
  const refuse = (what: string, remedy: string): SourceError =>
    new SourceError('file-malformed', `${path}, sheet ${table.sheet}${what}.`, { file: path, remedy });
  const write = async (): Promise<void> => {
    await file.write(lines.join(''));
    lines = [];
    size = 0;
  };
  try {
    await workbooks.read(
      path,
      table,
      {
        row(row) {
          if (row.number <= plan.headRow) return;
          const line = `${JSON.stringify(withoutEnd(rowTexts(row, plan.sheetColumns, nulls)))}\n`;
          if (Buffer.byteLength(line) > longestRow) {
            throw refuse(`, row ${row.number} has more than 16 MB`, 'Shorten its texts.');
          }
          written += line.length;
          if (written > limit) {
            throw refuse(` has more than ${limit} bytes as rows of texts`, 'Save the sheet as CSV and use that file.');
          }
          lines.push(line);
          size += line.length;
        },
        flush: async () => {
          if (size >= pieceSize) await write();
        },
      },
      signal,
    );
    await write();
  } finally {
    await file.close();
  }
}

/** Without missing values at the end, which the reader adds. */
function withoutEnd(texts: readonly (string | null)[]): readonly (string | null)[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== null) + 1);
}

/** The row of the sheet that a row of the copy was made of; both are 1-based. */
export async function rowOfRecord(
  workbooks: Workbooks,
  { path, table, plan }: SheetOfPlan,
  record: number,
): Promise<number> {
  let records = 0;
  let found = 0;
  const row = ({ number }: SheetRow): void => {
    if (number <= plan.headRow) return;
    records += 1;
    if (records === record) found = number;
  };
  await workbooks.read(path, table, { row }, undefined);
  return found;
}
