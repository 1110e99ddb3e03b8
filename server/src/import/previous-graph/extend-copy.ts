import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { graphShape } from '../build/rows.ts';
import type { MadeRows } from './change-copy.ts';
import { createRowViewsSql } from './changed-properties.ts';
import {
  type ExtensionStatement,
  type KnownCounts,
  extensionQuestions,
  extensionStatements,
} from './extension-statements.ts';
import type { ExtendedElement } from './new-rows.ts';
import { type Refusal, type ReuseWork, counts, query, run, runCounted } from './reuse-work.ts';
import { dropScratchSql, newRelations, scratchRelationsSql } from './scratch-relations.ts';

/** The reason, for users, why the copy cannot take the new rows; undefined if it can. */
export async function extensionObstacle(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
): Promise<string | undefined> {
  const answered = await runStatements(work, extensionQuestions(extended, source));
  return 'reason' in answered ? answered.reason : undefined;
}

/**
 * Writes the entities, events and properties of new rows into the copy, and drops the tables that are built anew from
 * all rows. Rejects if the events of the graph are not those of the cached rows in their order.
 * @param source of all staged rows
 * @returns the rows that its tables have then
 */
export async function extendCopy(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
): Promise<{ readonly rows: MadeRows } | Refusal> {
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
  return written;
}

/** Runs the statements that are needed, until a check gives a reason. @returns the counted rows of tables */
async function runStatements(
  work: ReuseWork,
  statements: readonly ExtensionStatement[],
): Promise<{ readonly rows: MadeRows } | Refusal> {
  const rows = new Map<string, number>();
  const found = new Map<string, number>();
  const known: KnownCounts = (name) => {
    const count = found.get(name);
    if (count === undefined) throw new Error(`A statement did not count ${name}.`);
    return count;
  };
  for (const { sql, when, counts: names, check, expected, rowsOf } of statements) {
    if (when && !when(known)) continue;
    if (names) {
      const countOf = await counts(work, sql);
      for (const name of names) found.set(name, countOf(name));
    } else if (rowsOf !== undefined) rows.set(rowsOf, (await counts(work, sql))('rows'));
    else if (expected !== undefined) await runCounted(work, { sql, expected }, 'properties');
    else await run(work, sql);
    const reason = check?.(known);
    if (reason !== undefined) return { reason };
  }
  return { rows };
}
