import { postgresql } from '../../dialects/postgresql.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import type { DistributeTable, DistributionColumn } from '../source-build.ts';
import { doBlock } from './do-block.ts';

/**
 * Empty tables beside which all others of a build are placed, and no table of the user: moving one of a group to
 * another node moves all.
 */
const first: Readonly<Record<DistributionColumn['of'], string>> = {
  numbers: 'by_number',
  rows: 'by_row',
  texts: 'by_text',
};

const types: Readonly<Record<DistributionColumn['of'], string>> = { numbers: 'bigint', rows: 'uuid', texts: 'text' };

/** How Citus distributes the tables of a build. @param schema the schema of these tables, as an SQL name */
export function distributeOnCitus(schema: string): DistributeTable {
  return (table, { column, of }) => distributeSql(table, column, `${schema}.${first[of]}`);
}

/** The statements that make the first tables. */
export function firstTablesOnCitus(schema: string): readonly PlanStatement[] {
  return (['numbers', 'rows', 'texts'] as const).map((of) => {
    const table = `${schema}.${first[of]}`;
    return {
      title: `An empty table: those distributed by ${of} are placed beside it`,
      sql: `CREATE TABLE ${table} (value ${types[of]});\n${distributeSql(table, 'value', 'none')}`,
    };
  });
}

/**
 * The statement that drops all tables of a build that are not of its graph. Shards are dropped with their table, but
 * may be listed beside it on the coordinator. All names are collected first, because Citus does not recognise a shard
 * once its table is gone. @param schema the schema of these tables
 */
export function dropStagingSql(schema: string, relations: readonly string[]): PlanStatement {
  const { quote } = postgresql.literals;
  return {
    title: 'Drops the tables of the build that are no part of the graph',
    sql: doBlock(`DECLARE staging text; BEGIN
      SELECT string_agg(format('%I.%I', space.nspname, class.relname), ', ') INTO staging
        FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
        WHERE space.nspname = ${quote(schema)} AND class.relkind = 'r' AND class.relname NOT IN (${relations.map(quote).join(', ')})
          AND pg_catalog.relation_is_a_known_shard(class.oid) IS NOT TRUE;
      EXECUTE 'DROP TABLE ' || staging; END`),
  };
}

function distributeSql(table: string, column: string, beside: string): string {
  const { quote } = postgresql.literals;
  return `SELECT create_distributed_table(${quote(table)}, ${quote(column)}, colocate_with => ${quote(beside)})`;
}
