import type { DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { CatalogContent, Column } from '../../catalog/catalog.ts';
import type { DraftModel } from '../../draft/draft-model.ts';
import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import type { DescribeOptions, DiagnoseOptions, OperationOptions, QueryPurpose } from '../connector.ts';
import type { SourceError } from '../source-error.ts';

/** A source whose records must be fetched before SQL can run on them. */
export interface RecordSource {
  /** The source's name in the sources file. */
  readonly name: string;
  /** IANA name of the zone of times without zone and dates. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number | undefined;
  describe(options: DescribeOptions): Promise<CatalogContent>;
  /** Diagnosis of credentials and permissions. Rejects with a `SourceError`. */
  diagnose?(options: DiagnoseOptions): Promise<readonly DiagnosisStep[]>;
  /**
   * Why an import of a read would fail, based on a few requests; undefined if no reason was found. Rejects with a
   * `SourceError` when the source is unreachable.
   */
  check?(read: ObjectRead, options: OperationOptions): Promise<SourceError | undefined>;
  /** The whole graph, for sources that are one. Rejects with a `SourceError`. */
  proposeGraph?(options: OperationOptions): Promise<DraftModel>;
  /**
   * The exact requests of a read; with `mark`, those for changes since the previous import. For an import, the source
   * may be contacted.
   */
  requests(
    read: ObjectRead,
    purpose: QueryPurpose,
    mark?: string,
    options?: OperationOptions,
  ): readonly QueryStep[] | Promise<readonly QueryStep[]>;
  /** Whether the source can filter by values of a column (`keys` of a read); otherwise it reads everything. */
  selectsKeys?(column: Column, values: readonly string[]): boolean;
  /** Shape of raw pages, if `takeJson` accepts them; undefined if unsupported. */
  jsonShape?(read: ObjectRead): JsonShape | undefined;
  /** For data objects with offset-like pagination, whose records may move between pages during the read. */
  pagesByPlace?(read: ObjectRead): PagesByPlace | undefined | Promise<PagesByPlace | undefined>;
  /** Batches of records with cells in column order. Rejects with a `SourceError`. */
  records(read: ObjectRead, options: ReadOptions): AsyncIterable<readonly Cells[]>;
  /** For sources with change tracking: imports then read changes only. */
  readonly changes?: ChangeReader | undefined;
  /** Texts to redact in messages. */
  readonly secrets: Iterable<string>;
  close(): void | Promise<void>;
}

export interface PagesByPlace {
  /** Pages overlap; a read with inconsistent pages rejects with a `ListShift`. */
  readonly areJoined: boolean;
}

/** Texts for DuckDB's casts to the column types; null for missing values. */
export type Cells = readonly (string | null)[];

/** JSON with a list of records, each with all fields as texts; an empty text is a missing value. */
export interface JsonShape {
  /** Field that contains the list. */
  readonly list: string;
  /** Field names in column order. */
  readonly fields: readonly string[];
}

/** Records as sent by a source, in the announced shape. */
export interface JsonPage {
  /** Without line breaks. */
  readonly text: string;
  readonly records: number;
}

export interface ReadOptions extends OperationOptions {
  /** An import reads everything and verifies it; a preview may stop at any time. */
  readonly purpose: 'preview' | 'import';
  readonly onWarning: (warning: string) => void;
  /** Called when the user may not read values: other permissions would change records without an update. */
  readonly onUnreadable?: (() => void) | undefined;
  /** Called with the total number of records, whenever the source sends it. */
  readonly onTotal?: ((total: number) => void) | undefined;
  /**
   * Called with the mark for the next import before the last record arrives; undefined if unavailable. Only determined
   * if given.
   */
  readonly onMark?: (mark: string | undefined) => void;
  /** Called after the last record, while the source still verifies completeness. */
  readonly onLast?: (() => void) | undefined;
  /** Accepts raw pages; other pages arrive as cells. */
  readonly takeJson?: ((page: JsonPage) => Promise<void>) | undefined;
  /** Estimated number of records to take; default: all. */
  readonly wanted?: number | undefined;
  /** ISO 8601, UTC: start of the needed events, for sources that can filter by time. */
  readonly since?: string | undefined;
}

/** Reads changes since the previous import. */
export interface ChangeReader {
  /** Cache key of the source and its settings. */
  readonly identity: string;
  /** Maximum age of a full read in milliseconds, because some changes cannot be detected. */
  readonly fullEveryMs: number;
  /** Whether changes of the read can be detected at all. */
  tells(read: ObjectRead): boolean;
  /** Changes since a mark. Undefined, with a warning, when unavailable. */
  since(read: ObjectRead, mark: string, options: ReadOptions): Promise<Changes | undefined>;
  /** An integer column whose sum detects replaced records. It is always read; undefined if there is none. */
  proof(read: ObjectRead): Column | undefined;
  /**
   * Count of the selected records, and sum of the proof column on request. Undefined, with a warning, when unavailable.
   */
  totals(read: ObjectRead, withSum: boolean, options: ReadOptions): Promise<RecordTotals | undefined>;
}

/** Totals of all records that a read selects. */
export interface RecordTotals {
  readonly count: number;
  /** Sum of the proof column; undefined when unavailable. */
  readonly sum: bigint | 'too slow' | undefined;
}

/** Changes since a mark. */
export interface Changes {
  /** Mark for the next import. */
  readonly mark: string;
  /** Nothing has changed. */
  readonly isNone: boolean;
  /** Keys of changed records that the read does not select (any more). */
  keys(options: ReadOptions): AsyncIterable<readonly string[]>;
  /** Changed records that the read selects. */
  records(options: ReadOptions): AsyncIterable<readonly Cells[]>;
  /**
   * Keys of cached records deleted since then, as far as the source records deletions. Requested only when more records
   * are cached than exist.
   */
  gone?(cached: CachedKeys, options: ReadOptions): AsyncIterable<readonly string[]>;
}

/** Cached records of a read. */
export interface CachedKeys {
  readonly rows: number;
  /** The given keys that are cached. */
  these(keys: readonly string[]): Promise<readonly string[]>;
}
