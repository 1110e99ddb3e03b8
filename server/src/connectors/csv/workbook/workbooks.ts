import { stat } from 'node:fs/promises';
import { fileReadError } from '../../file-read-error.ts';
import { type Workbook, type WorkbookTable, openWorkbook } from './open-workbook.ts';
import { type SheetEvents, readSheet } from './read-sheet.ts';
import { readSharedStrings } from './shared-strings.ts';
import { withZipParts } from './zip-parts.ts';

/** The workbooks of a source, each version of which is opened once. */
export interface Workbooks {
  /** Rejects with a `SourceError`. */
  tables(path: string, signal?: AbortSignal): Promise<readonly WorkbookTable[]>;
  /** Rejects with a `SourceError`, or with what `events` throw. */
  read(path: string, table: WorkbookTable, events: SheetEvents, signal: AbortSignal | undefined): Promise<void>;
}

/** Shared texts of the last workbook stay in memory, so that they are read once for all of its sheets. */
export function createWorkbooks(): Workbooks {
  const opened = new Map<string, { readonly state: string; readonly workbook: Promise<Workbook> }>();
  let last: { readonly workbook: Workbook; readonly strings: Promise<readonly string[]> } | undefined;
  const open = async (path: string, signal: AbortSignal | undefined): Promise<Workbook> => {
    const state = await stateOf(path);
    const known = opened.get(path);
    if (known?.state === state) return known.workbook;
    const workbook = openWorkbook(path, signal);
    opened.set(path, { state, workbook });
    return workbook.catch((error: unknown) => {
      opened.delete(path);
      throw error;
    });
  };
  return {
    tables: async (path, signal) => (await open(path, signal)).tables,
    async read(path, table, events, signal) {
      const workbook = await open(path, signal);
      await withZipParts(
        path,
        async (parts) => {
          if (last?.workbook !== workbook) {
            const { sharedStrings } = workbook;
            const strings = sharedStrings === undefined ? [] : readSharedStrings(parts.read(sharedStrings), signal);
            last = { workbook, strings: Promise.resolve(strings) };
            last.strings.catch(() => {
              last = undefined;
            });
          }
          await readSheet(parts, { workbook, strings: await last.strings }, table, events, signal);
        },
        { signal, entries: workbook.entries },
      );
    },
  };
}

async function stateOf(path: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path);
    return JSON.stringify([mtimeMs, ctimeMs, size, ino]);
  } catch (error) {
    throw fileReadError(path, error);
  }
}
