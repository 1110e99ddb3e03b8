import { basename } from 'node:path';
import type { WrittenFields } from '../../../../../protocol/platform-actions.ts';
import type { RecordWriter, WrittenRecord } from '../../source-writer.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { fieldText } from '../api/field-text.ts';
import type { PlatformRecord } from '../api/table-api.ts';
import { contentTypeOf, endpointAddress, writeParameters } from './action-request.ts';
import { bulkOutcomes } from './bulk-outcomes.ts';
import { listAttachments } from './list-attachments.ts';
import { unknownColumns } from './unknown-columns.ts';
import { rejectedFields } from './untaken-fields.ts';

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
      insert: (table, row, options) => importSets.insert(table, row, options),
      insertMany: async (table, rows, options) =>
        (await importSets.insertMultiple(table, rows, {}, options)).importSetId,
      outcomes: async (importSet, count, waiting, options) =>
        bulkOutcomes(await importSets.bulkOutcome(importSet, waiting, options), count),
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
