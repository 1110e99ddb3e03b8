import type { DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { DiagnoseOptions } from '../connector.ts';
import { isSourceError } from '../source-error.ts';
import { retryWithHalfSize } from './records/retry-with-half-size.ts';
import type { CallOptions } from './api/call-platform.ts';
import { timeField } from './records/watermark.ts';
import type { ServiceNowClient } from './api/client.ts';
import type { ServiceNowConfig } from './read-settings.ts';
import { countRecords } from './records/count-records.ts';
import { fieldText } from './api/field-text.ts';
import { usualTables } from './catalog/introspect.ts';
import type { PlatformRecord } from './api/table-api.ts';

/** Number of records examined for hidden ones. */
const looked = 100;

/**
 * Diagnosis of what imports need in addition to the login: the dictionary, permission to read every record and to
 * compare
 * `sys_id`, and the zone of time literals. Rejects with a `SourceError` when nothing can be read.
 */
export async function diagnose(
  { tables = usualTables, onShortfall }: Pick<ServiceNowConfig, 'tables' | 'onShortfall'>,
  client: ServiceNowClient,
  { signal, used = [] }: DiagnoseOptions,
): Promise<readonly DiagnosisStep[]> {
  // The audit trail is the largest table, and is read with a filter only.
  const others = tables.filter((name) => name !== 'sys_audit');
  const table = others.find((name) => used.includes(name)) ?? others[0] ?? 'incident';
  const options = { signal };
  const count = async (): Promise<number | undefined> =>
    (await countRecords(client, { table, branches: [] }, options)).count;
  const before = await count();
  const first = await retryWithHalfSize(looked, (limit) =>
    client.tables
      .list(table, { limit, fields: ['sys_id', timeField(table)] }, options)
      .then((page) => ({ ...page, asked: limit })),
  );
  const login: DiagnosisStep = { name: 'Credentials', state: 'ok', message: 'The instance takes the login.' };
  const dictionary = await dictionaryCheck(client, table, signal);
  // A table without a single record in time cannot be examined further.
  if (!first) return [login, dictionary, tooSlow(`the first records of ${table}`, 'failed')];
  const after = await count();
  const counted = before === undefined || after === undefined ? undefined : Math.min(before, after);
  return [
    login,
    dictionary,
    rowsCheck(
      table,
      { asked: first.asked, records: first.records.length, listed: first.totalCount, counted },
      onShortfall,
    ),
    await keyCheck(client, table, signal),
    ...(await zoneChecks(client, table, first.records, options)),
  ];
}

/** The instance cancelled a query three times. */
function tooSlow(what: string, state: DiagnosisStep['state']): DiagnosisStep {
  return {
    name: 'Service',
    state,
    message: `The instance cancels the query for ${what}: it takes longer than the instance allows.`,
    remedy: 'Try again when the instance is less busy, or ask for a longer quota for REST transactions.',
  };
}

async function dictionaryCheck(
  { tables }: ServiceNowClient,
  table: string,
  signal: AbortSignal | undefined,
): Promise<DiagnosisStep> {
  const query = `name=${table}`;
  const found = await retryWithHalfSize(1, (limit) =>
    tables.list('sys_dictionary', { query, limit, noCount: true }, { signal }),
  ).catch((error: unknown) => {
    if (isSourceError(error) && error.code === 'permission-denied') return { records: [] };
    throw error;
  });
  if (!found) return tooSlow('the dictionary', 'warning');
  if (found.records.length > 0)
    return { name: 'Permissions', state: 'ok', message: 'The user may read the dictionary.' };
  return {
    name: 'Permissions',
    state: 'warning',
    message: `The user may not read what the dictionary says of ${table}: most columns are taken for texts.`,
    remedy: 'Give the user a role that may read sys_dictionary and sys_db_object.',
  };
}

interface FirstRecords {
  /** Number of requested records. */
  readonly asked: number;
  readonly records: number;
  /** Total announced by the list; undefined if unavailable. */
  readonly listed: number | undefined;
  /** Total of the Aggregate API, which an import compares with the records received. */
  readonly counted: number | undefined;
}

/** An instance may hide records on a page, or before it fills and counts pages. */
function rowsCheck(
  table: string,
  { asked, records, listed, counted }: FirstRecords,
  onShortfall: ServiceNowConfig['onShortfall'],
): DiagnosisStep {
  const expected = Math.min(Math.max(listed ?? 0, counted ?? 0), asked);
  const isShort = records < expected;
  const isCountedLess = listed !== undefined && counted !== undefined && listed < counted;
  if (!isShort && !isCountedLess) {
    return { name: 'Permissions', state: 'ok', message: `The first records of ${table} can all be read.` };
  }
  const found = isShort
    ? `Of the first ${expected} records of ${table} the user may read ${records}`
    : `The instance counts ${counted} records of ${table}, but lists only ${listed} for the user`;
  const cause = `Row ACLs of ${table} hide records: give the user a role that they let read all of them`;
  if (onShortfall === 'warn') {
    const message = `${found}: imports are short, as onShortfall allows.`;
    return { name: 'Permissions', state: 'warning', message, remedy: `${cause}.` };
  }
  return {
    name: 'Permissions',
    state: 'failed',
    message: `${found}: imports fail, as they would be short.`,
    remedy: `${cause}, or set onShortfall: warn to import what the user may read.`,
  };
}

/** Pages depend on this comparison, which an instance silently ignores without permission. */
async function keyCheck(
  { tables }: ServiceNowClient,
  table: string,
  signal: AbortSignal | undefined,
): Promise<DiagnosisStep> {
  const query = `sys_id>${'f'.repeat(32)}zz^ORDERBYsys_id`;
  const found = await retryWithHalfSize(1, (limit) =>
    tables.list(table, { query, limit, fields: ['sys_id'], noCount: true }, { signal }),
  );
  if (!found) return tooSlow('records behind the last sys_id', 'warning');
  if (found.records.length === 0)
    return { name: 'Permissions', state: 'ok', message: 'Records can be compared by their sys_id.' };
  return {
    name: 'Permissions',
    state: 'failed',
    message: `The instance ignores comparisons of sys_id in ${table}: pages cannot be distinguished, so imports fail.`,
    remedy: 'Give the user the query_range right on sys_id of the table.',
  };
}

/** Searches a record by its own time; without any time there is no result. */
async function zoneChecks(
  { tables }: ServiceNowClient,
  table: string,
  records: readonly PlatformRecord[],
  options: CallOptions,
): Promise<readonly DiagnosisStep[]> {
  const field = timeField(table);
  const known = records.find((record) => fieldText(record['sys_id']) !== '' && fieldText(record[field]) !== '');
  if (!known) return [];
  const query = `sys_id=${fieldText(known['sys_id'])}^${field}=${fieldText(known[field])}`;
  const found = await retryWithHalfSize(1, (limit) =>
    tables.list(table, { query, limit, fields: ['sys_id'], noCount: true }, options),
  );
  return [found ? zoneStep(found.records.length > 0) : tooSlow('a record by its own time', 'warning')];
}

function zoneStep(areUtc: boolean): DiagnosisStep {
  if (areUtc) return { name: 'Time Zone', state: 'ok', message: 'Literal times of queries are read as UTC.' };
  return {
    name: 'Time Zone',
    state: 'warning',
    message: 'The instance does not read literal times of queries as UTC: filters by time ask for more than they need.',
    remedy: 'Set the time zone of the user to GMT.',
  };
}
