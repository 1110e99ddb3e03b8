import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError } from '../../source-error.ts';
import type { StagedOutcome } from '../../source-writer.ts';
import { retryWithHalfSize } from '../records/retry-with-half-size.ts';
import { jsonBody, type RequestedCall, type CallOptions, type Platform } from './call-platform.ts';
import { fieldText } from './field-text.ts';
import { unexpectedResponse } from './platform-failure.ts';
import { isRecord, readResponse } from './read-response.ts';
import type { TableApi } from './table-api.ts';

export interface BulkOutcome {
  readonly importSetId: string;
  /** State of the import set, such as `processed`. */
  readonly state: string;
  /** The readable rows, possibly not all. */
  readonly rows: readonly BulkRow[];
}

export interface BulkRow extends StagedOutcome {
  /** Row number in the set, as counted by the instance; absent if unavailable. */
  readonly place?: number;
}

/** Relations of a bulk insert to others. */
interface BulkParameters {
  /** The multi import set to join; default: a new one. */
  readonly multiImportSetId?: string;
  /** The import set to transform before this one. */
  readonly runAfter?: string;
}

/** The Import Set API: `/api/now/import`. */
export interface ImportSetApi {
  /** Status 201 alone does not mean success: see `status` of the outcomes. */
  insert(
    staging: string,
    values: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<readonly StagedOutcome[]>;
  outcome(staging: string, id: string, options?: CallOptions): Promise<readonly StagedOutcome[]>;
  /** Keys are column labels, unless the instance maps them. Rows are transformed later: see `bulkOutcome`. */
  insertMultiple(
    staging: string,
    records: readonly Readonly<Record<string, string>>[],
    parameters?: BulkParameters,
    options?: CallOptions,
  ): Promise<{ readonly importSetId: string; readonly multiImportSetId?: string | undefined }>;
  /** Polls until the import set is done, at most `timeoutMs`. Rejects with `statement-timeout` after that. */
  bulkOutcome(
    importSetId: string,
    waiting: { readonly everyMs: number; readonly timeoutMs: number },
    options?: CallOptions,
  ): Promise<BulkOutcome>;
}

/** A set that is repeatedly missing is hidden from the user, because it existed before its id was returned. */
const maxUnseen = 3;

export function importSetApi({ call, now }: Platform, tables: TableApi): ImportSetApi {
  return {
    insert: (staging, values, options = {}) =>
      call({ method: 'POST', path: now('import', staging), ...jsonBody(values), options }, (answer, asked) => {
        const value = readResponse(answer, asked);
        // A row that the user may not read has an empty response.
        return value === undefined ? [] : readOutcomes(value, asked);
      }),
    outcome: (staging, id, options = {}) =>
      call({ method: 'GET', path: now('import', staging, id), options }, (answer, asked) =>
        readOutcomes(readResponse(answer, asked), asked),
      ),
    insertMultiple: (staging, records, { multiImportSetId, runAfter } = {}, options = {}) => {
      const parameters = new URLSearchParams({
        ...(multiImportSetId !== undefined && { multi_import_set_id: multiImportSetId }),
        ...(runAfter !== undefined && { run_after: runAfter }),
      });
      const path = now('import', staging, 'insertMultiple');
      return call({ method: 'POST', path, parameters, ...jsonBody({ records }), options }, (answer, asked) => {
        const value = readResponse(answer, asked);
        const body = isRecord(value) && isRecord(value['result']) ? value['result'] : value;
        const importSetId = isRecord(body) ? fieldText(body['import_set_id']) : '';
        if (!isRecord(body) || importSetId === '') throw unexpectedResponse(asked, 'JSON that names no import set');
        const multiple = fieldText(body['multi_import_set_id']);
        return { importSetId, multiImportSetId: multiple === '' ? undefined : multiple };
      });
    },
    async bulkOutcome(importSetId, { everyMs, timeoutMs }, options = {}) {
      const deadline = performance.now() + timeoutMs;
      for (let unseen = 0; ;) {
        const asked = { query: `sys_id=${importSetId}`, fields: ['sys_id', 'state'] };
        const page = await retryWithHalfSize(1, () => tables.list('sys_import_set', asked, options));
        // The next request may succeed after one is cancelled by the instance.
        const records = page?.records ?? [{}];
        const state = fieldText(records[0]?.['state']);
        if (/^(?:processed|cancell?ed|error)/i.test(state)) {
          return { importSetId, state, rows: await bulkRows(tables, importSetId, options) };
        }
        if (records.length === 0) unseen += 1;
        if (unseen >= maxUnseen || performance.now() + everyMs > deadline) throw unfinished(importSetId, state);
        await sleep(everyMs, undefined, options.signal ? { signal: options.signal } : {});
      }
    },
  };
}

async function bulkRows(tables: TableApi, importSetId: string, options: CallOptions): Promise<readonly BulkRow[]> {
  const query = `sys_import_set=${importSetId}^ORDERBYsys_import_row`;
  const page = await retryWithHalfSize(1, () => tables.list('sys_import_set_row', { query }, options));
  if (!page) throw unfinished(importSetId, 'processed');
  return page.records.map((row) => {
    const place = fieldText(row['sys_import_row']);
    const [table, recordId] = [fieldText(row['sys_target_table']), fieldText(row['sys_target_sys_id'])];
    const message = fieldText(row['sys_import_state_comment']);
    return {
      ...(/^\d+$/.test(place) && { place: Number(place) }),
      status: fieldText(row['sys_import_state']),
      ...(table !== '' && { table }),
      ...(recordId !== '' && { recordId }),
      ...(message !== '' && { message }),
    };
  });
}

function readOutcomes(value: unknown, asked: RequestedCall): readonly StagedOutcome[] {
  const result = isRecord(value) ? value['result'] : undefined;
  if (!Array.isArray(result)) throw unexpectedResponse(asked, 'JSON that lists no outcomes');
  return result.filter(isRecord).map((row) => {
    const message = [row['status_message'], row['error_message']]
      .map((each) => fieldText(each))
      .filter(Boolean)
      .join(': ');
    const [table, recordId] = [fieldText(row['table']), fieldText(row['sys_id'])];
    return {
      status: fieldText(row['status']),
      ...(table !== '' && { table }),
      ...(recordId !== '' && { recordId }),
      ...(message !== '' && { message }),
    };
  });
}

function unfinished(importSetId: string, state: string): SourceError {
  const known = state === '' ? 'cannot be read' : `is still ${state}`;
  return new SourceError('statement-timeout', `The import set ${importSetId} ${known}: its outcome is not known yet.`, {
    remedy: `Look at the import set ${importSetId} in the instance; the user needs to be allowed to read sys_import_set.`,
  });
}
