import type { TypeProposal } from '../../../protocol/query-results.ts';
import type { ColumnSense, DataObjectKind } from '../../../protocol/canvas-intents.ts';

export type { ColumnSense, DataObjectKind } from '../../../protocol/canvas-intents.ts';

/** A snapshot of the content of a data source. Pure data, JSON-serialisable, so that it can be cached on disk. */
export interface Catalog extends CatalogOrigin, CatalogContent {
  /** The graph for which it is looked at has several data sources. */
  readonly isOneOfSeveral?: true;
}

/** The data source of a catalog, and properties of its kind. */
export interface CatalogOrigin {
  readonly dataSource: string;
  readonly kind: string;
  readonly dialect: SqlDialect;
  /** Rows have an inherent order (files). */
  readonly hasRowOrder?: boolean;
  /** Records are fetched before a query runs on them, so a query states what it reads. */
  readonly isFetched?: boolean;
  /** The time zone of times without zone; absent for UTC. */
  readonly timeZone?: string;
}

/** Content of a catalog as read by a source. */
export interface CatalogContent {
  /** Major version of the engine of that dialect, where it is certain: not of others that speak PostgreSQL's protocol. */
  readonly engineVersion?: number;
  readonly objects: readonly DataObject[];
  /** Names of existing objects that the configured user may not read. */
  readonly unreadable?: readonly string[];
  /** False when the list is incomplete; rules that need the whole list then report nothing. */
  readonly complete: boolean;
  /** ISO 8601, UTC: when it was read, or last confirmed as unchanged. */
  readonly readAt: string;
  readonly warnings: readonly string[];
  /** Objects that could not be described, with the warning that gives the reason. */
  readonly undescribed?: readonly UndescribedObject[];
  /** Settings that name what the source does not have; `warnings` has their messages, too. */
  readonly unusedSettings?: readonly UnusedSetting[];
  /** Columns whose type should be declared; `warnings` has their messages, too. */
  readonly proposedTypes?: readonly ProposedType[];
  /** Settings that may not lead to all rows; `warnings` has their messages, too. */
  readonly doubtfulSettings?: readonly SettingWarning[];
  /** The warning that explains why parts are missing or outdated, until the source can be read again. */
  readonly outdatedBecause?: string;
  /**
   * Fingerprint of the source's metadata: while it is equal, reading the catalog again would give the same result.
   * Opaque to all but the source.
   */
  readonly stamp?: string;
  /** Files referenced by the configured files, including missing ones: absolute paths. */
  readonly furtherFiles?: readonly string[];
}

/** A warning at a setting of a data source. */
export interface SettingWarning {
  /** Its keys, from that of the data source on. */
  readonly path: readonly string[];
  readonly message: string;
}

/** A proposal with the warning that explains it. */
export interface ProposedType extends TypeProposal {
  readonly message: string;
}

/** A setting of a data source without effect. */
export type UnusedSetting = SettingWarning;

export interface UndescribedObject {
  readonly name: string;
  readonly reason: string;
  /** Its server could not be reached, so the object may be unchanged. */
  readonly isUnreachable?: true;
}

/** The name of a dialect (`dialects/`). */
export type SqlDialect = string;

/** A table, view, file or endpoint. */
export interface DataObject {
  /**
   * The name used in entity graphs: unqualified in the first configured schema, else `schema.table`; a file's base
   * name.
   */
  readonly name: string;
  readonly kind: DataObjectKind;
  /** Unquoted parts of the name in SQL: `[schema, table]` in a database, `[view]` for a file. */
  readonly path: readonly string[];
  readonly comment?: string;
  /** Names of the parent tables, nearest last: each row is also a row of theirs, with the same values. */
  readonly extends?: readonly string[];
  /** For a range or an Excel table: the name of the data object of its sheet, which has these rows as well. */
  readonly within?: string;
  /** For files: absolute path of the file. */
  readonly file?: string;
  readonly columns: readonly Column[];
  /** Column names in key order; empty when there is no primary key. */
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly statistics: ObjectStatistics;
}

export interface ObjectStatistics {
  readonly columnCount: number;
  readonly rowEstimate?: number;
  /** Bytes, with indexes and out-of-line storage. */
  readonly dataSize?: number;
  /** ISO 8601, UTC. */
  readonly lastAnalyzed?: string;
}

export interface Column {
  readonly name: string;
  /** The name in the file, which is in SQL that of another column: names that differ only by case are one there. */
  readonly field?: string;
  /** Type name of the engine, such as `timestamp with time zone` or `numeric(10,2)`. */
  readonly type: string;
  readonly sense: ColumnSense;
  /** Type name of a non-SQL source, such as `glide_duration`. */
  readonly sourceType?: string;
  readonly nullable: boolean;
  readonly primaryKey: boolean;
  /** Part of a unique column set of an object without a primary key; contained in every fetch. */
  readonly identifying?: boolean;
  /**
   * Keys, activities and ends of `=` mappings are cell texts regardless of this type. True for columns of files with
   * detected types.
   */
  readonly isKeyedByText?: boolean;
  /** Name of the collation by which the engine compares texts. */
  readonly collation?: string;
  /**
   * For a time that the source stores as text: the pattern of its first values, with 0 for each digit. Absent if they
   * differ or have offsets.
   */
  readonly timeForm?: string;
  readonly comment?: string;
  /** Set when a foreign key starts at this column. */
  readonly references?: { readonly dataObject: string; readonly column: string };
  /** The values offered by the source, in its order; others may occur. */
  readonly values?: readonly KnownValue[];
  /** Some shortened example values from the time the catalog was read. */
  readonly samples?: readonly string[];
  /** Share of NULLs, 0 to 1, from statistics. */
  readonly nullShare?: number;
  /** Estimated number of distinct values. */
  readonly distinctEstimate?: number;
}

export interface KnownValue {
  readonly value: string;
  /** Label in the source. */
  readonly label?: string;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: { readonly dataObject: string; readonly columns: readonly string[] };
}

/** The data object in messages; with its data source where the graph has several, as objects of one name may be in each. */
export function objectInMessages(
  name: string,
  { dataSource, isOneOfSeveral }: Pick<Catalog, 'dataSource' | 'isOneOfSeveral'>,
): string {
  return isOneOfSeveral ? `"${name}" of ${dataSource}` : `"${name}"`;
}

/** The object with exactly this name, case-sensitive and unsplit (docs/semantics.md#9-names). */
/** By name; a graph may have thousands of elements, each on one of thousands of data objects. */
const namedObjects = new WeakMap<readonly DataObject[], ReadonlyMap<string, DataObject>>();

export function findDataObject({ objects }: Pick<CatalogContent, 'objects'>, name: string): DataObject | undefined {
  return byName(objects, namedObjects).get(name);
}

/** By name; entries may name each of thousands of columns. */
const namedColumns = new WeakMap<readonly Column[], ReadonlyMap<string, Column>>();

export function findColumn({ columns }: DataObject, name: string): Column | undefined {
  return byName(columns, namedColumns).get(name);
}

/** Of equal names the first counts. */
function byName<T extends { readonly name: string }>(
  all: readonly T[],
  known: WeakMap<readonly T[], ReadonlyMap<string, T>>,
): ReadonlyMap<string, T> {
  const named = known.get(all) ?? new Map(all.toReversed().map((each) => [each.name, each]));
  known.set(all, named);
  return named;
}
