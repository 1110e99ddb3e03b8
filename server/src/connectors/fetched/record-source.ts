import type { SourceCheck } from '../../../../protocol/source-checks.ts';
import type { CatalogContent, Column } from '../../catalog/catalog.ts';
import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import type { DescribeOptions, ExamineOptions, OperationOptions, QueryPurpose } from '../connector.ts';
import type { SourceError } from '../source-error.ts';

/** A source whose records have to be fetched before SQL can run on them. */
export interface RecordSource {
  /** The source's name in the sources file. */
  readonly name: string;
  /** IANA name, in which times without zone and dates are read. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number;
  describe(options: DescribeOptions): Promise<CatalogContent>;
  /** What only the source itself can tell of credentials and permissions. Rejects with a `SourceError`. */
  examine?(options: ExamineOptions): Promise<readonly SourceCheck[]>;
  /**
   * Why an import of a read would fail, as far as a few requests tell; undefined where nothing speaks against it. Rejects with a
   * `SourceError` when the source cannot be asked.
   */
  check?(read: ObjectRead, options: OperationOptions): Promise<SourceError | undefined>;
  /**
   * The requests of a read, as they are sent; `mark` is that of the import before, where changes since then are read. Of an import,
   * the source may be asked what it would ask for.
   */
  requests(
    read: ObjectRead,
    purpose: QueryPurpose,
    mark?: string,
    options?: OperationOptions,
  ): readonly QueryStep[] | Promise<readonly QueryStep[]>;
  /** Whether it can select by these values of a column (`keys` of a read); one that cannot reads all there is. */
  selectsKeys?(column: Column, values: readonly string[]): boolean;
  /** How records may come as they are sent, where `takeJson` takes them; undefined when they never do. */
  jsonShape?(read: ObjectRead): JsonShape | undefined;
  /** For data objects whose pages are asked for by their place in a list: records move between them when it changes meanwhile. */
  pagesByPlace?(read: ObjectRead): PagesByPlace | undefined | Promise<PagesByPlace | undefined>;
  /** Batches of records, each cell in the order of the read's columns. Rejects with a `SourceError`. */
  records(read: ObjectRead, options: ReadOptions): AsyncIterable<readonly Cells[]>;
  /** For sources that know what changed: imports then read no more than that. */
  readonly changes?: ChangeReader;
  /** Texts that no message may contain. */
  readonly secrets: Iterable<string>;
  close(): void;
}

export interface PagesByPlace {
  /** Pages overlap, and a read in which one does not join the one before rejects with a `ListShift`. */
  readonly areJoined: boolean;
}

/** Texts as DuckDB casts them to the columns' types; null for no value. */
export type Cells = readonly (string | null)[];

/** JSON with a list of records, each of which has all of the fields, as texts; an empty one means no value. */
export interface JsonShape {
  /** The key of the list. */
  readonly list: string;
  /** In the order of the read's columns. */
  readonly fields: readonly string[];
}

/** Records as a source has sent them, in the shape that it has told. */
export interface JsonPage {
  /** Without line breaks. */
  readonly text: string;
  readonly records: number;
}

export interface ReadOptions extends OperationOptions {
  /** An import reads all there is and proves it; a preview may stop at any time. */
  readonly purpose: 'preview' | 'import';
  readonly onWarning: (warning: string) => void;
  /** Hears that values were left out of records, as the user may not read them: with more rights they would be others, though nothing changed. */
  readonly onLeftOut?: () => void;
  /** Hears how many records there are in all, as often as the source says so. */
  readonly onTotal?: (total: number) => void;
  /** Hears from where the next import is to read changes, before the last record comes; undefined when that cannot be told. Only where it is given is that found out. */
  readonly onMark?: (mark: string | undefined) => void;
  /** Hears that no more records come, while the source is still asked whether these are all. */
  readonly onLast?: () => void;
  /** Takes pages that need not be looked into, as they were sent; all others come as cells. */
  readonly takeJson?: (page: JsonPage) => Promise<void>;
  /** About how many records are going to be taken; all when not given. */
  readonly wanted?: number;
  /** ISO 8601, UTC: only events from then on are wanted, for sources that can leave out records without any. */
  readonly since?: string;
}

/** Reads what changed since the import before. */
export interface ChangeReader {
  /** Tells what is kept of one source from what is kept of another, or of the same one with other settings. */
  readonly identity: string;
  /** Milliseconds after which all is read again, as some changes leave no mark. */
  readonly fullEveryMs: number;
  /** Whether changes of what is read leave a mark at all. */
  tells(read: ObjectRead): boolean;
  /** What changed since a mark that was given when all was read, or changes before. Undefined, with a warning, when that cannot be told. */
  since(read: ObjectRead, mark: string, options: ReadOptions): Promise<Changes | undefined>;
  /**
   * A column of whole numbers by whose sum other records are told from as many that are kept. It is read whether a query needs it or not;
   * undefined where there is none.
   */
  proof(read: ObjectRead): Column | undefined;
  /** What the read selects at the moment, with the sum of its proof where that is wanted. Undefined, with a warning, when nobody says. */
  totals(read: ObjectRead, withSum: boolean, options: ReadOptions): Promise<RecordTotals | undefined>;
}

/** Figures of all records that a read selects. */
export interface RecordTotals {
  readonly count: number;
  /** Sum of the proof; undefined when it is not told. */
  readonly sum: bigint | 'too slow' | undefined;
}

/** What changed since a mark. */
export interface Changes {
  /** From where the next import is to read changes. */
  readonly mark: string;
  /** Nothing did. */
  readonly isNone: boolean;
  /** Keys of everything that changed and is not among the records: the read does not select it, or no more. */
  keys(options: ReadOptions): AsyncIterable<readonly string[]>;
  /** The changed records that the read selects. */
  records(options: ReadOptions): AsyncIterable<readonly Cells[]>;
  /**
   * Keys of kept records that were deleted since then, as far as the source records deletions and proves that they are gone. Only
   * asked where more records are kept than there are.
   */
  gone?(kept: KeptKeys, options: ReadOptions): AsyncIterable<readonly string[]>;
}

/** The records that are kept of a read. */
export interface KeptKeys {
  readonly rows: number;
  /** Those of the keys whose records are kept. */
  these(keys: readonly string[]): Promise<readonly string[]>;
}
