import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CallOptions, Platform } from './call-platform.ts';
import { truncatedAnswer } from './platform-failure.ts';
import { isRecord, readAnswer, readResult } from './read-answer.ts';

/** What the platform knows of an attachment; every value is a text. */
export type AttachmentMeta = Readonly<Record<string, string>>;

export interface NewAttachment {
  readonly table: string;
  readonly recordId: string;
  readonly fileName: string;
  readonly contentType: string;
  /** A stream is sent as it comes, and opened anew for each attempt. */
  readonly content: Buffer | (() => Readable);
  /** Key of the context that the instance encrypts the file with; not of a form. */
  readonly encryptionContext?: string;
  /** UTC, `yyyy-MM-dd HH:mm:ss`: when the file was made, instead of now; not of a form. */
  readonly creationTime?: string;
}

/** Files of records: `/api/now/attachment`. */
export interface AttachmentApi {
  list(
    query: string,
    page?: { readonly limit?: number; readonly offset?: number },
    options?: CallOptions,
  ): Promise<readonly AttachmentMeta[]>;
  get(id: string, options?: CallOptions): Promise<AttachmentMeta>;
  /** The bytes as they arrive; the stream fails when the connection breaks. */
  download(
    id: string,
    options?: CallOptions,
  ): Promise<{ readonly contentType: string; readonly content: NodeJS.ReadableStream }>;
  upload(file: NewAttachment, options?: CallOptions): Promise<AttachmentMeta>;
  /** As a form, for instances that scan only those. */
  uploadForm(file: NewAttachment, options?: CallOptions): Promise<AttachmentMeta>;
  remove(id: string, options?: CallOptions): Promise<void>;
}

export function attachmentApi({ call, open, now }: Platform): AttachmentApi {
  return {
    list: (query, { limit, offset } = {}, options = {}) => {
      const parameters = new URLSearchParams({ sysparm_query: query });
      if (limit !== undefined) parameters.set('sysparm_limit', String(limit));
      if (offset !== undefined) parameters.set('sysparm_offset', String(offset));
      return call({ method: 'GET', path: now('attachment'), parameters, options }, (answer, what) => {
        const result = readResult(answer, what);
        if (!Array.isArray(result) || !result.every(isRecord)) throw truncatedAnswer(what);
        return result as readonly AttachmentMeta[];
      });
    },
    get: (id, options = {}) => call({ method: 'GET', path: now('attachment', id), options }, readMeta),
    async download(id, options = {}) {
      const request = { method: 'GET', path: now('attachment', id, 'file'), accept: '*/*', options } as const;
      const { answer, what } = await open(request);
      if ('text' in answer) {
        // An empty file has no body to stream.
        if (answer.status === 200) return { contentType: contentTypeOf(answer), content: Readable.from([]) };
        readAnswer(answer, what);
        throw truncatedAnswer(what);
      }
      return { contentType: contentTypeOf(answer), content: answer.body };
    },
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
      const body = formBody(file, boundary);
      const contentType = formType(boundary);
      return call({ method: 'POST', path: now('attachment', 'upload'), body, contentType, options }, readMeta);
    },
    remove: (id, options = {}) =>
      call({ method: 'DELETE', path: now('attachment', id), options }, (answer, what) => void readAnswer(answer, what)),
  };
}

function readMeta(answer: Parameters<typeof readResult>[0], what: string): AttachmentMeta {
  const result = readResult(answer, what);
  if (!isRecord(result)) throw truncatedAnswer(what);
  return result as AttachmentMeta;
}

/** What the address of an upload says of the file. */
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

export function formType(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`;
}

/** What stands before and behind the bytes in a form. The fields first: the platform takes the file only as the last part. */
export function formParts(
  file: Omit<NewAttachment, 'content'>,
  boundary: string,
): { readonly head: string; readonly tail: string } {
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  // Quotes and line breaks in a file name would end the header.
  const fileName = file.fileName.replace(/["\r\n]/g, '_');
  const head = `${field('table_name', file.table)}${field('table_sys_id', file.recordId)}--${boundary}\r\nContent-Disposition: form-data; name="uploadFile"; filename="${fileName}"\r\nContent-Type: ${file.contentType}\r\n\r\n`;
  return { head, tail: `\r\n--${boundary}--\r\n` };
}

function formBody(file: NewAttachment, boundary: string): Buffer | (() => Readable) {
  const { head, tail } = formParts(file, boundary);
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
