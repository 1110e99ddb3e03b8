import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { HttpResponse, HttpStream } from '../../http/http-client.ts';
import { SourceError } from '../../source-error.ts';
import { type RequestedCall, type CallOptions, type Platform, requestedCallText } from './call-platform.ts';
import { recordTexts } from './field-text.ts';
import { isJson } from './platform-failure.ts';
import { isRecord, readResponse, readRecord, readRecords } from './read-response.ts';

/** Metadata of an attachment; every value is a text. */
export type AttachmentMeta = Readonly<Record<string, string>>;

/**
 * Path of an upload as a form: `attachment/file` takes the record from the query, `attachment/upload` from fields of the
 * form.
 */
export type FormUpload = 'file' | 'upload';

interface NewAttachment {
  readonly table: string;
  readonly recordId: string;
  readonly fileName: string;
  readonly contentType: string;
  /** A stream is sent chunk by chunk, and opened again for each attempt. */
  readonly content: Buffer | (() => Readable);
  /** Key of the encryption context; unavailable for `attachment/upload`. */
  readonly encryptionContext?: string;
  /** UTC, `yyyy-MM-dd HH:mm:ss`: creation time instead of now; unavailable for `attachment/upload`. */
  readonly creationTime?: string;
}

interface AttachmentPage {
  /** Without unreadable attachments, so a page may be shorter than requested, even empty. */
  readonly attachments: readonly AttachmentMeta[];
  /** Number of matches before access rules; absent if the instance does not send it. */
  readonly totalCount?: number | undefined;
}

/** The Attachment API: `/api/now/attachment`. */
export interface AttachmentApi {
  list(
    query: string,
    page?: { readonly limit?: number; readonly offset?: number },
    options?: CallOptions,
  ): Promise<AttachmentPage>;
  get(id: string, options?: CallOptions): Promise<AttachmentMeta>;
  /** The content as a stream; it fails when the connection breaks or the content is incomplete. */
  download(id: string, options?: CallOptions): Promise<{ readonly contentType: string; readonly content: Readable }>;
  upload(file: NewAttachment, options?: CallOptions): Promise<AttachmentMeta>;
  /** Uploads as a form, for instances that scan only those. */
  uploadForm(file: NewAttachment, options?: CallOptions): Promise<AttachmentMeta>;
  remove(id: string, options?: CallOptions): Promise<void>;
}

export function attachmentApi({ call, open, now }: Platform, formUpload: FormUpload): AttachmentApi {
  return {
    list: (query, { limit, offset } = {}, options = {}) => {
      const parameters = new URLSearchParams({ sysparm_query: query });
      if (limit !== undefined) parameters.set('sysparm_limit', String(limit));
      if (offset !== undefined) parameters.set('sysparm_offset', String(offset));
      return call({ method: 'GET', path: now('attachment'), parameters, options }, (answer, asked) => {
        const attachments = readRecords(answer, asked).map(recordTexts);
        const count = answer.headers.get('x-total-count');
        const totalCount = count !== null && /^\d+$/.test(count) ? Number(count) : undefined;
        return { attachments, totalCount };
      });
    },
    get: (id, options = {}) => call({ method: 'GET', path: now('attachment', id), options }, readMeta),
    download: (id, options = {}) =>
      open({ method: 'GET', path: now('attachment', id, 'file'), accept: '*/*', options }, async (answer, asked) => {
        const meta = metadataOf(answer);
        if (answer.status !== 200 || !meta) throw await noFile(answer, asked);
        // An empty file needs no body stream.
        const content = 'text' in answer ? Readable.from([]) : wholeFile(answer.body, meta, id);
        return { contentType: contentTypeOf(answer), content };
      }),
    upload: (file, options = {}) => {
      const { contentType, content: body } = file;
      const parameters = new URLSearchParams(uploadParameters(file));
      return call(
        { method: 'POST', path: now('attachment', 'file'), parameters, body, contentType, options },
        readMeta,
      );
    },
    uploadForm: (file, options = {}) => {
      const boundary = `form-${randomUUID()}`;
      const body = formBody(file, boundary, formUpload);
      const contentType = formType(boundary);
      const address = { path: now('attachment', formUpload), ...formParameters(file, formUpload) };
      return call({ method: 'POST', ...address, body, contentType, options }, readMeta);
    },
    remove: (id, options = {}) =>
      call(
        { method: 'DELETE', path: now('attachment', id), options },
        (answer, asked) => void readResponse(answer, asked),
      ),
  };
}

