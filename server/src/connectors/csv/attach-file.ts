import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileReadError } from '../file-read-error.ts';
import { type TextOptions, writeUtf8Copy } from './encodings.ts';
import type { AttachedFile, InspectedFile } from './inspected-file.ts';
import { withLongNumbersAsTexts } from './long-numbers.ts';
import { withOneLineEnd } from './mixed-line-ends.ts';
import type { ReadPlan } from './plan-types.ts';
import { needsCopy, plainUtf8 } from './read-plan.ts';
import { verifyCompressed } from './read-sample.ts';
import { writeWithoutWideDecimals } from './wide-decimals-copy.ts';
import type { Workbooks } from './workbook/workbooks.ts';
import { writeSheetCopy } from './workbook/write-sheet-copy.ts';

interface AttachOptions {
  readonly verify: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly workbooks: Workbooks;
}

/**
 * Prepares a file for DuckDB: other encodings, long numbers of JSON and lists in it are written to a copy in `folder`,
 * wide decimals of Parquet files as bytes, and tables of workbooks as JSON. `verify` reads compressed files to their checksum.
 */
export async function attachFile(
  file: InspectedFile,
  folder: () => Promise<string>,
  options: AttachOptions,
): Promise<AttachedFile> {
  if (file.parts) {
    const parts: AttachedFile[] = [];
    for (const part of file.parts) parts.push(await attachFile(part, folder, options));
    return { file, readFrom: file.path, parts };
  }
  return { file, readFrom: await readableFile(file, folder, options) };
}

/** The path that DuckDB can read: the file, or a copy in `folder`. */
export async function readableFile(
  file: Pick<InspectedFile, 'path' | 'plan' | 'table'>,
  folder: () => Promise<string>,
  options: AttachOptions,
): Promise<string> {
  const { path, plan, table } = file;
  if (needsCopy(plan)) {
    const copy = join(await folder(), copyName(file));
    const { signal } = options;
    try {
      if (plan.kind === 'workbook') {
        if (table) await writeSheetCopy(options.workbooks, { path, table, plan }, copy, signal);
      } else if (plan.kind === 'parquet') {
        await writeWithoutWideDecimals(path, copy);
      } else if (plan.kind === 'json') {
        const content = { ...plainUtf8, gzip: plan.gzip === true, records: plan.records, signal };
        await writeUtf8Copy(path, copy, content, plan.hasLongNumbers ? withLongNumbersAsTexts : undefined);
      } else {
        const text: TextOptions = { encoding: plan.encoding, gzip: plan.gzip, signal };
        await writeUtf8Copy(
          path,
          copy,
          text,
          plan.mixedLineEnds ? (pieces) => withOneLineEnd(pieces, plan) : undefined,
        );
      }
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw fileReadError(path, error);
    }
    return copy;
  }
  // DuckDB reads a truncated compressed file without an error.
  if ('gzip' in plan && plan.gzip === true && options.verify) await verifyCompressed(path, options.signal);
  return path;
}

/** How DuckDB reads the file, which may be a copy. */
export function planFor({ file, readFrom }: AttachedFile): ReadPlan {
  const { plan } = file;
  return plan.kind === 'csv' && readFrom !== file.path ? { ...plan, ...plainUtf8 } : plan;
}

/**
 * The name of a temporary copy. It is not derived from the data object, whose name may be repeated or have any
 * characters.
 */
function copyName({ path, plan, table }: Pick<InspectedFile, 'path' | 'plan' | 'table'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([path, plan, table]))
    .digest('hex');
  return `utf-8-${hash.slice(0, 32)}.csv`;
}
