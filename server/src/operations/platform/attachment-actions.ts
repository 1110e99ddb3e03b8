import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ActionResult, PlatformAction } from '../../../../protocol/platform-actions.ts';
import { attachmentsPage, attachmentsQuery, contentTypeOf } from '../../connectors/servicenow/api/action-request.ts';
import type { AttachmentMeta } from '../../connectors/servicenow/api/attachment-api.ts';
import type { CallOptions } from '../../connectors/servicenow/api/call-platform.ts';
import type { ServiceNowClient } from '../../connectors/servicenow/api/client.ts';
import { fileError } from '../../connectors/csv/read-sample.ts';
import { SourceError } from '../../connectors/source-error.ts';
import { FileError, fileErrorOf } from '../../files/file-error.ts';
import { takePlace } from '../../files/take-place.ts';
import { draftOf, removeAbandonedDrafts } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { formattedJson } from '../../model/indented-json.ts';
import { withoutSettings } from './staging-file.ts';
import { knownOutcome, placeToLook } from './unknown-outcome.ts';

/** Metadata of all attachments of a record. */
export async function listAttachments(
  client: ServiceNowClient,
  { table, id }: Extract<PlatformAction, { kind: 'list attachments' }>,
  options: CallOptions,
): Promise<ActionResult> {
  const found: AttachmentMeta[] = [];
  // Continues after the last key, because offsets shift while attachments are added and deleted.
  for (let last = '', skipped = 0; ;) {
    const place = { limit: attachmentsPage, offset: skipped };
    const { attachments, totalCount } = await client.attachments.list(
      attachmentsQuery(table, id, last),
      place,
      options,
    );
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
  if (found.length === 0 && !hiddenTable.test(table))
    await client.tables.get(table, id, { fields: ['sys_id'] }, options);
  return {
    summary: `${found.length} ${found.length === 1 ? 'attachment' : 'attachments'}.`,
    body: formattedJson(found),
  };
}

/** Files of fields belong to internal table names. */
const hiddenTable = /^ZZ_YY/;

/** Size limit in bytes; larger files are streamed. */
const smallFile = 16 * 1024 * 1024;

/** Attaches a file to a record. */
export async function uploadAttachment(
  client: ServiceNowClient,
  action: Extract<PlatformAction, { kind: 'upload attachment' }>,
  options: CallOptions,
): Promise<ActionResult> {
  const { table, id, file, asForm } = action;
  const size = await sizeOfUpload(file);
  const content = size <= smallFile ? await readFile(file) : () => createReadStream(file, { end: size - 1 });
  const attachment = { table, recordId: id, fileName: basename(file), contentType: contentTypeOf(file), content };
  const send = asForm ? client.attachments.uploadForm : client.attachments.upload;
  const write = { signal: options.signal, look: placeToLook(action) };
  const meta = await knownOutcome(write, () => send(attachment, options));
  const attachmentId = meta['sys_id'] ?? '';
  checkSize(meta, Buffer.isBuffer(content) ? content.length : size, `${basename(file)} of ${id}`);
  return {
    summary: `${basename(file)} is attached to ${id} of ${table}.`,
    id: attachmentId,
    body: formattedJson(meta),
  };
}

/** Content of the file to attach. Rejects with `file-missing` or `file-unreadable`. */
export async function sizeOfUpload(file: string): Promise<number> {
  try {
    const stats = await stat(file);
    if (stats.isFile()) {
      await access(file, constants.R_OK);
      return stats.size;
    }
  } catch (error) {
    throw withoutSettings(fileError(file, error));
  }
  throw new SourceError('file-unreadable', `${file} is no file.`, {
    file,
    remedy: 'Name a file; put the files of a folder into an archive first.',
  });
}

/** Throws when the instance reports another size; a missing size is accepted. */
function checkSize({ sys_id: id = '', size_bytes: stored = '' }: AttachmentMeta, sent: number, what: string): void {
  if (!/^\d+$/.test(stored) || Number(stored) === sent) return;
  const message = `The instance says that it has ${stored} of ${sent} bytes of ${what}, as attachment ${id}.`;
  throw new SourceError('source-incomplete', message, {
    remedy: 'Look at the attachment in the instance; if it is not whole, delete it and attach the file again.',
  });
}

/** The download is complete before it replaces the target. */
export async function downloadAttachment(
  client: ServiceNowClient,
  { attachment, target, overwrite = false }: Extract<PlatformAction, { kind: 'download attachment' }>,
  options: CallOptions,
): Promise<ActionResult> {
  const real = await checkTarget(target, overwrite);
  await removeAbandonedDrafts(real);
  const draft = await draftOf(real);
  try {
    const { content } = await client.attachments.download(attachment, options);
    await pipeline(content, createWriteStream(draft), options.signal ? { signal: options.signal } : {});
    await takePlace(draft, real);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw fileErrorOf(error, target) ?? error;
  }
  return { summary: `The attachment is saved as ${target}.`, id: attachment, file: target };
}

/** Checks the target before the download. @returns the path to write. */
async function checkTarget(target: string, overwrite: boolean): Promise<string> {
  const folder = await stat(dirname(target)).catch(() => undefined);
  if (!folder?.isDirectory()) {
    throw new FileError('cannot-be-written', `There is no folder ${dirname(target)} to save the attachment in.`, {
      file: target,
      remedy: 'Make the folder, or name another file.',
    });
  }
  const { real, exists } = await checkFileTarget(target, { example: 'attachment.pdf' });
  if (!exists || overwrite) return real;
  throw new FileError('file-exists', `${target} is there already.`, {
    file: target,
    remedy: 'Name another file, or move that one away.',
  });
}
