import type { ColumnSense, DataObjectKind } from '../../../protocol/canvas-intents.ts';

export type { ColumnSense, DataObjectKind } from '../../../protocol/canvas-intents.ts';

/** A snapshot of what a data source holds. Pure data: JSON-serialisable, so that it can be cached on disk. */
export interface Catalog extends CatalogOrigin, CatalogContent {}

/** Of which data source a catalog is, and what holds for all of its kind. */
export interface CatalogOrigin {
  readonly dataSource: string;
  readonly kind: string;
  readonly dialect: SqlDialect;
  /** Rows have an order of their own (files). */
  readonly hasRowOrder?: boolean;
  /** Records are fetched before a query runs on them, so a query says what it reads. */
  readonly isFetched?: boolean;
}

/** What a source tells of itself when its catalog is read. */
export interface CatalogContent {
  /** Major version of the engine of that dialect, where it is certain: not of others that speak PostgreSQL's protocol. */
  readonly engineVersion?: number;
  readonly objects: readonly DataObject[];
  /** Names of objects that are there but that the configured user may not read. */
  readonly unreadable?: readonly string[];
  /** False when part of the list could not be read; rules that need the whole list then stay quiet. */
  readonly complete: boolean;
  /** ISO 8601, UTC: when it was read, or last found to be unchanged. */
  readonly readAt: string;
  readonly warnings: readonly string[];
  /** Objects that could not be described, with the warning that says why. */
  readonly undescribed?: readonly UndescribedObject[];
  /** Of the warnings the one that says why parts are missing or older than the rest, until the source can be read again. */
  readonly outdatedBecause?: string;
  /** What it was read from, as its source tells: as long as that stays, reading it again would give the same. For the source alone to read. */
  readonly stamp?: string;
  /** Files that those lead to which the settings name, also such as were not there when it was read: absolute paths. */
  readonly furtherFiles?: readonly string[];
}

export interface UndescribedObject {
  readonly name: string;
  readonly reason: string;
}

/** The name of a dialect (`dialects/`). */
export type SqlDialect = string;

/** A table, view, file or endpoint. */
export interface DataObject {
  /** The name used in entity graphs: bare in the first configured schema, else `schema.table`; a file's base name. */
  readonly name: string;
  readonly kind: DataObjectKind;
  /** How SQL addresses it: `[schema, table]` in a database, `[view]` for a file. Unquoted parts. */
  readonly path: readonly string[];
  readonly comment?: string;
  /** Names of the objects that it extends, the nearest last: each of its rows is one of theirs too, under the same key. */
  readonly extends?: readonly string[];
  /** The file it is read from, for files: absolute path. */
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
  /** Bytes, indexes and out-of-line storage included. */
  readonly dataSize?: number;
  /** ISO 8601, UTC. */
  readonly lastAnalyzed?: string;
}

export interface Column {
  readonly name: string;
  /** As the engine prints it, such as `timestamp with time zone` or `numeric(10,2)`. */
  readonly type: string;
  readonly sense: ColumnSense;
  /** The source's own name of the type, where the source is no SQL database, such as `glide_duration`. */
  readonly sourceType?: string;
  readonly nullable: boolean;
  readonly primaryKey: boolean;
  /** Tells, together with others of its kind, the rows of an object apart that has no primary key; what is fetched has it too. */
  readonly identifying?: boolean;
  /**
   * Keys, activities and equal ends of mappings are the texts of its cells, whatever its type: of a file, in which the type was found out and
   * not said.
   */
  readonly isKeyedByText?: boolean;
  readonly comment?: string;
  /** Set when a foreign key starts at this column. */
  readonly references?: { readonly dataObject: string; readonly column: string };
  /** The values that its source offers for it, in its order; others may occur. */
  readonly values?: readonly KnownValue[];
  /** A few values that were seen in it when the catalog was read, shortened. */
  readonly samples?: readonly string[];
  /** Share of NULLs, 0 to 1, from statistics. */
  readonly nullShare?: number;
  /** Estimated number of distinct values. */
  readonly distinctEstimate?: number;
}

export interface KnownValue {
  readonly value: string;
  /** What the source calls it. */
  readonly label?: string;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: { readonly dataObject: string; readonly columns: readonly string[] };
}

/** The object with exactly this name, matched whole and case-sensitively (docs/semantics.md#9-names). */
export function findDataObject(catalog: Pick<CatalogContent, 'objects'>, name: string): DataObject | undefined {
  return catalog.objects.find((object) => object.name === name);
}

export function findColumn(object: DataObject, name: string): Column | undefined {
  return object.columns.find((column) => column.name === name);
}
