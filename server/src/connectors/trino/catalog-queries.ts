import { trino } from '../../dialects/trino.ts';

const { identifiers, literals } = trino;

/** The queries of one catalog, for any number of tables. An empty list of schemas means all except `information_schema`. */
export function catalogQueries(catalog: string, schemas: readonly string[]) {
  const name = literals.quote(catalog);
  const among = (column: string): string =>
    schemas.length === 0
      ? `${column} <> 'information_schema'`
      : `${column} IN (${schemas.map(literals.quote).join(', ')})`;
  const dictionary = `${identifiers.quote(catalog)}.information_schema`;
  return {
    schemas: `SELECT schema_name FROM ${dictionary}.schemata`,
    objects: `SELECT table_schema, table_name, table_type FROM ${dictionary}.tables
WHERE ${among('table_schema')}
ORDER BY table_schema, table_name`,
    /** In order. The dictionary of a catalog has no comments of columns. */
    columns: `SELECT table_schem, table_name, column_name, type_name, nullable, remarks FROM system.jdbc.columns
WHERE table_cat = ${name} AND ${among('table_schem')}
ORDER BY table_schem, table_name, ordinal_position`,
    comments: `SELECT schema_name, table_name, comment FROM system.metadata.table_comments
WHERE catalog_name = ${name} AND ${among('schema_name')} AND comment IS NOT NULL`,
  };
}

/** The estimates that the server has of a table; some connectors read them from files. */
export function statisticsQuery(path: readonly string[]): string {
  return `SHOW STATS FOR ${path.map(identifiers.quote).join('.')}`;
}
