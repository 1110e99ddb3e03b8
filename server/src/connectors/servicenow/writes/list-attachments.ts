import type { WriteOptions } from '../../source-writer.ts';
import type { AttachmentMeta } from '../api/attachment-api.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { attachmentsPage, attachmentsQuery } from './action-request.ts';

/** Metadata of all attachments of a record. */
export async function listAttachments(
  { attachments: api, tables }: Pick<ServiceNowClient, 'attachments' | 'tables'>,
  table: string,
  id: string,
  options: WriteOptions,
): Promise<readonly AttachmentMeta[]> {
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
  return found;
}

/** Files of fields belong to internal table names. */
const hiddenTable = /^ZZ_YY/;
