import { basename } from 'node:path';
import { embeddedLiteral, quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { SourceError } from '../source-error.ts';
import { tryValueSql } from './cell-values.ts';
import { inFormat } from './corrected-types.ts';
import { withDeclaredTypes } from './declared-types.ts';
import { distinctNames } from './distinct-names.ts';
import { explainError } from './errors.ts';
import { advice, numberedNames } from './format-warnings.ts';
import type { Findings, InspectionOptions, SourceFile } from './inspected-file.ts';
import { type JsonPlace, isDictionary, jsonKinds } from './json-places.ts';
import { jsonFormat } from './json-reader.ts';
import { type TypeOfTexts, typeOfForms, typeOfNumbers, typeOfPlace } from './json-types.ts';
import { learnJson } from './learn-json.ts';
import type { JsonPlan, PlanColumn } from './plan-types.ts';
import type { FileOptions } from './read-settings.ts';
import { readerSql } from './read-plan.ts';
import { call } from './reader-call.ts';

/** Inspects a JSON file. Names and types are those of all of its records. */
export async function inspectJson(
  file: SourceFile,
  { session: opening, options, signal }: InspectionOptions,
): Promise<Findings> {
  const { path, format } = file;
  const learnt = await learnJson(path, format.lines, signal);
  const session = await opening;
  if (!learnt) throw await noJson(session, file, signal);
  const { root, records } = learnt;
  const isOfRecords = root.kinds === jsonKinds.object && !isDictionary(root);
  const places = isOfRecords ? namedPlaces(root) : [{ name: 'json', place: root }];
  const shape = { kind: 'json', lines: format.lines, isOfRecords, ...pickFormats(options) } as const;
  const hasLongNumbers = places.some(({ place }) => hasLossyNumbers(place));
  const plan = (typeOfTexts: TypeOfTexts): JsonPlan => ({
    ...shape,
    ...(hasLongNumbers && { hasLongNumbers }),
    columns: places.map(({ name, field, place }) => {
      const type = place.kinds === 0 && !isOfRecords ? 'JSON' : typeOfPlace(place, typeOfTexts);
      return { name, type, ...(field !== undefined && { field }) };
    }),
  });
  const inGivenFormat = await typesInFormat(
    session,
    path,
    places,
    plan(() => 'VARCHAR'),
    signal,
  );
  const detected = plan((place) => {
    const type = typeOfForms(place);
    const isFormatGiven = type === 'DATE' ? options.dateFormat : type !== 'VARCHAR' && options.timestampFormat;
    return inGivenFormat.get(place) ?? (isFormatGiven ? 'VARCHAR' : type);
  });
  const named = await withTypeNames(session, detected.columns);
  const wishes = { session, options, signal, path, readFrom: path, reader: 'read_json' } as const;
  const columns = (await withDeclaredTypes(named, wishes)).map((column) => inFormat(column, detected));
  return {
    plan: { ...detected, columns },
    rowEstimate: records,
    warnings: [
      ...places.flatMap(({ name, place }) => numberWarnings(file, options, name, place)),
      ...numberedNames(basename(path), columns, (name) =>
        columns.some((column) => column.name === name && column.field === undefined),
      ),
    ],
  };
}

interface NamedPlace extends Pick<PlanColumn, 'name' | 'field'> {
  readonly place: JsonPlace;
}

/** A column of each field, numbered where SQL cannot tell its name from another. */
function namedPlaces(root: JsonPlace): readonly NamedPlace[] {
  const names = distinctNames(root.fields.map(({ name }) => name));
  return root.fields.map(({ name: field, place }, index) => {
    const name = names[index] ?? field;
    return { name, place, ...(name !== field && { field }) };
  });
}

function hasLossyNumbers({ numbers, fields, items }: JsonPlace): boolean {
  const isFloating = numbers.isLossy && numbers.isFloating;
  return isFloating || fields.some(({ place }) => hasLossyNumbers(place)) || (items ? hasLossyNumbers(items) : false);
}

/** A warning for each place whose numbers are texts. */
function numberWarnings(file: SourceFile, options: FileOptions, name: string, place: JsonPlace): readonly string[] {
  if (place.kinds === jsonKinds.number && typeOfNumbers(place.numbers) === undefined) {
    const said = `${basename(file.path)}: the numbers of ${name} have more digits than a DECIMAL or DOUBLE keeps, and are texts`;
    return [`${said}${advice(options, 'types', 'they are to be numbers')}.`];
  }
  return [
    ...place.fields.flatMap((field) => numberWarnings(file, options, `${name}.${field.name}`, field.place)),
    ...(place.items ? numberWarnings(file, options, name, place.items) : []),
  ];
}

/** The types of texts for which a format is given: a date or time if all of them are in the format. */
async function typesInFormat(
  session: DuckDbSession,
  path: string,
  places: readonly NamedPlace[],
  plan: JsonPlan,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<JsonPlace, string>> {
  const types = [
    ...(plan.dateFormat === undefined ? [] : ['DATE']),
    ...(plan.timestampFormat === undefined ? [] : ['TIMESTAMP']),
  ];
  const texts = places.flatMap(({ name, place }) => textsOf(quoteIdentifier(name), place));
  const tests = texts.flatMap(({ sql, place }) => types.map((type) => ({ sql, place, type })));
  if (tests.length === 0) return new Map();
  const findings = tests.map(({ sql, type }, index) => {
    const value = tryValueSql(sql, { name: '', type }, plan);
    return `bool_and(${value} IS NOT NULL) FILTER (${sql} IS NOT NULL) AS t${index}`;
  });
  const statement = `SELECT ${findings.join(', ')} FROM ${readerSql(plan, path)}`;
  const [found = {}] = await session.query(statement, { signal }).catch(async (error: unknown) => {
    if (signal?.aborted) throw error;
    throw await explainError(error, { files: [{ path, readFrom: path }] });
  });
  const fitting = tests.filter((_, index) => found[`t${index}`] === true).toReversed();
  return new Map(fitting.map(({ place, type }) => [place, type]));
}

/** All texts outside lists. */
function textsOf(sql: string, place: JsonPlace): readonly { readonly sql: string; readonly place: JsonPlace }[] {
  if (place.kinds === jsonKinds.text) return [{ sql, place }];
  if (place.kinds !== jsonKinds.object || typeOfPlace(place, () => 'VARCHAR') === 'JSON') return [];
  return place.fields.flatMap((field) =>
    textsOf(`struct_extract(${sql}, ${embeddedLiteral(field.name)})`, field.place),
  );
}

/** The types as DuckDB prints them, which quotes names where necessary. */
async function withTypeNames(session: DuckDbSession, columns: readonly PlanColumn[]): Promise<readonly PlanColumn[]> {
  const nested = columns.filter(({ type }) => type.includes('"'));
  if (nested.length === 0) return columns;
  const rows = await session.query(
    `DESCRIBE SELECT ${nested.map(({ type }, index) => `NULL::${type} AS c${index}`).join(', ')}`,
  );
  const names = new Map(nested.map((column, index) => [column, String(rows[index]?.['column_type'])]));
  return columns.map((column) => ({ ...column, type: names.get(column) ?? column.type }));
}

/** DuckDB's error about a file that is no JSON, which has the line. */
async function noJson(session: DuckDbSession, file: SourceFile, signal: AbortSignal | undefined): Promise<unknown> {
  const { path, format } = file;
  const reader = call('read_json', path, [jsonFormat(format), 'records = false', "columns = {'json': 'JSON'}"]);
  try {
    await session.run(`SELECT max(json) FROM ${reader}`, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    return explainError(error, { files: [{ path, readFrom: path }] });
  }
  return new SourceError('file-malformed', `${path} is no JSON.`, {
    file: path,
    remedy: 'Correct the file, or export it again.',
  });
}

function pickFormats({
  dateFormat,
  timestampFormat,
}: FileOptions): Pick<FileOptions, 'dateFormat' | 'timestampFormat'> {
  return { ...(dateFormat !== undefined && { dateFormat }), ...(timestampFormat !== undefined && { timestampFormat }) };
}
