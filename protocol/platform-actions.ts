import type {
  endpointMethod,
  manyRecords,
  platformAction,
  stagingRows,
  writtenFields,
} from './shapes/platform-shapes.ts';
import type { Checked, ObjectOf } from './shapes/shape.ts';

export type PlatformAction = Checked<typeof platformAction>;
export type ManyRecords = ObjectOf<typeof manyRecords>;
export type WrittenFields = ObjectOf<typeof writtenFields>;
export type FieldValues = WrittenFields['values'];
export type EndpointMethod = Checked<typeof endpointMethod>;
export type StagingRows = Checked<typeof stagingRows>;

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
