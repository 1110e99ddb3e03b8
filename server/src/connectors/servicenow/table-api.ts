import type { CallOptions, Platform } from './call-platform.ts';
import { sysparms, type TableParameters } from './parameters.ts';
import { truncatedAnswer } from './platform-failure.ts';
import { isRecord, readAnswer, readResult } from './read-answer.ts';

/** A record as the platform writes it: strings, and objects for references and for `displayValue: all`. */
export type PlatformRecord = Readonly<Record<string, unknown>>;

export interface TablePage {
  /** Rows that the user may not read are not among them, so a page may be shorter than asked for, even empty. */
  readonly records: readonly PlatformRecord[];
  /** Rows that the query selects before the user's rights are looked at; absent with `noCount`. */
  readonly totalCount?: number;
  /** Bytes of the answer. */
  readonly size: number;
}

/** Records of tables: `/api/now/table`. */
export interface TableApi {
  list(table: string, parameters?: TableParameters, options?: CallOptions): Promise<TablePage>;
  get(table: string, id: string, parameters?: TableParameters, options?: CallOptions): Promise<PlatformRecord>;
  create(
    table: string,
    values: PlatformRecord,
    parameters?: TableParameters,
    options?: CallOptions,
  ): Promise<PlatformRecord>;
  /** PUT: in practice a partial update, as PATCH. */
  replace(
    table: string,
    id: string,
    values: PlatformRecord,
    parameters?: TableParameters,
    options?: CallOptions,
  ): Promise<PlatformRecord>;
  update(
    table: string,
    id: string,
    values: PlatformRecord,
    parameters?: TableParameters,
    options?: CallOptions,
  ): Promise<PlatformRecord>;
  remove(table: string, id: string, parameters?: TableParameters, options?: CallOptions): Promise<void>;
}

export function tableApi({ call, now }: Platform): TableApi {
  const write = (
    method: 'POST' | 'PUT' | 'PATCH',
    path: readonly string[],
    values: PlatformRecord,
    parameters: TableParameters,
    options: CallOptions,
  ): Promise<PlatformRecord> =>
    call(
      {
        method,
        path: now('table', ...path),
        parameters: sysparms(parameters),
        body: JSON.stringify(values),
        contentType: 'application/json',
        options,
      },
      (answer, what) => {
        const value = readAnswer(answer, what);
        return isRecord(value) && isRecord(value['result']) ? value['result'] : {};
      },
    );
  return {
    list: (table, parameters = {}, options = {}) =>
      call({ method: 'GET', path: now('table', table), parameters: sysparms(parameters), options }, (answer, what) => {
        // Version 1 says 404 where the others list nothing.
        if (answer.status === 404 && /No Record/i.test(answer.text)) return { records: [], totalCount: 0, size: 0 };
        const result = readResult(answer, what);
        if (!Array.isArray(result) || !result.every(isRecord)) throw truncatedAnswer(what);
        const count = answer.headers.get('x-total-count');
        const totalCount = count !== null && /^\d+$/.test(count) ? Number(count) : undefined;
        return { records: result, ...(totalCount !== undefined && { totalCount }), size: answer.size };
      }),
    get: (table, id, parameters = {}, options = {}) =>
      call(
        { method: 'GET', path: now('table', table, id), parameters: sysparms(parameters), options },
        (answer, what) => {
          const result = readResult(answer, what);
          if (!isRecord(result)) throw truncatedAnswer(what);
          return result;
        },
      ),
    create: (table, values, parameters = {}, options = {}) => write('POST', [table], values, parameters, options),
    replace: (table, id, values, parameters = {}, options = {}) =>
      write('PUT', [table, id], values, parameters, options),
    update: (table, id, values, parameters = {}, options = {}) =>
      write('PATCH', [table, id], values, parameters, options),
    remove: (table, id, parameters = {}, options = {}) =>
      call(
        { method: 'DELETE', path: now('table', table, id), parameters: sysparms(parameters), options },
        (answer, what) => void readAnswer(answer, what),
      ),
  };
}
