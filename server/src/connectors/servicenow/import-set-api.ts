import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError } from '../source-error.ts';
import type { CallOptions, Platform } from './call-platform.ts';
import { truncatedAnswer } from './platform-failure.ts';
import { isRecord, readAnswer } from './read-answer.ts';
import type { TableApi } from './table-api.ts';

/** What became of a staging row in one transform map. Status 201 alone says nothing: look at `status`. */
export interface ImportOutcome {
  readonly status: 'inserted' | 'updated' | 'ignored' | 'skipped' | 'error' | (string & {});
  readonly table?: string;
  /** The record that was made or changed. */
  readonly recordId?: string;
  readonly message?: string;
}

export interface BulkOutcome {
  readonly importSetId: string;
  /** State of the import set, such as `processed`. */
  readonly state: string;
  readonly rows: readonly ImportOutcome[];
}

/** Rows into staging tables: `/api/now/import`. */
export interface ImportSetApi {
  insert(
    staging: string,
    values: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<readonly ImportOutcome[]>;
  outcome(staging: string, id: string, options?: CallOptions): Promise<readonly ImportOutcome[]>;
  /** Keys are column labels, unless the instance maps them. The rows are transformed later: ask `bulkOutcome`. */
  insertMultiple(
    staging: string,
    records: readonly Readonly<Record<string, string>>[],
    options?: CallOptions,
  ): Promise<{ readonly importSetId: string }>;
  /** Asks until the import set is done, at most `timeoutMs`. Rejects with `statement-timeout` when it is not by then. */
  bulkOutcome(
    importSetId: string,
    waiting: { readonly everyMs: number; readonly timeoutMs: number },
    options?: CallOptions,
  ): Promise<BulkOutcome>;
}

export function importSetApi({ call, now }: Platform, tables: TableApi): ImportSetApi {
  return {
    insert: (staging, values, options = {}) =>
      call({ method: 'POST', path: now('import', staging), ...json(values), options }, (answer, what) => {
        const value = readAnswer(answer, what);
        // A row that the user may not see afterwards is answered with nothing.
        return value === undefined ? [] : readOutcomes(value, what);
      }),
    outcome: (staging, id, options = {}) =>
      call({ method: 'GET', path: now('import', staging, id), options }, (answer, what) =>
        readOutcomes(readAnswer(answer, what), what),
      ),
    insertMultiple: (staging, records, options = {}) =>
      call(
        { method: 'POST', path: now('import', staging, 'insertMultiple'), ...json({ records }), options },
        (answer, what) => {
          const value = readAnswer(answer, what);
          const body = isRecord(value) && isRecord(value['result']) ? value['result'] : value;
          const importSetId = isRecord(body) ? body['import_set_id'] : undefined;
          if (typeof importSetId !== 'string') throw truncatedAnswer(what);
          return { importSetId };
        },
      ),
    async bulkOutcome(importSetId, { everyMs, timeoutMs }, options = {}) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const { records } = await tables.list(
          'sys_import_set',
          { query: `sys_id=${importSetId}`, fields: ['sys_id', 'state'] },
          options,
        );
        const state = textOf(records[0]?.['state']);
        if (/^(?:processed|cancelled|error)/i.test(state)) {
          return { importSetId, state, rows: await bulkRows(tables, importSetId, options) };
        }
        if (Date.now() + everyMs > deadline) throw unfinished(importSetId, state);
        await sleep(everyMs, undefined, options.signal ? { signal: options.signal } : {});
      }
    },
  };
}

async function bulkRows(
  tables: TableApi,
  importSetId: string,
  options: CallOptions,
): Promise<readonly ImportOutcome[]> {
  const { records } = await tables.list(
    'sys_import_set_row',
    { query: `sys_import_set=${importSetId}^ORDERBYsys_import_row` },
    options,
  );
  return records.map((row) => {
    const recordId = textOf(row['sys_target_sys_id']);
    const message = textOf(row['sys_import_state_comment']);
    return {
      status: textOf(row['sys_import_state']),
      ...(recordId !== '' && { recordId }),
      ...(message !== '' && { message }),
    };
  });
}

function readOutcomes(value: unknown, what: string): readonly ImportOutcome[] {
  const result = isRecord(value) ? value['result'] : undefined;
  if (!Array.isArray(result)) throw truncatedAnswer(what);
  return result.filter(isRecord).map((row) => {
    const message = [row['status_message'], row['error_message']].map(textOf).filter(Boolean).join(': ');
    const [table, recordId] = [textOf(row['table']), textOf(row['sys_id'])];
    return {
      status: textOf(row['status']),
      ...(table !== '' && { table }),
      ...(recordId !== '' && { recordId }),
      ...(message !== '' && { message }),
    };
  });
}

function unfinished(importSetId: string, state: string): SourceError {
  const known = state === '' ? 'cannot be read' : `is still ${state}`;
  return new SourceError('statement-timeout', `The import set ${importSetId} ${known}: its outcome is not known yet.`, {
    remedy: 'Look at the import set in the instance; the user needs to be allowed to read sys_import_set.',
  });
}

function json(value: unknown): { readonly body: string; readonly contentType: string } {
  return { body: JSON.stringify(value), contentType: 'application/json' };
}

function textOf(value: unknown): string {
  if (isRecord(value)) return textOf(value['value']);
  return typeof value === 'string' ? value : '';
}
