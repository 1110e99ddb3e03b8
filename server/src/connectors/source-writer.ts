import type { Readable } from 'node:stream';
import type { AttachmentView, FieldValues, PlatformAction, WrittenFields } from '../../../protocol/platform-actions.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { ShownRequest } from './http/request-text.ts';
import { SourceError, isSourceError } from './source-error.ts';

/** The column that identifies a record in all tables of a source. */
export interface RecordKey {
  readonly name: string;
  /** Matches a generated value, which distinguishes a list of keys from column names. */
  readonly generated: RegExp;
}

/** Write actions of a source kind: records, attachments, staging tables and endpoints. */
export interface SourceWriter {
  /** How actions are checked and shown. Sends nothing. Rejects like `resolveSource`. */
  describe(source: DataSource, context: ConnectorContext): Promise<WriterDescription>;
  /** Access to the source, to be closed by the caller. Rejects like `describe`, and when the login fails. */
  open(source: DataSource, context: ConnectorContext): Promise<OpenWriter>;
}

export interface WriterDescription {
  /** The address of the source. Summaries show its host; journals of writes contain all of it. */
  readonly address: URL;
  /** The action in its normal form. Throws `source-config` for an invalid one. */
  checked<T extends PlatformAction>(action: T): T;
  /** The exact request of an action; for staging, that of the first row. */
  request(action: RequestedAction, firstRow: FieldValues | undefined): ShownRequest;
}

interface OpenWriter {
  readonly description: WriterDescription;
  readonly writer: RecordWriter;
  /** Texts to redact in messages; new tokens are added. */
  readonly secrets: ReadonlySet<string>;
  close(): void;
}

/** Single-request actions, and the request of each item of a bulk action. */
export type RequestedAction = Exclude<PlatformAction, { kind: 'update records' | 'delete records' }>;

export type EndpointCall = Extract<PlatformAction, { kind: 'call endpoint' }>;

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
}

/**
 * The requests of write actions. Reads are repeated after transient failures, writes only if they were certainly not
 * carried out. All reject with a `SourceError`.
 */
export interface RecordWriter {
  create(table: string, fields: WrittenFields, options: WriteOptions): Promise<WrittenRecord>;
  /** Changes the given fields and no others. */
  update(table: string, id: string, fields: WrittenFields, options: WriteOptions): Promise<WrittenRecord>;
  remove(table: string, id: string, options: WriteOptions): Promise<void>;
  readonly attachments: AttachmentWriter;
  readonly staging: StagingWriter;
  call(action: EndpointCall, options: WriteOptions): Promise<EndpointAnswer>;
}

/** A record after a write. */
export interface WrittenRecord {
  /** Its key; empty if the source does not show it. */
  readonly id: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** Values that were not accepted as sent, one sentence each. */
  readonly warnings: readonly string[];
}

interface AttachmentWriter {
  /** Metadata of all readable attachments of a record. Rejects with `object-missing` without the record. */
  list(table: string, id: string, options: WriteOptions): Promise<readonly ListedAttachment[]>;
  upload(file: UploadedFile, options: WriteOptions): Promise<StoredAttachment>;
  /** The content as a stream, which fails when it is incomplete. */
  download(id: string, options: WriteOptions): Promise<Readable>;
  remove(id: string, options: WriteOptions): Promise<void>;
}

export interface ListedAttachment extends AttachmentView {
  /** As the source describes it. */
  readonly metadata: object;
}

interface UploadedFile {
  readonly table: string;
  /** The record. */
  readonly id: string;
  readonly file: string;
  /** A stream is sent chunk by chunk, and opened again for each attempt. */
  readonly content: Buffer | (() => Readable);
  readonly asForm: boolean;
}

export interface StoredAttachment {
  readonly id: string;
  /** Size in bytes as the source has it; undefined if it does not say. */
  readonly size: number | undefined;
  readonly metadata: object;
}

interface StagingWriter {
  /** What the source calls a batch, the rows that are staged together: a singular noun for messages. */
  readonly batchNoun: string;
  /** Inserts one row; resolves to its outcome in each transform, possibly none. */
  insert(table: string, row: FieldValues, options: WriteOptions): Promise<readonly StagedOutcome[]>;
  /** Inserts rows that are transformed later. Resolves to the id of their batch. */
  insertMany(table: string, rows: readonly FieldValues[], options: WriteOptions): Promise<string>;
  /** Waits for the outcomes of a batch of `count` rows, in their order. */
  outcomes(
    batchId: string,
    count: number,
    waiting: StagingWait,
    options: WriteOptions,
  ): Promise<readonly (readonly StagedOutcome[])[]>;
  /**
   * Warnings about columns missing in a staging table, whose values would be dropped silently. Empty when the columns
   * of the table are not completely readable.
   */
  unknownColumns(staged: StagedColumns, options: WriteOptions): Promise<readonly string[]>;
}

/** Number and interval of requests for the outcome of a batch. */
export interface StagingWait {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** Outcome of a staged row in one transform. */
export interface StagedOutcome {
  readonly status: 'inserted' | 'updated' | 'ignored' | 'skipped' | 'error' | (string & {});
  readonly table?: string;
  /** The created or changed record. */
  readonly recordId?: string;
  readonly message?: string;
}

export interface StagedColumns {
  /** The staging table. */
  readonly table: string;
  /** Whether keys of rows are labels, unless the source maps them differently. */
  readonly bulk: boolean;
  readonly names: readonly string[];
}

interface EndpointAnswer {
  /** The request as named in messages, such as `GET /api/x_acme/ops/outages`. */
  readonly asked: string;
  readonly status: number;
  /** The body as received; empty for none. */
  readonly text: string;
}

/** A missing table, as opposed to a missing record; both are `object-missing`. */
export class UnknownTable extends SourceError {
  readonly isTable = true;
}

/** By member: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isUnknownTable(error: unknown): error is UnknownTable {
  return isSourceError(error) && 'isTable' in error;
}
