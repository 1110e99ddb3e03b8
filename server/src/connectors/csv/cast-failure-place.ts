import { basename } from 'node:path';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { isDuckDbError, type DuckDbSession } from '../../store/duckdb-store.ts';
import { SourceError } from '../source-error.ts';
import { castFailureOf, isMadeOfText } from './cell-values.ts';
import { asTexts } from './corrected-types.ts';
import { leavesOf, parseType } from './nested-types.ts';
import { clip } from './clip.ts';
import type { PlanColumn, ReadPlan } from './plan-types.ts';
import { plainUtf8, readerSql } from './read-plan.ts';
import { lineOfRow } from './record-line.ts';
import type { AttachedFile } from './inspected-file.ts';

/**
 * Position in the file of a text that does not fit its column type, for such an error of `checked` (`cell-values.ts`);
 * undefined for other errors. The error names text and type, but neither file nor row: the first row with that text is
 * looked for.
 */
export async function castFailurePlace(
  session: DuckDbSession,
  attached: readonly AttachedFile[],
  error: unknown,
): Promise<SourceError | undefined> {
  const found = isDuckDbError(error) ? castFailureOf(error.failure.message) : undefined;
  if (!found) return undefined;
  const { text, type } = found;
  for (const each of attached) {
    const place = await firstRow(session, each, text, type).catch(() => undefined);
    if (place) return castFailureError(each, place, { text, type, cause: error });
  }
  return undefined;
}

interface CastFailurePlace {
  readonly column: PlanColumn;
  /** 1-based. */
  readonly row: number;
}

async function firstRow(
  session: DuckDbSession,
  { file, readFrom }: AttachedFile,
  text: string,
  type: string,
): Promise<CastFailurePlace | undefined> {
  const plan = readablePlan(file.plan, file.path, readFrom);
  const columns = plan.columns.filter(
    (column) => (column.type === type && isMadeOfText(column, plan)) || isNestedIn(column, type, plan),
  );
  if (columns.length === 0) return undefined;
  const names = columns.map(({ name }) => quoteIdentifier(name));
  // The text of an object or list is JSON.
  const quoted = embeddedLiteral(JSON.stringify(text).slice(1, -1));
  const rows = columns.map((column, index) => {
    const isFound =
      column.type === type ? `${names[index]} = ${embeddedLiteral(text)}` : `contains(${names[index]}, ${quoted})`;
    return `min(row) FILTER (${isFound}) AS c${index}`;
  });
  const texts = readerSql({ ...plan, columns: asTexts(plan.columns) }, readFrom);
  const [found = {}] = await session.query(
    `SELECT ${rows.join(', ')} FROM (SELECT row_number() OVER () AS row, ${names.join(', ')} FROM ${texts})`,
  );
  const places = columns.flatMap((column, index) => {
    const row = Number(found[`c${index}`] ?? 0);
    return row > 0 ? [{ column, row }] : [];
  });
  return places.toSorted((one, other) => one.row - other.row)[0];
}

function isNestedIn(column: PlanColumn, type: string, { kind }: Pick<ReadPlan, 'kind'>): boolean {
  if (kind !== 'json') return false;
  const nested = parseType(column.type);
  return nested.kind !== 'leaf' && leavesOf(nested).includes(type);
}

async function castFailureError(
  { file, readFrom }: AttachedFile,
  { column, row }: CastFailurePlace,
  { text, type, cause }: { readonly text: string; readonly type: string; readonly cause: unknown },
): Promise<SourceError> {
  const name = basename(file.path);
  const plan = readablePlan(file.plan, file.path, readFrom);
  const isLines = plan.kind === 'json' && plan.lines;
  const line = plan.kind === 'csv' ? await lineOfRow(readFrom, row, plan) : isLines ? row : undefined;
  const place = line === undefined ? `${name}, record ${row}` : `${name}, line ${line}`;
  const nulls = plan.kind === 'csv' ? ', add it to nullValues' : '';
  return new SourceError('file-malformed', `${place}: "${clip(text)}" in column ${column.name} is not a ${type}.`, {
    file: file.path,
    line,
    remedy: `Correct the value${nulls}, or set types: { "${column.name}": VARCHAR } for ${name}.`,
    remedyOfFile: 'Correct the value.',
    cause,
  });
}

/** Format of the file read by DuckDB, which may be a copy. */
function readablePlan(plan: ReadPlan, path: string, readFrom: string): ReadPlan {
  return plan.kind === 'csv' && readFrom !== path ? { ...plan, ...plainUtf8 } : plan;
}
