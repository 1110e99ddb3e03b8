import { jsonBody, type CallOptions, type Platform } from './call-platform.ts';
import { readSysparms, sysparms, type TableParameters } from './parameters.ts';
import { instanceClock, isRecord, readAnswer, readRecord, readRecords } from './read-answer.ts';
import type { RegularPage, RegularPageReader } from '../records/regular-page.ts';

/** A record as the platform writes it: strings, and objects for references and for `displayValue: all`. */
export type PlatformRecord = Readonly<Record<string, unknown>>;

export interface TablePage {
  /** Rows that the user may not read are not among them, so a page may be shorter than asked for, even empty. */
  readonly records: readonly PlatformRecord[];
  /** Rows that the query selects before the user's rights are looked at; absent with `noCount`. */
  readonly totalCount?: number;
  /** Bytes of the answer. */
  readonly size: number;
  /** Clock of the instance when it answered, milliseconds since the epoch. */
  readonly now: number;
  /** What it is if it need not be read; there are no `records` then. */
  readonly regular?: RegularPage;
}

export interface ListOptions extends CallOptions {
  /** Recognises pages that need not be read. */
  readonly regular?: RegularPageReader | undefined;
}

export interface WriteOptions extends CallOptions {
  /** The record is not answered with, only its key, and that only when it is made. */
  readonly noResponseBody?: boolean;
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
        ...(noResponseBody && { headers: { 'X-no-response-body': 'true' } }),
        options,
      },
      (answer, asked) => {
        const value = readAnswer(answer, asked);
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
          // Version 1 says 404 where the others list nothing.
          const at = instanceClock(answer.headers);
          if (answer.status === 404 && /No Record/i.test(answer.text))
            return { records: [], totalCount: 0, size: 0, now: at };
          const regular = answer.status === 200 ? regularPage?.(answer.text) : undefined;
          const records = regular ? [] : readRecords(answer, asked);
          const count = answer.headers.get('x-total-count');
          const totalCount = count !== null && /^\d+$/.test(count) ? Number(count) : undefined;
          return {
            ...{ records, size: answer.size, now: at },
            ...(totalCount !== undefined && { totalCount }),
            ...(regular && { regular }),
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
        (answer, asked) => void readAnswer(answer, asked),
      ),
  };
}
