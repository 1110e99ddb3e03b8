import { stat } from 'node:fs/promises';
import { stampOf } from '../../../files/file-stamp.ts';
import { fileReadError } from '../../file-read-error.ts';
import { type Workbook, type WorkbookTable, openWorkbook } from './open-workbook.ts';
import { type SheetEvents, readSheet } from './read-sheet.ts';
import { readSharedStrings } from './shared-strings.ts';
import { type SharedWork, shareWork } from './shared-work.ts';
import { withZipParts } from './zip-parts.ts';

/** The workbooks of a source, each version of which is opened once. */
export interface Workbooks {
  /** Rejects with a `SourceError`. */
  tables(path: string, signal?: AbortSignal): Promise<readonly WorkbookTable[]>;
  /** Rejects with a `SourceError`, or with an error thrown by `events`. */
  read(path: string, table: WorkbookTable, events: SheetEvents, signal: AbortSignal | undefined): Promise<void>;
}

/** Shared texts of the last workbook stay in memory, so that they are read once for all of its sheets. */
export function createWorkbooks(): Workbooks {
  const opened = new Map<string, { readonly state: string; readonly workbook: SharedWork<Workbook> }>();
  let last: { readonly workbook: Workbook; readonly strings: SharedWork<readonly string[]> } | undefined;
  const open = async (path: string, signal: AbortSignal | undefined): Promise<Workbook> => {
    const state = await stateOf(path);
    let known = opened.get(path);
    if (known?.state !== state || known.workbook.isAbandoned) {
      known = { state, workbook: shareWork((ofAll) => openWorkbook(path, ofAll)) };
      opened.set(path, known);
    }
    try {
      return await known.workbook.result(signal);
    } catch (error) {
      if (!signal?.aborted && opened.get(path) === known) opened.delete(path);
      throw error;
    }
  };
  const stringsOf = async (
    path: string,
    workbook: Workbook,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> => {
    const { sharedStrings, entries } = workbook;
    if (sharedStrings === undefined) return [];
    let known = last;
    if (known?.workbook !== workbook || known.strings.isAbandoned) {
      const strings = shareWork((ofAll) =>
        withZipParts(path, (parts) => readSharedStrings(parts.read(sharedStrings), ofAll), { signal: ofAll, entries }),
      );
      last = known = { workbook, strings };
    }
    try {
      return await known.strings.result(signal);
    } catch (error) {
      if (!signal?.aborted && last === known) last = undefined;
      throw error;
    }
  };
  return {
    tables: async (path, signal) => (await open(path, signal)).tables,
    async read(path, table, events, signal) {
      const workbook = await open(path, signal);
      const strings = await stringsOf(path, workbook, signal);
      const { entries } = workbook;
      await withZipParts(path, (parts) => readSheet(parts, { workbook, strings }, table, events, signal), {
        signal,
        entries,
      });
    },
  };
}

async function stateOf(path: string): Promise<string> {
  try {
    return stampOf(await stat(path));
  } catch (error) {
    throw fileReadError(path, error);
  }
}
