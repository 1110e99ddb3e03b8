import { basename } from 'node:path';
import type { WrittenFields, FieldValues } from '../../../../../protocol/platform-actions.ts';
import type {
  ListedAttachment,
  RecordWriter,
  StagedColumns,
  WriteOptions,
  WrittenRecord,
  StagedOutcome,
} from '../../source-writer.ts';
import type { AttachmentMeta } from '../api/attachment-api.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { fieldText } from '../api/field-text.ts';
import type { PlatformRecord } from '../api/table-api.ts';
import { type DictionaryTable, readDictionary } from '../catalog/read-dictionary.ts';
import {
  attachmentsPage,
  attachmentsQuery,
  contentTypeOf,
  endpointAddress,
  writeParameters,
} from './action-request.ts';
import type { BulkOutcome, BulkRow } from '../api/import-set-api.ts';

/** The write actions as requests of a client. */
export function recordWriter(client: ServiceNowClient): RecordWriter {
  const { tables, attachments, importSets, scripted } = client;
  return {
    create: async (table, fields, options) =>
      written(fields, await tables.create(table, fields.values, writeParameters(fields), options)),
    update: async (table, id, fields, options) =>
      written(fields, await tables.update(table, id, fields.values, writeParameters(fields), options)),
    remove: (table, id, options) => tables.remove(table, id, {}, options),
    attachments: {
      list: (table, id, options) => listAttachments(client, table, id, options),
      async upload({ table, id, file, content, asForm }, options) {
        const sent = { table, recordId: id, fileName: basename(file), contentType: contentTypeOf(file), content };
        const send = asForm ? attachments.uploadForm : attachments.upload;
        const metadata = await send(sent, options);
        const { sys_id: key = '', size_bytes: size = '' } = metadata;
        return { id: key, size: /^\d+$/.test(size) ? Number(size) : undefined, metadata };
      },
      download: async (id, options) => (await attachments.download(id, options)).content,
      remove: (id, options) => attachments.remove(id, options),
    },
    staging: {
      batchNoun: 'import set',
      insert: (table, row, options) => importSets.insert(table, row, options),
      insertMany: async (table, rows, options) =>
        (await importSets.insertMultiple(table, rows, {}, options)).importSetId,
      outcomes: async (importSetId, count, waiting, options) =>
        bulkOutcomes(await importSets.bulkOutcome(importSetId, waiting, options), count),
      unknownColumns: (staged, options) => unknownColumns(client, staged, options),
    },
    async call(action, options) {
      const { method, body } = action;
      const { path, parameters } = endpointAddress(action);
      const { status, text } = await scripted.call({ method, path: path.join('/'), parameters, body }, options);
      return { asked: `${method} /api/${path.join('/')}`, status, text };
    },
  };
}

function written({ values }: WrittenFields, record: PlatformRecord): WrittenRecord {
  return { id: fieldText(record['sys_id']), record, warnings: rejectedFields(values, record) };
}

/** Metadata of all attachments of a record. */
async function listAttachments(
  { attachments: api, tables }: Pick<ServiceNowClient, 'attachments' | 'tables'>,
  table: string,
  id: string,
  options: WriteOptions,
): Promise<readonly ListedAttachment[]> {
  const found: AttachmentMeta[] = [];
  // Continues after the last key, because offsets shift while attachments are added and deleted.
  for (let last = '', skipped = 0; ;) {
    const place = { limit: attachmentsPage, offset: skipped };
    const { attachments, totalCount } = await api.list(attachmentsQuery(table, id, last), place, options);
    const behind = attachments.filter(({ sys_id: key = '' }) => key > last);
    found.push(...behind);
    // Access rules may shorten a page, so a short page is not the last one. Without a count, a page without new
    // attachments is.
    const isEnd = totalCount === undefined ? behind.length === 0 : skipped + attachmentsPage >= totalCount;
    if (isEnd) break;
    last = behind.at(-1)?.['sys_id'] ?? last;
    // Hidden attachments have no key to continue from.
    skipped = behind.length === 0 ? skipped + attachmentsPage : 0;
  }
  // An empty list does not tell a missing record from one without attachments.
  if (found.length === 0 && !hiddenTable.test(table)) await tables.get(table, id, { fields: ['sys_id'] }, options);
  return found.map(listedAttachment);
}

function listedAttachment(metadata: AttachmentMeta): ListedAttachment {
  const text = (name: string): string => metadata[name] ?? '';
  return {
    id: text('sys_id'),
    file: text('file_name'),
    type: text('content_type'),
    bytes: text('size_bytes'),
    created: text('sys_created_on'),
    metadata,
  };
}

/** Files of fields belong to internal table names. */
const hiddenTable = /^ZZ_YY/;

/**
 * Warnings about columns missing in a staging table. Empty without missing columns, and when the dictionary is not
 * completely readable.
 */
