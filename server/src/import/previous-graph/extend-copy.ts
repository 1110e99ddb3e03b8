import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { graphShape } from '../build/rows.ts';
import type { MadeRows, MadeTables } from './change-copy.ts';
import { createRowViewsSql } from './changed-properties.ts';
import { mapRebuildReason } from './extend-map.ts';
import type { ExtensionStatement, KnownCounts } from './extension-statement.ts';
import { extensionQuestions, extensionStatements } from './extension-statements.ts';
import type { ExtendedElement } from './new-rows.ts';
import { type Refusal, type ReuseWork, counts, query, run, runCounted } from './reuse-work.ts';
import { dropScratchSql, newRelations, scratchRelationsSql } from './scratch-relations.ts';
import { builtAnewSteps } from './tables-of-new-rows.ts';

/** The reason, for users, why the copy cannot take the new rows; undefined if it can. */
export async function extensionObstacle(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
): Promise<string | undefined> {
  const answered = await runStatements(work, extensionQuestions(extended, source));
  return 'reason' in answered ? answered.reason : undefined;
}

/** A copy with new rows. */
export interface ExtendedCopy extends MadeTables {
  /** The reason, for users, why directly-follows and the process map are built anew. */
  readonly mapRebuildReason: string | undefined;
}

/**
 * Writes the entities, events and properties of new rows into the copy, and directly-follows and the process map if they
 * can be brought up to date, and drops the tables that are built anew from all rows. Rejects if the events of the graph
 * are not those of the cached rows in their order.
 * @param source of all staged rows
 */
export async function extendCopy(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
): Promise<ExtendedCopy | Refusal> {
  const { elements } = source;
  const before = await query(work, scratchRelationsSql);
  const written = await runStatements(work, extensionStatements(extended, source));
  if ('reason' in written) return written;
  // The rows become views of all rows again, for counts.
  const names = elements.map(({ plan }) => `rows_${plan.number}`);
  const left = newRelations(
    before.filter(({ name }) => !names.includes(String(name))),
    await query(work, scratchRelationsSql),
  );
  const views = createRowViewsSql(elements, graphShape(elements, { ...source, dialect: duckdbBuild }));
  for (const sql of [...left.map(dropScratchSql), ...views]) await run(work, sql);
  const reasonOfMap = mapRebuildReason(source, written.known);
  const builtAnew = new Set(builtAnewSteps(source, reasonOfMap !== undefined).map(({ name }) => name));
  return { rows: written.rows, builtAnew, mapRebuildReason: reasonOfMap };
}

/** Runs the statements that are needed, until a check gives a reason. @returns the rows of tables, and the other counts */
async function runStatements(
  work: ReuseWork,
  statements: readonly ExtensionStatement[],
): Promise<{ readonly rows: MadeRows; readonly known: KnownCounts } | Refusal> {
  const rows = new Map<string, number>();
  const found = new Map<string, number>();
  const known: KnownCounts = (name) => {
    const count = found.get(name);
    if (count === undefined) throw new Error(`A statement did not count ${name}.`);
    return count;
  };
  for (const { sql, when, counts: names, check, expected, what = 'rows', rowsOf } of statements) {
    if (when && !when(known)) continue;
    if (names) {
      const countOf = await counts(work, sql);
      for (const name of names) found.set(name, countOf(name));
    } else if (rowsOf !== undefined) rows.set(rowsOf, (await counts(work, sql))('rows'));
    else if (expected !== undefined) await runCounted(work, { sql, expected }, what);
    else await run(work, sql);
    const reason = check?.(known);
    if (reason !== undefined) return { reason };
  }
  return { rows, known };
}
