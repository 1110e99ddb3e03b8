import type { GraphTable } from '../../graph-schema/graph-schema.ts';
import { isGraphRelation, tableRows } from '../../graph-schema/table-names.ts';
import type { BuildSource } from '../build/build-source.ts';
import { type BuildStep, type BuiltTable, stepsOfTables } from '../build/compile-build.ts';
import { copyBuild } from './graph-copy.ts';

function tablesThat(what: Exclude<GraphTable['withNewRows'], 'is written anew'>): ReadonlySet<BuiltTable> {
  return new Set(tableRows.flatMap(({ schema, table }) => (table.withNewRows === what ? [schema as BuiltTable] : [])));
}

/** The steps of a build whose tables are built anew where elements have new rows. */
export function builtAnewSteps(source: BuildSource): readonly BuildStep[] {
  return stepsOfTables(source, tablesThat('is built anew'));
}

/** Drops their tables and views in the copy. */
export function dropBuiltAnewSql(source: BuildSource): readonly string[] {
  const { graph } = copyBuild;
  return builtAnewSteps({ ...source, dialect: copyBuild }).flatMap(({ name, table, partOf }) => {
    if (table !== undefined) return table.startsWith(`${graph}.`) ? [`DROP TABLE ${table}`] : [];
    return partOf === undefined && isGraphRelation(name) ? [`DROP VIEW ${graph}.${name}`] : [];
  });
}

/** Counts the rows of the tables that get rows (`rows`), by the name of the step that makes them. */
export function countExtendedSql(source: BuildSource): readonly { readonly name: string; readonly sql: string }[] {
  return stepsOfTables({ ...source, dialect: copyBuild }, tablesThat('gets rows')).flatMap(({ name, table, count }) => {
    if (count !== undefined) return [{ name, sql: count }];
    const isStored = table?.startsWith(`${copyBuild.graph}.`) === true;
    return isStored ? [{ name, sql: `SELECT count(*) AS rows FROM ${table}` }] : [];
  });
}
