import type { GraphTable } from '../../graph-schema/graph-schema.ts';
import { isGraphRelation, tableRows } from '../../graph-schema/table-names.ts';
import type { BuildSource } from '../build/build-source.ts';
import { type BuildStep, type BuiltTable, stepsOfTables } from '../build/compile-build.ts';
import { copyBuild } from './graph-copy.ts';

type Treatment = Exclude<GraphTable['withNewRows'], 'is written anew'>;

function tablesThat(treatments: readonly Treatment[]): ReadonlySet<BuiltTable> {
  const all: readonly string[] = treatments;
  return new Set(
    tableRows.flatMap(({ schema, table }) => (all.includes(table.withNewRows) ? [schema as BuiltTable] : [])),
  );
}

/**
 * The steps of a build whose tables are built anew where elements have new rows.
 * @param isMapAnew directly-follows and the process map are, too
 */
export function builtAnewSteps(source: BuildSource, isMapAnew: boolean): readonly BuildStep[] {
  return stepsOfTables(source, tablesThat(['is built anew', ...(isMapAnew ? [ofMap] : [])]));
}

/** How directly-follows and the process map are treated. */
const ofMap: Treatment = 'gets rows or is built anew';

/** Drops the tables and views of `builtAnewSteps` in the copy. */
export function dropBuiltAnewSql(source: BuildSource, isMapAnew: boolean): readonly string[] {
  return dropSql(builtAnewSteps({ ...source, dialect: copyBuild }, isMapAnew));
}

/** Drops directly-follows and the process map in the copy. */
export function dropMapSql(source: BuildSource): readonly string[] {
  return dropSql(stepsOfTables({ ...source, dialect: copyBuild }, tablesThat([ofMap])));
}

function dropSql(steps: readonly BuildStep[]): readonly string[] {
  const { graph } = copyBuild;
  return steps.flatMap(({ name, table, partOf }) => {
    if (table !== undefined) return table.startsWith(`${graph}.`) ? [`DROP TABLE ${table}`] : [];
    return partOf === undefined && isGraphRelation(name) ? [`DROP VIEW ${graph}.${name}`] : [];
  });
}

/** Counts the rows of tables (`rows`), by the name of the step that makes them. */
export function countExtendedSql(
  source: BuildSource,
  treatment: Treatment,
): readonly { readonly name: string; readonly sql: string }[] {
  return stepsOfTables({ ...source, dialect: copyBuild }, tablesThat([treatment])).flatMap(({ name, table, count }) => {
    if (count !== undefined) return [{ name, sql: count }];
    const isStored = table?.startsWith(`${copyBuild.graph}.`) === true;
    return isStored ? [{ name, sql: `SELECT count(*) AS rows FROM ${table}` }] : [];
  });
}
