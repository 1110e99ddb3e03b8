/** These queries read the whole catalog, for any number of tables. `$1` is the list of schema names. */
export const catalogQueries = {
  /** Relations with rows, size and planner statistics; `readable` when some column may be selected. */
  objects: `SELECT c.oid::int8::text AS id, n.nspname AS schema, c.relname AS name, c.relkind::text AS kind, c.relispartition AS partition,
  has_schema_privilege(n.oid, 'USAGE') AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT')) AS readable,
  d.description AS comment, c.reltuples AS rows,
  CASE WHEN c.relkind IN ('r', 'm', 'p') THEN pg_total_relation_size(c.oid)::float8 END AS size,
  (SELECT i.inhparent::int8::text FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = c.oid AND c.relispartition LIMIT 1) AS parent,
  (SELECT array_agg(i.inhparent::int8::text ORDER BY i.inhseqno) FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = c.oid AND NOT c.relispartition) AS inherited,
  to_char(greatest(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS analyzed
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_description AS d ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = 0
WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
ORDER BY array_position($1::text[], n.nspname::text), c.relname`,

  /** Their columns in order; without permission for the whole table, only the permitted ones. Collations other than that of the type, and `C`. */
  columns: `SELECT c.oid::int8::text AS id, array_agg(a.attname::text ORDER BY a.attnum) AS names,
  array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS types,
  array_agg(a.atttypid::int8::text ORDER BY a.attnum) AS type_ids, array_agg(a.atttypmod ORDER BY a.attnum) AS modifiers,
  array_agg((SELECT l.collname::text FROM pg_catalog.pg_collation AS l JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    WHERE l.oid = a.attcollation AND l.oid <> t.typcollation AND l.collname <> 'C') ORDER BY a.attnum) AS collations,
  array_agg(NOT a.attnotnull ORDER BY a.attnum) AS nullable, array_agg(d.description ORDER BY a.attnum) AS comments
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_description AS d ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = a.attnum
WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
  AND (has_table_privilege(c.oid, 'SELECT') OR has_column_privilege(c.oid, a.attnum, 'SELECT'))
GROUP BY c.oid`,

  /** Kind, category, base type of domains and labels of enums, for all types. */
  types: `SELECT t.oid::int8::text AS id, t.typtype::text AS kind, t.typcategory::text AS category,
  t.typbasetype::int8::text AS base, t.typtypmod AS modifier,
  (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = t.oid) AS labels
FROM pg_catalog.pg_type AS t
WHERE EXISTS (
  SELECT FROM pg_catalog.pg_attribute AS a
  JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE a.atttypid = t.oid AND n.nspname = ANY ($1::text[])) OR t.typtype IN ('d', 'e') OR t.oid < 10000`,

  /**
   * Primary and foreign keys with columns in key order, without the copies that PostgreSQL creates for partitions of a
   * referenced table.
   */
  constraints: `SELECT k.conrelid::int8::text AS id, k.conname AS name, k.contype::text AS kind,
  (SELECT array_agg(a.attname::text ORDER BY key.place) FROM unnest(k.conkey) WITH ORDINALITY AS key (number, place)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = key.number) AS columns,
  rn.nspname AS target_schema, r.relname AS target_name,
  (SELECT array_agg(a.attname::text ORDER BY key.place) FROM unnest(k.confkey) WITH ORDINALITY AS key (number, place)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = key.number) AS target_columns
FROM pg_catalog.pg_constraint AS k
JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_class AS r ON r.oid = k.confrelid
LEFT JOIN pg_catalog.pg_namespace AS rn ON rn.oid = r.relnamespace
LEFT JOIN pg_catalog.pg_constraint AS p ON p.oid = k.conparentid
WHERE n.nspname = ANY ($1::text[]) AND k.contype IN ('p', 'f') AND p.conrelid IS DISTINCT FROM k.conrelid
ORDER BY k.conrelid, k.conname`,

  /** Visible planner statistics. For a table with children, those of the whole inheritance tree are last. */
  statistics: `SELECT schemaname AS schema, tablename AS name, array_agg(attname::text ORDER BY inherited) AS columns,
  array_agg(null_frac::float8 ORDER BY inherited) AS null_shares, array_agg(n_distinct::float8 ORDER BY inherited) AS distincts,
  array_agg(left(coalesce(most_common_vals::text, histogram_bounds::text), 160) ORDER BY inherited) AS samples
FROM pg_catalog.pg_stats
WHERE schemaname = ANY ($1::text[])
GROUP BY schemaname, tablename`,

  /** The existing ones of the configured schemas. */
  schemas: `SELECT nspname AS name, version() AS version FROM pg_catalog.pg_namespace WHERE nspname = ANY ($1::text[])`,
} as const;

export interface SchemaRow {
  readonly name: string;
  /** The text of `version()`, added here to save a query. */
  readonly version: string;
}

export interface ObjectRow {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly partition: boolean;
  readonly readable: boolean;
  readonly comment: string | null;
  readonly rows: number;
  readonly size: number | null;
  /** The table of a partition. */
  readonly parent: string | null;
  /** The tables that a table inherits from (`INHERITS`); null if there are none. */
  readonly inherited: readonly string[] | null;
  readonly analyzed: string | null;
}

/** One row per relation with arrays of columns, which is a tenth of the rows. */
export interface ColumnsRow {
  readonly id: string;
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly type_ids: readonly string[];
  readonly modifiers: readonly number[];
  readonly collations: readonly (string | null)[];
  readonly nullable: readonly boolean[];
  readonly comments: readonly (string | null)[];
}

export interface TypeRow {
  readonly id: string;
  readonly kind: string;
  readonly category: string;
  readonly base: string;
  readonly modifier: number;
  /** Null unless it is an enum. */
  readonly labels: readonly string[] | null;
}

export interface ConstraintRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly string[];
  readonly target_schema: string | null;
  readonly target_name: string | null;
  readonly target_columns: readonly string[] | null;
}

export interface StatisticsRow {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly null_shares: readonly number[];
  readonly distincts: readonly number[];
  /** The start of an array of frequent values, or of histogram bounds, as printed by PostgreSQL. */
  readonly samples: readonly (string | null)[];
}

/** Results of the queries. */
export interface CatalogRows {
  readonly objects: readonly ObjectRow[];
  readonly columns: readonly ColumnsRow[];
  readonly types: readonly TypeRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly statistics: readonly StatisticsRow[];
  readonly schemas: readonly SchemaRow[];
}
