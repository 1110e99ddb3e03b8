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
import type { Workbooks } from './workbook/workbooks.ts';
import { writeSheetCopy } from './workbook/write-sheet-copy.ts';

/**
 * Prepares a file for DuckDB: other encodings, and long numbers of JSON, are converted in `folder`, and tables of workbooks are written there as JSON. `verify` reads compressed files to their
 * checksum.
 */
export async function attachFile(
  file: InspectedFile,
  folder: () => Promise<string>,
  options: {
    readonly verify: boolean;
    readonly signal?: AbortSignal | undefined;
    readonly workbooks: Workbooks;
  },
): Promise<AttachedFile> {
  const { plan, path } = file;
  if (file.parts) {
    const parts: AttachedFile[] = [];
    for (const part of file.parts) parts.push(await attachFile(part, folder, options));
    return { file, readFrom: path, parts };
  }
  if (plan.kind === 'parquet') return { file, readFrom: path };
  if (needsCopy(plan)) {
    const copy = join(await folder(), copyName(file));
    const { signal } = options;
    try {
      if (plan.kind === 'workbook') {
        if (file.table) await writeSheetCopy(options.workbooks, { path, table: file.table, plan }, copy, signal);
      } else if (plan.kind === 'json')
        await writeUtf8Copy(path, copy, { ...plainUtf8, signal }, withLongNumbersAsTexts);
      else {
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
    return { file, readFrom: copy };
  }
  // DuckDB reads a truncated compressed file without an error.
  if (plan.kind === 'csv' && plan.gzip && options.verify) await verifyCompressed(path, options.signal);
  return { file, readFrom: path };
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
