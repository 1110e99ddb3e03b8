import { jsonBody, type CallOptions, type Platform } from './call-platform.ts';
import { readSysparms, sysparms, type TableParameters } from './parameters.ts';
import { instanceClock, isRecord, readResponse, readRecord, readRecords } from './read-response.ts';
import type { RegularPage, RegularPageReader } from '../records/regular-page.ts';

/** A record as sent by the platform: strings, and objects for references and for `displayValue: all`. */
export type PlatformRecord = Readonly<Record<string, unknown>>;

export interface TablePage {
  /** Without unreadable records, so a page may be shorter than requested, even empty. */
  readonly records: readonly PlatformRecord[];
  /** Number of matches before access rules; absent with `noCount`. */
  readonly totalCount?: number | undefined;
  /** Size of the response in bytes. */
  readonly size: number;
  /** Time of the response by the instance's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** The raw page, if it needs no parsing; `records` is then empty. */
  readonly regular?: RegularPage | undefined;
}

export interface ListOptions extends CallOptions {
  /** Recognises raw pages. */
  readonly regular?: RegularPageReader | undefined;
}

interface WriteOptions extends CallOptions {
  /** Returns the key of a created record only, and nothing for other writes. */
  readonly noResponseBody?: boolean | undefined;
}

/** Changes the given values of a record, and no others. Resolves to the record as it then is. */
type ChangeRecord = (
  table: string,
  id: string,
  values: PlatformRecord,
  parameters?: TableParameters,
  options?: WriteOptions,
) => Promise<PlatformRecord>;

/** Records of tables: `/api/now/table`. */
export interface TableApi {
  list(table: string, parameters?: TableParameters, options?: ListOptions): Promise<TablePage>;
  get(table: string, id: string, parameters?: TableParameters, options?: CallOptions): Promise<PlatformRecord>;
  create(
    table: string,
    values: PlatformRecord,
    parameters?: TableParameters,
    options?: WriteOptions,
  ): Promise<PlatformRecord>;
  /** PUT, which in practice changes no more than PATCH. */
  readonly replace: ChangeRecord;
  /** PATCH. */
  readonly update: ChangeRecord;
  remove(table: string, id: string, parameters?: TableParameters, options?: CallOptions): Promise<void>;
}

export function tableApi({ call, now, scope }: Platform): TableApi {
  const write = (
    method: 'POST' | 'PUT' | 'PATCH',
    path: readonly string[],
    values: PlatformRecord,
    parameters: TableParameters,
    { noResponseBody, ...options }: WriteOptions,
  ): Promise<PlatformRecord> =>
    call(
      {
        method,
        path: now('table', ...path),
        parameters: sysparms(parameters),
        ...jsonBody(values),
        headers: noResponseBody ? { 'X-no-response-body': 'true' } : undefined,
        options,
      },
      (answer, asked) => {
        const value = readResponse(answer, asked);
        if (isRecord(value) && isRecord(value['result'])) return value['result'];
        const [, id] = /\/table\/\w+\/(\w+)$/.exec(answer.headers.get('location') ?? '') ?? [];
        return id === undefined ? {} : { sys_id: id };
      },
    );
  return {
    list: (table, parameters = {}, { regular: regularPage, ...options } = {}) =>
      call(
        { method: 'GET', path: now('table', table), parameters: readSysparms(parameters, scope), options },
        (answer, asked) => {
          // Version 1 returns 404 instead of an empty list.
          const at = instanceClock(answer.headers);
          if (answer.status === 404 && /No Record/i.test(answer.text))
            return { records: [], totalCount: 0, size: 0, now: at };
          const regular = answer.status === 200 ? regularPage?.(answer.text) : undefined;
          const records = regular ? [] : readRecords(answer, asked);
          const count = answer.headers.get('x-total-count');
          const totalCount = count !== null && /^\d+$/.test(count) ? Number(count) : undefined;
          return {
            records,
            size: answer.size,
            now: at,
            totalCount,
            regular,
          };
        },
      ),
    get: (table, id, parameters = {}, options = {}) =>
      call(
        { method: 'GET', path: now('table', table, id), parameters: readSysparms(parameters, scope), options },
        readRecord,
      ),
    create: (table, values, parameters = {}, options = {}) => write('POST', [table], values, parameters, options),
    replace: (table, id, values, parameters = {}, options = {}) =>
      write('PUT', [table, id], values, parameters, options),
    update: (table, id, values, parameters = {}, options = {}) =>
      write('PATCH', [table, id], values, parameters, options),
    remove: (table, id, parameters = {}, options = {}) =>
      call(
        { method: 'DELETE', path: now('table', table, id), parameters: sysparms(parameters), options },
        (answer, asked) => void readResponse(answer, asked),
      ),
  };
}
