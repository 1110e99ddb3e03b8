import { isGraphRelation } from '../../graph-schema/table-names.ts';
import type { BuildDialect } from './build-dialect.ts';
import { nameOfPart } from './plan-statement.ts';
import type { FilledTable } from './ranged/filled-table.ts';

/** A statement of an import, with a recognisable name for reports. */
export interface BuildStep {
  /** Unique in its plan, such as `event` or `rows_1`. */
  readonly name: string;
  /** Description, for progress and reports. */
  readonly title: string;
  readonly sql: string;
  /** The created table, as SQL; absent for views, and for steps that add rows. */
  readonly table?: string;
  /** The name of the step that created the table to which this one adds rows: that step reports all of them. */
  readonly partOf?: string;
  /**
   * SQL that counts the rows of a view that stands for a table of the graph: creating a view returns no number of rows.
   */
  readonly count?: string;
}

interface Place {
  readonly dialect: BuildDialect;
}

export function graphStep(title: string, table: string, sql: string, { dialect }: Place): BuildStep {
  return { name: table, title, sql, table: `${dialect.graph}.${table}` };
}

export function stagingStep(title: string, table: string, sql: string, { dialect }: Place): BuildStep {
  return { name: table, title, sql, table: dialect.identifiers.quote(table) };
}

/** The statements that create a table of the graph or of staging, and fill it. */
export function fillingSteps({ name, title, selects }: FilledTable, dialect: BuildDialect): readonly BuildStep[] {
  const isOfGraph = isGraphRelation(name);
  const table = isOfGraph ? `${dialect.graph}.${name}` : name;
  const create = `${isOfGraph ? 'CREATE TABLE' : dialect.build.createStaging} ${table} AS`;
  return selects.map((select, index) => {
    if (index > 0) {
      return { name: nameOfPart(name, index), title, sql: `INSERT INTO ${table} ${select}`, partOf: name };
    }
    const sql = `${create} ${select}`;
    return isOfGraph ? graphStep(title, name, sql, { dialect }) : stagingStep(title, name, sql, { dialect });
  });
}