async function unknownColumns(
  client: Pick<ServiceNowClient, 'tables' | 'aggregates'>,
  staged: StagedColumns,
  options: WriteOptions,
): Promise<readonly string[]> {
  const table = (await readDictionary(client, [staged.table], options)).tables?.get(staged.table);
  const isComplete = table !== undefined && table.columns.length > 0 && table.missing === 0;
  return isComplete ? columnWarnings(staged, table) : [];
}

/** Compares names without case. */
function columnWarnings({ table, bulk, names }: StagedColumns, { columns }: DictionaryTable): readonly string[] {
  const byName = new Set(columns.map(({ name }) => name.toLowerCase()));
  const byLabel = new Map(columns.map(({ name, label }) => [label.toLowerCase(), name]));
  const isKnown = (name: string): boolean =>
    byName.has(name.toLowerCase()) || (bulk && byLabel.has(name.toLowerCase()));
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  const labels = unknown.flatMap((name) => {
    const column = byLabel.get(name.toLowerCase());
    return column === undefined ? [] : [`${name} is what it calls ${column}`];
  });
  const what = unknown.length === 1 ? 'no column' : 'no columns';
  const meant = labels.length > 0 ? ` ${labels.join(', ')}.` : '';
  return [`${table} has ${what} ${unknown.join(', ')}: what stands there is not kept.${meant}`];
}

/**
 * Results of the rows of a bulk insert, in order. A row that cannot be identified in the import set is `unknown`; one
 * that was not transformed is an `error`.
 */
function bulkOutcomes({ importSetId, state, rows }: BulkOutcome, count: number): readonly (readonly StagedOutcome[])[] {
  const first = firstPlace(rows, count);
  const look = `look at the import set ${importSetId} in the instance (state ${state}).`;
  return Array.from({ length: count }, (_, index): readonly StagedOutcome[] => {
    const own = first === undefined ? [] : rows.filter(({ place }) => place === first + index);
    if (own.length > 0) return own.map((row) => ended(row, look));
    if (first === undefined && rows.length > 0) {
      const message = `The import set tells of ${rows.length} of ${count} rows, but not which ones they are: ${look}`;
      return [{ status: 'unknown', message }];
    }
    return [{ status: 'unknown', message: `The import set does not show this row to this user: ${look}` }];
  });
}

/** Instances number rows from 0 or from 1; undefined if the readable rows do not show which. */
function firstPlace(rows: readonly BulkRow[], count: number): number | undefined {
  const places = rows.map(({ place }) => place);
  if (places.some((place) => place === undefined || place > count)) return undefined;
  if (places.includes(0)) return places.includes(count) ? undefined : 0;
  return places.includes(count) ? 1 : undefined;
}

/** An unfinished state of a row, such as `pending`, although the set has ended. */
function ended({ place: _, ...row }: BulkRow, look: string): StagedOutcome {
  if (row.status !== '' && row.status !== 'pending') return row;
  const message = `The import set ended before this row was transformed: ${look}`;
  return { ...row, status: row.status === '' ? 'unknown' : 'error', message };
}

/**
 * Fields of a record that the instance did not accept, one sentence each. It silently ignores unknown and read-only
 * fields, so the returned record is compared.
 */
function rejectedFields(sent: FieldValues, record: Readonly<Record<string, unknown>>): readonly string[] {
  // The response may contain the key only, in an address.
  if (Object.keys(record).every((name) => name === 'sys_id'))
    return ['The instance does not show the record: look there whether every field was set.'];
  const names = Object.keys(sent);
  const missing = names.filter((name) => !(name in record));
  const others = names.flatMap((name) => {
    const has = fieldText(record[name]);
    const shown = fieldText(record[name], 'display_value');
    const isTaken = isSame(sent[name] ?? '', has) || isSame(sent[name] ?? '', shown);
    if (!(name in record) || isTaken || (has === '' && journals.has(name))) return [];
    return [has === '' ? `${name} is empty` : `${name} is "${has}"`];
  });
  return [
    ...(missing.length === 0
      ? []
      : [
          `The record has no ${missing.join(', ')}, or none that this user may read: what was sent for that is lost. Check the spelling.`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `The record differs from the one sent: ${others.join(', ')}. A rule changed that, the user may not write it, or it is a journal or a password, which are never shown.`,
        ]),
  ];
}

/** Journal fields: their entries are not part of the record. */
const journals = new Set(['comments', 'work_notes', 'comments_and_work_notes']);

/** The platform normalises values: `1` is true, `2.50` is 2.5, a date has a time. */
function isSame(sent: string, has: string): boolean {
  const [one, other] = [sent.trim(), has.trim()];
  if (one === other || (/^(?:true|1)$/.test(one) && /^(?:true|1)$/.test(other))) return true;
  if (/^(?:false|0)$/.test(one) && /^(?:false|0)$/.test(other)) return true;
  if (one === '' || other === '') return false;
  return Number(one) === Number(other) || `${one} 00:00:00` === other;
}
