import type { QueryTarget } from './query-results.ts';

/** Something to be done at an instance of the IT-service-management platform. Files are absolute paths. */
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
      /** As a form, for instances that take only those. */
      readonly asForm?: boolean;
    }
  | {
      readonly kind: 'download attachment';
      readonly attachment: string;
      readonly target: string;
      /** Whether a file that is there may be replaced, when all of the new one has come. */
      readonly overwrite?: boolean;
    }
  | { readonly kind: 'delete attachment'; readonly attachment: string }
  | {
      readonly kind: 'stage rows';
      /** The staging table. */
      readonly table: string;
      readonly rows: StagingRows;
      /** All at once, to be transformed later, rather than one by one. */
      readonly bulk: boolean;
      /** The first row of a file that is sent, 1-based: those before it were sent earlier. */
      readonly from?: number;
    }
  | {
      readonly kind: 'call endpoint';
      readonly method: EndpointMethod;
      /** Below `/api`, such as `x_acme/ops/outages`; parameters may follow a question mark. */
      readonly path: string;
      readonly parameters: FieldValues;
      /** JSON. */
      readonly body?: string;
    };

/** Records that are written one after the other. */
export interface ManyRecords {
  readonly table: string;
  /** A file with their `sys_id`s: one a line, or in a column of that name. */
  readonly ids: string;
  /** Whether those of an earlier run are sent again whose outcome is not known. */
  readonly repeatUnknown?: boolean;
}

/** Fields that a record is to have. */
export interface WrittenFields {
  readonly values: FieldValues;
  /** Values are given as the instance shows them to the user: names of references, labels of choices, times in the user's zone. */
  readonly inputDisplayValue?: boolean;
}

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type FieldValues = Readonly<Record<string, string>>;

/** Rows of a file (CSV, JSON, Parquet …), or those of a query of an entity graph. */
export type StagingRows =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'query'; readonly graph: string; readonly target: QueryTarget };

/** What would be sent, logins masked. */
export interface ActionPreview {
  /** One sentence, such as `Deletes the record … of incident.` */
  readonly summary: string;
  /** False for what only reads. */
  readonly writes: boolean;
  readonly http: string;
  readonly curl: string;
  /** What is to be known before it is sent, one sentence each. */
  readonly warnings?: readonly string[];
}

export interface ActionResult {
  /** One sentence. */
  readonly summary: string;
  /** What did not come about as it was meant, one sentence each. */
  readonly warnings?: readonly string[];
  /** What the instance answered, indented JSON or a text. */
  readonly body?: string;
  /** What became of each staged row, in their order; of records of a list, only those that were not written. */
  readonly rows?: readonly StagedRowOutcome[];
  /** True when rows behind these were not sent. */
  readonly stopped?: boolean;
  /** Of rows of a file: the first that was not sent, 1-based. */
  readonly next?: number;
  /** The file that was written. */
  readonly file?: string;
  /** The record, or attachment, that it is about. */
  readonly id?: string;
}

export interface StagedRowOutcome {
  /** 1-based. */
  readonly row: number;
  readonly status: string;
  readonly table?: string;
  readonly record?: string;
  readonly message?: string;
}
