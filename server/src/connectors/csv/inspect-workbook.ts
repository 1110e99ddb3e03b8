import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SourceError } from '../source-error.ts';
import { askColumns } from './ask-columns.ts';
import { tryValueSql } from './cell-values.ts';
import { inFormat } from './corrected-types.ts';
import { withDeclaredTypes } from './declared-types.ts';
import { distinctNames } from './distinct-names.ts';
import { withFields } from './fields-by-case.ts';
import { advice, digitsWarning, numberedNames } from './format-warnings.ts';
import type { Findings, InspectionOptions, SourceFile } from './inspected-file.ts';
import type { PlanColumn, WorkbookPlan } from './plan-types.ts';
import { readerSql } from './read-plan.ts';
import type { FileOptions } from './read-settings.ts';
import { columnLetters } from './workbook/cell-area.ts';
import { type LearntSheet, type SheetColumn, learnSheet } from './workbook/learn-sheet.ts';
import type { WorkbookTable } from './workbook/open-workbook.ts';
import type { CellFault } from './workbook/read-sheet.ts';
import { writeSheetCopy } from './workbook/write-sheet-copy.ts';

/** Inspects a sheet or range of a workbook. Names and types come from all of its rows. */
export async function inspectWorkbook(file: SourceFile, inspection: InspectionOptions): Promise<Findings> {
  const { options, session, workbooks, signal } = inspection;
  const { path } = file;
  // Of a damaged workbook this rejects with the reason.
  const table = file.table ?? (await workbooks.tables(path, signal))[0];
  if (!table) throw noTable(path, `${path} has no sheet with cells`);
  if (table.isSeveral) {
    throw new SourceError('file-malformed', `${basename(path)}: the name ${table.name} is that of several ranges.`, {
      file: path,
      remedy: 'Let it name one range, or use the sheet.',
    });
  }
  const learner = learnSheet(headOptions(table, options));
  await workbooks.read(path, table, learner, signal);
  const learnt = learner.end();
  if (learnt.columns.length === 0) throw noColumns(file, learnt, options);
  const names = distinctNames(learnt.columns.map(({ name }) => name));
  if (options.isStandalone) refuseMadeNames(file, learnt, names);
  const detected = learnt.columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
  const shape = {
    kind: 'workbook',
    headRow: learnt.head?.last ?? 0,
    sheetColumns: detected.map(({ column }) => column),
    nullValues: options.nullValues ?? [],
    dateFormat: options.dateFormat,
    timestampFormat: options.timestampFormat,
  } as const;
  const inFormats = await typesInFormats({ ...file, table }, shape, detected, inspection);
  const wishes = { session: await session, options, signal, path, readFrom: path, reader: 'read_csv' } as const;
  const declared = await withDeclaredTypes(
    detected.map(({ name, type }) => ({ name, type: inFormats.get(name) ?? type })),
    wishes,
  );
  const written = new Set(learnt.columns.map((column) => column.name));
  const columns = withFields(declared, (each) => written.has(each)).map((column, index): PlanColumn => {
    const { hasTimes, keepsDigits } = detected[index] ?? { hasTimes: false, keepsDigits: false };
    // Formats of the settings apply to texts only.
    const isIso = hasTimes || !(column.isDeclared || inFormats.has(column.name));
    const marks = { ...(isIso && { isIso }), ...(keepsDigits && !column.isDeclared && { keepsDigits }) };
    return inFormat({ ...column, ...marks }, shape);
  });
  const plan: WorkbookPlan = { ...shape, columns };
  return {
    plan,
    rowEstimate: learnt.records,
    warnings: [...warningsOf(file, learnt, detected, options), ...numberedNames(basename(path), columns)],
    firstRows: learnt.firstRows,
  };
}

/** An Excel table says itself whether its first row has the names, unless the settings do. */
function headOptions({ area, hasHead }: WorkbookTable, options: FileOptions): FileOptions {
  if (area === undefined || hasHead === undefined) return options;
  if (options.headerRow !== undefined || options.header !== undefined) return options;
  return hasHead ? { ...options, headerRow: area.top } : { ...options, header: false };
}

