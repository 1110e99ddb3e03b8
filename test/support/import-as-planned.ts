import assert from 'node:assert/strict';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import type { ImportedProject } from './import-text.ts';
import { runCommand } from './run-command.ts';

/** An import inside Trino whose statements were those of its plan. */
export interface PlannedImport {
  readonly summary: ImportSummary;
  /** The names of the steps of the plan. */
  readonly steps: readonly string[];
}

/**
 * Prints the plan of an import inside Trino, then imports, and expects every statement of the import in the plan, and
 * the other way round: but for the names of things that are swept or dropped.
 * @param passed the statements that pass a proxy, of which none is kept
 */
export async function importAsPlanned(project: ImportedProject, passed: string[]): Promise<PlannedImport> {
  passed.length = 0;
  const printed = await runCommand(['plan', 'graph.entity.yaml', '--format', 'json'], project.folder);
  assert.equal(printed.code, 0, printed.stderr);
  const asked = passed.map(comparable);
  assert.deepEqual(asked.filter(writes), [], 'A plan writes nothing.');
  const { steps } = JSON.parse(printed.stdout) as ImportPlanView;
  const planned = steps.flatMap(({ name, parts }) => parts.map(({ text }) => ({ name, sql: comparable(text) })));
  passed.length = 0;
  const summary = await project.import();
  assert.equal(summary.status, 'imported', summary.error?.message);
  const ran = passed.map(comparable);
  passed.length = 0;
  assert.ok(ran.filter(writes).length > 60, `${ran.length} statements`);
  const known = new Set([...planned.map(({ sql }) => sql), ...asked]);
  assert.deepEqual(
    ran.filter((sql) => !known.has(sql) && !asksForNames(sql)),
    [],
  );
  assert.deepEqual(
    planned.filter(({ name, sql }) => !mayHaveNothingToDo(name, sql) && !ran.some((each) => each.includes(sql))),
    [],
  );
  return { summary, steps: steps.map(({ name }) => name) };
}

const writes = (sql: string): boolean => /^(?:CREATE|INSERT|UPDATE|DELETE|DROP|ALTER|MERGE)\b/u.test(sql);

/** What is there to be read, swept or dropped is known when the import runs. */
const asksForNames = (sql: string): boolean =>
  /information_schema|system\.(?:jdbc|metadata)\.|^SHOW |"begun"$/u.test(sql);

/**
 * Nothing may be there to drop. Examples are queried of broken expectations, violations stored of broken rules, and
 * values compared of repeated keys only.
 */
const mayHaveNothingToDo = (step: string, sql: string): boolean =>
  /^DROP (?:VIEW|SCHEMA)/u.test(sql) ||
  /^(?:entity_)?expectations_/u.test(step) ||
  (step.startsWith('counts_entities_') && sql.includes(' AS differing FROM ')) ||
  (step === 'rules' && /^INSERT INTO \S+"rule_violation" /u.test(sql));

/**
 * Without the run, the names of dropped tables, the values of the run record and of rules, and the times of the import
 * and of the last event.
 */
function comparable(sql: string): string {
  const text = sql.trim().replaceAll(/(ekg_\w+?)__[\w…]+/gu, '$1__…');
  if (/^CREATE TABLE (?:\S+\.)?run AS /u.test(text)) return text.replaceAll(/'(?:[^']|'')*'/gu, "''");
  if (text.startsWith('UPDATE ')) return text.replace(/ run = '[^']*'/u, " run = '…'");
  return text
    .replace(/^(DROP (?:TABLE|VIEW) .*\.)"[^"]*"$/u, '$1"…"')
    .replace(/(time > TIMESTAMP )'[^']*'/u, "$1'…'")
    .replace(/^(INSERT INTO \S+"(?:rule|measure)" VALUES ).*/su, '$1…')
    .replaceAll(/CAST\('[\d-]{10} [\d:.]+' AS timestamp\(6\)\)/gu, "CAST('…' AS timestamp(6))");
}