function readMeta(answer: HttpResponse, asked: RequestedCall): AttachmentMeta {
  return recordTexts(readRecord(answer, asked));
}

/** Headers of a file; undefined for a response without one. */
function metadataOf({ headers }: HttpResponse | HttpStream): AttachmentMeta | undefined {
  try {
    const meta: unknown = JSON.parse(headers.get('x-attachment-metadata') ?? '');
    return isRecord(meta) ? recordTexts(meta) : undefined;
  } catch {
    return undefined;
  }
}

/** Byte limit of responses without a file, larger than pages and errors. */
const maxOfPage = 256 * 1024;

/** Why a response contains no file. Rejects with the error in the response if there is one. */
async function noFile(answer: HttpResponse | HttpStream, asked: RequestedCall): Promise<SourceError> {
  const type = contentTypeOf(answer);
  if ('text' in answer) readResponse(answer, asked);
  else {
    const chunks: Buffer[] = [];
    let size = 0;
    // Leaving the loop closes the connection.
    for await (const chunk of answer.body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > maxOfPage) break;
    }
    const isSaid = answer.status !== 200 || isJson(type) || /^text\/html/i.test(type);
    const { status, headers } = answer;
    if (isSaid && size <= maxOfPage) {
      readResponse({ status, headers, size, milliseconds: 0, text: Buffer.concat(chunks).toString('utf8') }, asked);
    }
  }
  return new SourceError(
    'source-failed',
    `The instance answers ${requestedCallText(asked)} with something else than the attachment: status ${answer.status}, ${type}, without X-Attachment-Metadata.`,
    { remedy: 'Check instanceUrl, and whether a gateway before the instance changes its answers.' },
  );
}

/** The content, followed by an error if it is shorter than announced; encrypted files may be longer. */
function wholeFile(body: NodeJS.ReadableStream, { size_bytes: size = '' }: AttachmentMeta, id: string): Readable {
  return Readable.from(counted());

  async function* counted(): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const chunk of body) {
      read += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (!(read < Number(size))) return;
    throw new SourceError('connection-lost', `The attachment ${id} ended after ${read} of ${size} bytes.`, {
      remedy: 'Try again; if it ends there again, look at the attachment in the instance.',
    });
  }
}

/** Query parameters of an upload. */
export function uploadParameters({
  table,
  recordId,
  fileName,
  encryptionContext,
  creationTime,
}: Omit<NewAttachment, 'content'>): Readonly<Record<string, string>> {
  return {
    table_name: table,
    table_sys_id: recordId,
    file_name: fileName,
    ...(encryptionContext !== undefined && { encryption_context: encryptionContext }),
    ...(creationTime !== undefined && { creation_time: creationTime }),
  };
}

/** The query of an upload as a form. */
export function formParameters(
  file: Omit<NewAttachment, 'content'>,
  formUpload: FormUpload,
): { readonly parameters?: URLSearchParams } {
  return formUpload === 'file' ? { parameters: new URLSearchParams(uploadParameters(file)) } : {};
}

export function formType(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`;
}

/** Start and end of a form body. Fields come first, because the platform requires the file as the last part. */
export function formParts(
  file: Omit<NewAttachment, 'content'>,
  boundary: string,
  formUpload: FormUpload,
): { readonly head: string; readonly tail: string } {
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  // Quotes and line breaks in a file name would end the header.
  const fileName = file.fileName.replace(/["\r\n]/g, '_');
  const record = `${field('table_name', file.table)}${field('table_sys_id', file.recordId)}`;
  const head = `${formUpload === 'upload' ? record : ''}--${boundary}\r\nContent-Disposition: form-data; name="uploadFile"; filename="${fileName}"\r\nContent-Type: ${file.contentType}\r\n\r\n`;
  return { head, tail: `\r\n--${boundary}--\r\n` };
}

function formBody(file: NewAttachment, boundary: string, formUpload: FormUpload): Buffer | (() => Readable) {
  const { head, tail } = formParts(file, boundary, formUpload);
  const { content } = file;
  if (Buffer.isBuffer(content)) return Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]);
  return () => Readable.from(chained(head, content, tail));
}

async function* chained(head: string, open: () => Readable, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  for await (const chunk of open()) yield Buffer.from(chunk as Buffer);
  yield Buffer.from(tail);
}

function contentTypeOf({ headers }: { readonly headers: { get(name: string): string | null } }): string {
  return headers.get('content-type') ?? 'application/octet-stream';
}