/** The types of columns of texts that are all in a format of the settings, by name. */
async function typesInFormats(
  { path, table }: SourceFile & { readonly table: WorkbookTable },
  shape: Omit<WorkbookPlan, 'columns'>,
  learnt: readonly SheetColumn[],
  { session, temporaryFolder, workbooks, signal }: InspectionOptions,
): Promise<ReadonlyMap<string, string>> {
  const { dateFormat, timestampFormat } = shape;
  const types = [
    ...(timestampFormat === undefined ? [] : ['TIMESTAMP']),
    ...(dateFormat === undefined ? [] : ['DATE']),
  ];
  const texts = types.length === 0 ? [] : learnt.filter(({ areTexts }) => areTexts);
  const found = new Map<string, string>();
  if (texts.length === 0) return found;
  const plan = { ...shape, columns: learnt.map(({ name }) => ({ name, type: 'VARCHAR' })) };
  const copy = join(await temporaryFolder(), `beginning-${randomUUID()}.json`);
  try {
    await writeSheetCopy(workbooks, { path, table, plan }, copy, signal);
    for (const type of types) {
      const questions = texts.map(({ name }) => {
        const column = { name, type };
        return { column, aggregate: (text: string) => `count(${text}) = count(${tryValueSql(text, column, plan)})` };
      });
      const answers = await askColumns(await session, readerSql(plan, copy), questions, signal);
      for (const [{ name }, fits] of answers) if (fits === true) found.set(name, type);
    }
  } finally {
    await rm(copy, { force: true });
  }
  return found;
}

/** Names that differ from the head would become names of fields. */
function refuseMadeNames(file: SourceFile, { head, columns }: LearntSheet, names: readonly string[]): void {
  const repeated = columns.find(({ name }, index) => name !== names[index]);
  const problem = !head
    ? 'has no row with names of columns'
    : columns.some(({ isNamed }) => !isNamed)
      ? 'has a column without a name'
      : repeated && `has several columns named ${repeated.name}; upper and lower case are the same there`;
  if (problem === undefined) return;
  throw new SourceError('file-malformed', `${basename(file.path)}, ${placeOf(file)} ${problem}.`, {
    file: file.path,
    remedy: 'Give each column a unique name in the first row: that of a column of the staging table.',
  });
}

function noTable(path: string, said: string): SourceError {
  return new SourceError('source-empty', `${said}.`, { file: path, remedy: 'Fill it, or use another sheet.' });
}

function noColumns(file: SourceFile, { lastRow }: LearntSheet, { headerRow = 0 }: FileOptions): SourceError {
  const { path } = file;
  if (lastRow === 0 || headerRow <= lastRow) return noTable(path, `${path}: ${placeOf(file)} is empty`);
  return new SourceError(
    'source-empty',
    `${path}: headerRow is ${headerRow}, and the last row of ${placeOf(file)} is ${lastRow}.`,
    { file: path, remedy: 'Let headerRow be the number of the row with the names of columns, or leave it out.' },
  );
}

function placeOf({ table }: SourceFile): string {
  if (!table) return 'the workbook';
  if (table.hasHead !== undefined) return `the table ${table.name}`;
  return table.area ? `the range ${table.name}` : `the sheet ${table.name}`;
}

const faults: Readonly<Record<CellFault, (cells: string, first: string) => string>> = {
  error: (cells, first) => `errors such as #N/A are missing values (${cells}, the first is ${first})`,
  noDay: (cells, first) =>
    `dates of a number that is no day, such as 0, are missing values (${cells}, the first is ${first})`,
  notCalculated: (cells, first) =>
    `formulas whose results are not stored are missing values (${cells}, the first is ${first}): open the workbook in Excel and save it`,
  maybeOutdated: (cells, first) =>
    `the results of formulas are not those of Excel, but what the program put there that wrote the workbook (${cells}, the first is ${first}): to be sure, open the workbook in Excel and save it`,
};

function warningsOf(
  file: SourceFile,
  learnt: LearntSheet,
  columns: readonly SheetColumn[],
  options: FileOptions,
): readonly string[] {
  const name = basename(file.path);
  const { head, merged } = learnt;
  const said: string[] = [];
  const top = file.table?.area?.top ?? 1;
  if (!head && options.header !== false) {
    said.push(
      `no row with the names of columns was found, so they have the letters of the sheet${advice(options, 'headerRow', 'there is one')}`,
    );
  } else if (head && options.headerRow === undefined && head.first > top) {
    said.push(
      `the rows above row ${head.first}, which has the names of columns, are left out${advice(options, 'headerRow', 'another row has them')}`,
    );
  }
  for (const [fault, { count, row, column }] of learnt.faults) {
    said.push(faults[fault](`${count} ${count === 1 ? 'cell' : 'cells'}`, `${columnLetters(column)}${row}`));
  }
  if (merged) {
    said.push(
      `of merged cells below the names, such as ${columnLetters(merged.left)}${merged.top}, only the first one has a value`,
    );
  }
  return [
    ...said.map((each) => `${name}, ${placeOf(file)}: ${each}.`),
    ...columns.filter(({ keepsDigits }) => keepsDigits).map((column) => digitsWarning(name, column, options)),
  ];
}
