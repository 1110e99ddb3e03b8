import { basename } from 'node:path';
import { embeddedLiteral, quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { SourceError } from '../source-error.ts';
import { readableFile } from './attach-file.ts';
import { tryValueSql } from './cell-values.ts';
import { inFormat } from './corrected-types.ts';
import { withDeclaredTypes } from './declared-types.ts';
import { distinctNames } from './distinct-names.ts';
import { explainError } from './errors.ts';
import { advice, digitsProposal, numberedNames } from './format-warnings.ts';
import { checkJsonContent, emptyFile } from './check-content.ts';
import { readSample } from './read-sample.ts';
import type { Findings, InspectedFile, InspectionOptions, SourceFile } from './inspected-file.ts';
import { type JsonPlace, isDictionary, jsonKinds, newPlace } from './json-places.ts';
import { type TypeOfTexts, typeOfForms, typeOfNumbers, typeOfPlace } from './json-types.ts';
import { learnJson } from './learn-json.ts';
import type { JsonPlan, PlanColumn } from './plan-types.ts';
import type { FileOptions } from './read-settings.ts';
import { readerSql } from './read-plan.ts';
import type { JsonScanner } from './scan-json.ts';

/** Inspects a JSON file. Names and types come from all of its records. */
export async function inspectJson(file: SourceFile, inspection: InspectionOptions): Promise<Findings> {
  const [found] = await inspectTogether([file], inspection);
  if (!found) throw new Error('A file has findings.');
  return found;
}

/** Inspects JSON files of one data object. Names and types come from the records of all files. */
export async function inspectJsonFiles(
  files: readonly SourceFile[],
  inspection: InspectionOptions,
): Promise<readonly InspectedFile[]> {
  const facts: Omit<InspectedFile, 'plan' | 'warnings'>[] = [];
  for (const file of files) {
    const sample = await readSample(file.path, file.format.gzip, sampledBytes);
    checkJsonContent(file.path, sample);
    const { size, modified, changed, inode } = sample;
    facts.push({ ...file, size, modified, changed, inode });
  }
  const findings = await inspectTogether(files, inspection);
  return facts.flatMap((file, index) => (findings[index] ? [{ ...file, ...findings[index] }] : []));
}

const byteOrderMark = Buffer.from('\ufeff');

/** As many bytes as tell binary data. */
const sampledBytes = 65_536;

async function inspectTogether(
  files: readonly SourceFile[],
  inspection: InspectionOptions,
): Promise<readonly Findings[]> {
  const { session: opening, options, signal } = inspection;
  const session = await opening;
  const root = newPlace();
  const contents = new Map<SourceFile, Pick<JsonScanner, 'records' | 'hasByteOrderMark'>>();
  for (const file of files) {
    const content = { ...file.format, lines: isLines(file, options), records: options.records };
    const learned = await learnJson(file.path, content, root, signal);
    if (!learned) throw await noJson(file, inspection);
    contents.set(file, learned);
  }
  const [first] = files;
  if (first) refuseNoFields(first, root, contents.values(), options);
  const isOfRecords = root.kinds === jsonKinds.object && !isDictionary(root);
  const places = isOfRecords ? namedPlaces(root) : [{ name: 'json', place: root }];
  const { records } = options;
  const shape = {
    kind: 'json',
    isOfRecords,
    ...pickFormats(options),
    ...(records !== undefined && { records }),
  } as const;
  const hasLongNumbers = places.some(({ place }) => hasLossyNumbers(place));
  const plan = (typeOfTexts: TypeOfTexts): Omit<JsonPlan, 'lines'> => ({
    ...shape,
    ...(hasLongNumbers && { hasLongNumbers }),
    columns: places.map(({ name, field, place }) => {
      const type = place.kinds === 0 && !isOfRecords ? 'JSON' : typeOfPlace(place, typeOfTexts);
      return { name, type, ...(field !== undefined && { field }) };
    }),
  });
  const texts = plan(() => 'VARCHAR');
  const planOf = (file: SourceFile, plan: Omit<JsonPlan, 'lines'>): JsonPlan => ({
    ...plan,
    lines: isLines(file, options),
    ...(file.format.gzip && { gzip: true }),
    ...(contents.get(file)?.hasByteOrderMark && { hasByteOrderMark: true }),
  });
  const plans = files.map((file) => ({ file, plan: planOf(file, texts) }));
  const inGivenFormat = await typesInFormat(session, plans, places, inspection);
  const detected = plan((place) => {
    const type = typeOfForms(place);
    const isFormatGiven = type === 'DATE' ? options.dateFormat : type !== 'VARCHAR' && options.timestampFormat;
    return inGivenFormat.get(place) ?? (isFormatGiven ? 'VARCHAR' : type);
  });
  const named = await withTypeNames(session, detected.columns);
  const path = files[0]?.path ?? '';
  const wishes = { session, options, signal, path, readFrom: path, reader: 'read_json' } as const;
  const columns = (await withDeclaredTypes(named, wishes)).map((column) => inFormat(column, detected));
  const isPart = files.length > 1;
  const proposedTypes = places.flatMap(({ name, place }, index) => {
    const isText = !columns[index]?.isDeclared && isOfLongNumbers(place);
    return first && isText
      ? [digitsProposal(basename(first.path), { name }, numberWarning(first, options, name), isPart)]
      : [];
  });
  return files.map((file, index) => ({
    plan: planOf(file, { ...detected, columns }),
    rowEstimate: contents.get(file)?.records,
    warnings:
      index > 0
        ? []
        : [
            ...wrapperWarnings(file, options, root),
            ...places.flatMap(({ name, place }, at) =>
              columns[at]?.isDeclared ? [] : numberWarnings(file, options, name, place),
            ),
            ...numberedNames(basename(path), columns),
          ],
    ...(index === 0 && proposedTypes.length > 0 && { proposedTypes }),
  }));
}

/** Throws `source-empty` where no record has a field: without names there are no columns. */
function refuseNoFields(
  { path }: SourceFile,
  root: JsonPlace,
  contents: Iterable<Pick<JsonScanner, 'records'>>,
  { records }: FileOptions,
): void {
  const place = records === undefined ? '' : ` in ${records}`;
  if ([...contents].every((content) => content.records === 0)) throw emptyFile(path, `has no records${place}`);
  if (root.kinds === jsonKinds.object && root.fields.length === 0) throw emptyFile(path, `has no fields${place}`);
}

/** A list of records is one value. */
function isLines({ format }: SourceFile, { records }: FileOptions): boolean {
  return format.lines && records === undefined;
}

/** The warning that the only record of a file may be a wrapper around its records. */
function wrapperWarnings({ path }: SourceFile, options: FileOptions, root: JsonPlace): readonly string[] {
  const lists = root.objects === 1 && !options.isStandalone ? listsIn(root) : [];
  const [list] = lists;
  if (list === undefined || lists.length > 1 || root.kinds !== jsonKinds.object) return [];
  return [`${basename(path)} is one record; set records: ${list} if the items of that list are the records.`];
}

/** The paths of lists of objects, also inside of objects. */
function listsIn({ fields }: JsonPlace): readonly string[] {
  return fields.flatMap(({ name, place }) => {
    if (place.kinds === jsonKinds.list && place.items?.kinds === jsonKinds.object) return [name];
    return place.kinds === jsonKinds.object ? listsIn(place).map((inner) => `${name}.${inner}`) : [];
  });
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
  if (isOfLongNumbers(place)) return [numberWarning(file, options, name)];
  return [
    ...place.fields.flatMap((field) => numberWarnings(file, options, `${name}.${field.name}`, field.place)),
    ...(place.items ? numberWarnings(file, options, name, place.items) : []),
  ];
}

function isOfLongNumbers({ kinds, numbers }: JsonPlace): boolean {
  return kinds === jsonKinds.number && typeOfNumbers(numbers) === undefined;
}

function numberWarning({ path }: SourceFile, options: FileOptions, name: string): string {
  const said = `${basename(path)}: the numbers of ${name} have more digits than a DECIMAL or DOUBLE keeps, and are texts`;
  return `${said}${advice(options, 'types', 'they are to be numbers')}.`;
}

/** The types of texts for which a format is given: a date or time if all of them are in the format. */
async function typesInFormat(
  session: DuckDbSession,
  files: readonly { readonly file: SourceFile; readonly plan: JsonPlan }[],
  places: readonly NamedPlace[],
  { options, temporaryFolder, workbooks, signal }: InspectionOptions,
): Promise<ReadonlyMap<JsonPlace, string>> {
  const types = [
    ...(options.dateFormat === undefined ? [] : ['DATE']),
    ...(options.timestampFormat === undefined ? [] : ['TIMESTAMP']),
  ];
  const texts = places.flatMap(({ name, place }) => textsOf(quoteIdentifier(name), place));
  const tests = texts.flatMap(({ sql, place }) => types.map((type) => ({ sql, place, type })));
  if (tests.length === 0) return new Map();
  const found: Readonly<Record<string, unknown>>[] = [];
  for (const { file, plan } of files) {
    const findings = tests.map(({ sql, type }, index) => {
      const value = tryValueSql(sql, { name: '', type }, plan);
      return `bool_and(${value} IS NOT NULL) FILTER (${sql} IS NOT NULL) AS t${index}`;
    });
    const { path } = file;
    const readFrom = await readableFile({ path, plan }, temporaryFolder, { verify: false, signal, workbooks });
    const statement = `SELECT ${findings.join(', ')} FROM ${readerSql(plan, readFrom)}`;
    const rows = await session.query(statement, { signal }).catch(async (error: unknown) => {
      if (signal?.aborted) throw error;
      throw await explainError(error, { files: [{ path, readFrom }] });
    });
    found.push(...rows);
  }
  // A file without such texts answers with NULL.
  const fitting = tests
    .filter((_, index) => {
      const answers = found.map((row) => row[`t${index}`]);
      return answers.includes(true) && !answers.includes(false);
    })
    .toReversed();
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
async function noJson(file: SourceFile, inspection: InspectionOptions): Promise<unknown> {
  const { session, temporaryFolder, workbooks, signal } = inspection;
  const { path, format } = file;
  const { bytes } = await readSample(path, format.gzip, 3);
  const plan: JsonPlan = {
    kind: 'json',
    lines: format.lines,
    gzip: format.gzip,
    hasByteOrderMark: bytes.equals(byteOrderMark),
    isOfRecords: false,
    columns: [{ name: 'json', type: 'JSON' }],
  };
  const readFrom = await readableFile({ path, plan }, temporaryFolder, { verify: false, signal, workbooks });
  try {
    await (await session).run(`SELECT max(json) FROM ${readerSql(plan, readFrom)}`, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    return explainError(error, { files: [{ path, readFrom }] });
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
