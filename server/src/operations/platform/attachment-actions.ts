import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ActionResult, PlatformAction } from '../../../../protocol/platform-actions.ts';
import { errorOfFile, fileReadError } from '../../connectors/file-read-error.ts';
import { SourceError } from '../../connectors/source-error.ts';
import type { RecordWriter, StoredAttachment, WriteOptions } from '../../connectors/source-writer.ts';
import { closeStream } from '../../files/close-stream.ts';
import { FileError, fileErrorOf } from '../../files/file-error.ts';
import { moveIntoPlace } from '../../files/move-into-place.ts';
import { draftOf, removeAbandonedDrafts } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { formattedJson } from '../../model/indented-json.ts';
import { knownOutcome, whereToCheck } from './unknown-outcome.ts';

/** Metadata of all attachments of a record. */
export async function listAttachments(
  { attachments }: RecordWriter,
  { table, id }: Extract<PlatformAction, { kind: 'list attachments' }>,
  options: WriteOptions,
): Promise<ActionResult> {
  const found = await attachments.list(table, id, options);
  return {
    summary: `${found.length} ${found.length === 1 ? 'attachment' : 'attachments'}.`,
    body: formattedJson(found.map(({ metadata }) => metadata)),
    attachments: found.map(({ id: key, file, type, bytes, created }) => ({ id: key, file, type, bytes, created })),
  };
}

/** Size limit in bytes; larger files are streamed. */
const smallFile = 16 * 1024 * 1024;

/** Attaches a file to a record. */
export async function uploadAttachment(
  { attachments }: RecordWriter,
  action: Extract<PlatformAction, { kind: 'upload attachment' }>,
  options: WriteOptions,
): Promise<ActionResult> {
  const { table, id, file, asForm = false } = action;
  const size = await sizeOfUpload(file);
  const content = size <= smallFile ? await readFile(file) : () => createReadStream(file, { end: size - 1 });
  const write = { signal: options.signal, look: whereToCheck(action) };
  const stored = await knownOutcome(write, () => attachments.upload({ table, id, file, content, asForm }, options));
  checkSize(stored, Buffer.isBuffer(content) ? content.length : size, `${basename(file)} of ${id}`);
  return {
    summary: `${basename(file)} is attached to ${id} of ${table}.`,
    id: stored.id,
    body: formattedJson(stored.metadata),
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
    throw errorOfFile(fileReadError(file, error));
  }
  throw new SourceError('file-unreadable', `${file} is not a file.`, {
    file,
    remedy: 'Name a file; put the files of a folder into an archive first.',
  });
}

/** Throws when the instance reports another size; a missing size is accepted. */
function checkSize({ id, size }: StoredAttachment, sent: number, what: string): void {
  if (size === undefined || size === sent) return;
  const message = `The instance says that it has ${size} of ${sent} bytes of ${what}, as attachment ${id}.`;
  throw new SourceError('source-incomplete', message, {
    remedy: 'Look at the attachment in the instance; if it is incomplete, delete it and attach the file again.',
  });
}

/** The download is complete before it replaces the target. */
export async function downloadAttachment(
  { attachments }: RecordWriter,
  { attachment, target, overwrite = false }: Extract<PlatformAction, { kind: 'download attachment' }>,
  options: WriteOptions,
): Promise<ActionResult> {
  const real = await checkTarget(target, overwrite);
  await removeAbandonedDrafts(real);
  const draft = await draftOf(real);
  try {
    const content = await attachments.download(attachment, options);
    const file = createWriteStream(draft);
    try {
      await pipeline(content, file, options.signal ? { signal: options.signal } : {});
    } finally {
      await closeStream(file);
    }
    await moveIntoPlace(draft, real);
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
      remedy: 'Create the folder, or name another file.',
    });
  }
  const { real, exists } = await checkFileTarget(target, { example: 'attachment.pdf' });
  if (!exists || overwrite) return real;
  throw new FileError('file-exists', `${target} is there already.`, {
    file: target,
    remedy: 'Name another file, or move that one away.',
  });
}
