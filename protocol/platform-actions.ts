import type { QueryTarget } from './query-results.ts';

/** An action on an instance of the IT-service-management platform. Files are absolute paths. */
export type PlatformAction =
  | ({ readonly kind: 'create record'; readonly table: string } & WrittenFields)
  | ({ readonly kind: 'update record'; readonly table: string; readonly id: string } & WrittenFields)
  | { readonly kind: 'delete record'; readonly table: string; readonly id: string }
  | ({ readonly kind: 'update records' } & ManyRecords & WrittenFields)
  | ({ readonly kind: 'delete records' } & ManyRecords)
  | { readonly kind: 'list attachments'; readonly table: string; readonly id: string }
  | {
      readonly kind: 'upload attachment';
      readonly table: string;
      readonly id: string;
      readonly file: string;
      /** Uploads as a form, for instances that accept nothing else. */
      readonly asForm?: boolean | undefined;
    }
  | {
      readonly kind: 'download attachment';
      readonly attachment: string;
      readonly target: string;
      /** Whether to overwrite an existing file, after the download is complete. */
      readonly overwrite?: boolean;
    }
  | { readonly kind: 'delete attachment'; readonly attachment: string }
  | {
      readonly kind: 'stage rows';
      /** The staging table. */
      readonly table: string;
      readonly rows: StagingRows;
      /** Sends all rows in bulk, transformed later, instead of one by one. */
      readonly bulk: boolean;
      /** 1-based first row of the file to send; earlier rows were sent before. */
      readonly from?: number | undefined;
    }
  | {
      readonly kind: 'call endpoint';
      readonly method: EndpointMethod;
      /** Path below `/api`, such as `x_acme/ops/outages`, optionally with query parameters. */
      readonly path: string;
      readonly parameters: FieldValues;
      /** JSON. */
      readonly body?: string | undefined;
    };

/** A write action on many records, one after the other. */
export interface ManyRecords {
  readonly table: string;
  /** A file with their keys: one per line, or in the column named like the key. */
  readonly ids: string;
  /** Whether to repeat writes of an earlier run with an unknown outcome. */
  readonly repeatUnknown?: boolean | undefined;
}

/** New field values of a record. */
export interface WrittenFields {
  readonly values: FieldValues;
  /** Values are display values: names of references, labels of choices, times in the user's zone. */
  readonly inputDisplayValue?: boolean | undefined;
}

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type FieldValues = Readonly<Record<string, string>>;

/** Rows of a file (CSV, JSON, Parquet …), or of a query of an entity graph. */
export type StagingRows =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'query'; readonly graph: string; readonly target: QueryTarget };

/** The request of an action, with credentials redacted. */
export interface ActionPreview {
  /** One sentence, such as `Deletes the record … of incident.` */
  readonly summary: string;
  /** False for reading actions. */
  readonly writes: boolean;
  readonly http: string;
  readonly curl: string;
  /** Warnings before sending, one sentence each. */
  readonly warnings?: readonly string[] | undefined;
}

export interface ActionResult {
  /** One sentence. */
  readonly summary: string;
  /** What did not work as requested, one sentence each. */
  readonly warnings?: readonly string[] | undefined;
  /** The response of the instance: indented JSON or text. */
  readonly body?: string | undefined;
  /** The listed attachments of a record. */
  readonly attachments?: readonly AttachmentView[] | undefined;
  /** Results of all staged rows in order; of a record list, only records that were not written. */
  readonly rows?: readonly StagedRowOutcome[] | undefined;
  /** True when later rows were not sent. */
  readonly stopped?: boolean | undefined;
  /** 1-based first row of the file that was not sent. */
  readonly next?: number;
  /** The written file. */
  readonly file?: string;
  /** The record or attachment. */
  readonly id?: string | undefined;
}

/** Facts about an attachment as texts; empty if the source does not provide them. */
export interface AttachmentView {
  readonly id: string;
  readonly file: string;
  readonly type: string;
  readonly bytes: string;
  readonly created: string;
}

export interface StagedRowOutcome {
  /** 1-based. */
  readonly row: number;
  readonly status: string;
  readonly table?: string | undefined;
  readonly record?: string | undefined;
  readonly message?: string | undefined;
}
