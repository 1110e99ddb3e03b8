import type { Failure, Outcome, RefusedQuery, TextRange } from '../../../protocol/query-results.ts';
import { QuestionError } from '../analysis/question-error.ts';
import type { SourceError } from '../connectors/source-error.ts';
import { isSourceError } from '../connectors/source-error.ts';
import { type FileError, fileErrorOf } from '../files/file-error.ts';
import { ImportError } from '../import/import-error.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { fragmentAtFault, lastWordStart, mapErrorPosition, wordLength } from '../query/map-error-position.ts';
import type { GraphFile } from '../project/open-project.ts';
import { isOutcomeUnknown } from './platform/unknown-outcome.ts';
import { textRange } from '../project/text-range.ts';

/** A failed operation, with the failure shown to the user. */
export class OperationError extends Error {
  constructor(
    readonly failure: Failure,
    cause?: unknown,
  ) {
    super(failure.message, { cause });
    this.name = 'OperationError';
  }
}

/**
 * Runs an operation and converts errors to failures in user terms. Aborts become `cancelled`, unless the outcome is
 * uncertain.
 */
export async function toOutcome<T>(operation: () => Promise<T>, signal?: AbortSignal): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await operation() };
  } catch (error) {
    return { ok: false, error: toFailure(error, signal) };
  }
}

/** The only place that converts unknown errors to messages. */
export function toFailure(error: unknown, signal?: AbortSignal): Failure {
  if (signal?.aborted && !isOutcomeUnknown(error)) return { code: 'cancelled', message: 'Cancelled.' };
  if (error instanceof OperationError) return error.failure;
  if (error instanceof QuestionError) return questionFailure(error);
  if (isSourceError(error)) return sourceFailure(error);
  if (error instanceof ImportError) return importFailure(error);
  const ofFiles = fileErrorOf(error);
  if (ofFiles) return fileFailure(ofFiles);
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal-error', message: `Unexpected error: ${message}` };
}

function questionFailure({ message, remedy }: QuestionError): Failure {
  return { code: 'not-in-graph', message, ...(remedy === undefined ? {} : { remedy }) };
}

/** A refusal, such as of an action on a graph that is being imported. */
function importFailure({ code, message, details: { remedy } }: ImportError): Failure {
  return { code, message, ...(remedy === undefined ? {} : { remedy }) };
}

/** A file or folder that prevents an operation. */
export function fileFailure({ code, message, details: { file, remedy } }: FileError): Failure {
  // The location is only for files that can be opened.
  return { code, message, remedy, ...(code === 'file-exists' && file !== undefined && { file }) };
}

/** A source's rejection of `query`, mapped to the YAML if the engine reported a position. */
export function queryFailure(
  error: unknown,
  query: CompiledQuery,
  file: GraphFile,
  fallback: TextRange | undefined,
  { withQuery = false }: { readonly withQuery?: boolean } = {},
): unknown {
  if (!isSourceError(error)) return error;
  const place = isAboutQuery(error) ? placeInFile(query, error.details) : undefined;
  const range = place ? textRange(file.text, place) : fallback;
  const whole = !place && fallback && error.details.file === undefined ? { isWholeEntry: true as const } : {};
  const refused = withQuery && isAboutQuery(error) ? { query: refusedQuery(query.sql, error.details) } : {};
  const failure = { ...sourceFailure(error), ...refused };
  if (failure.file !== undefined && failure.file !== file.path) return new OperationError(failure, error);
  return new OperationError({ ...failure, file: file.path, ...(range ? { range } : {}), ...whole }, error);
}

function placeInFile(query: CompiledQuery, { position, length }: PlaceOfError): SourceRange | undefined {
  const place = position === undefined ? undefined : mapErrorPosition(query, position, length);
  return place ?? fragmentAtFault(query, position);
}

type PlaceOfError = Pick<SourceError['details'], 'position' | 'length'>;

/** Whether the query explains the error, rather than the state of the source. */
function isAboutQuery({ code, details }: SourceError): boolean {
  return details.position !== undefined || queryCodes.has(code);
}

const queryCodes = new Set<SourceError['code']>(['sql-error', 'column-missing', 'object-missing', 'type-mismatch']);

function refusedQuery(sql: string, { position, length }: PlaceOfError): RefusedQuery {
  if (position === undefined) return { sql };
  // Incomplete SQL is reported at its end; the visible part is its last word.
  const isEnd = sql.slice(position).trim() === '';
  if (isEnd) return { sql, place: { start: lastWordStart(sql), end: sql.trimEnd().length } };
  return { sql, place: { start: position, end: position + (length ?? wordLength(sql, position)) } };
}

/** The first of some problems, as a failure at its position in `file`. */
export function problemFailure(problems: readonly Problem[], file: GraphFile): OperationError {
  const [first, ...rest] = problems;
  if (!first) return new OperationError({ code: 'internal-error', message: 'The query could not be built.' });
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more: run validate)`;
  return new OperationError({
    code: first.code,
    message: `${first.message}${more}`,
    file: file.path,
    range: textRange(file.text, first.range),
  });
}

function sourceFailure(error: SourceError): Failure {
  const { remedy, hint, file, line, said, proposedType } = error.details;
  const message = hint ? `${error.message} ${hint}` : error.message;
  const start = line === undefined ? undefined : { line: line - 1, character: 0 };
  return {
    code: error.code,
    message,
    ...(said === undefined ? {} : { shortMessage: said.charAt(0).toUpperCase() + said.slice(1) }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(proposedType && { proposedType }),
    ...(file === undefined ? {} : { file }),
    ...(start === undefined ? {} : { range: { start, end: start } }),
  };
}
