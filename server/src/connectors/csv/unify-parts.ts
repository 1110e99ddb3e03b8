import { basename } from 'node:path';
import type { ProposedType } from '../../catalog/catalog.ts';
import { SourceError } from '../source-error.ts';
import { shownName } from './hive-folders.ts';
import type { InspectedFile } from './inspected-file.ts';
import { isoDate } from './cell-values.ts';
import { numberColumn } from './corrected-types.ts';
import { digitsProposal, digitsWarning } from './format-warnings.ts';
import { type NumberDigits, allDigits } from './exact-numbers.ts';
import type { PlanColumn } from './plan-types.ts';
import { type CsvPart, type FormatQuestions, unifyFormats } from './unify-formats.ts';

/** Inspects parts again if they differ. */
export interface PartQuestions extends FormatQuestions {
  /** The part, read with the column names in its first line. */
  withHeader(part: CsvPart): Promise<CsvPart>;
  /** The part, read with a decimal comma. */
  withDecimalComma(part: CsvPart): Promise<CsvPart>;
  /** Whether the sampled rows of a part have a value in a column. */
  hasValues(part: CsvPart, column: string): Promise<boolean>;
  /** The digits of the numbers in a column of a part, of its sampled rows. */
  digitsOf(part: CsvPart, column: PlanColumn): Promise<NumberDigits>;
}

/**
 * Gives all parts the same columns: names and order of the first part with a header line, and types that fit the values
 * of all parts. Rejects with `file-malformed` for a part with other columns, and with `source-config` if parts declare
 * two types for a column, or no format fits all dates.
 */
export async function unifyParts(inspected: readonly CsvPart[], questions: PartQuestions): Promise<readonly CsvPart[]> {
  const decided = await withOneDecimal(inspected, questions);
  const first = modelPart(decided);
  if (!first) return [];
  const names = first.plan.columns.map(({ name }) => name);
  const named: CsvPart[] = [];
  for (const part of decided) named.push(await withNames(part, names, first, questions));
  const alike = await unifyFormats(named, questions);
  const types = new Map<string, PlanColumn>();
  for (const name of names) types.set(name, await commonType(name, alike, questions));
  const file = basename(first.path);
  const proposed = [...types.values()]
    .filter(({ keepsDigits }) => keepsDigits)
    .map((column) => digitsProposal(file, column, digitsWarning(file, column, {}), true));
  return alike.map((part) => ({
    ...part,
    plan: { ...part.plan, columns: withTypes(part.plan.columns, types) },
    ...withProposals(part, part.path === first.path ? proposed : []),
  }));
}

/** Warnings and proposals of a part, with those of the columns that all parts have in common. */
function withProposals(
  { warnings, proposedTypes = [] }: CsvPart,
  proposed: readonly ProposedType[],
): Pick<CsvPart, 'warnings' | 'proposedTypes'> {
  const own = proposedTypes.map((each) => ({ ...each, isPart: true }));
  return {
    warnings: [...new Set([...warnings, ...proposed.map(({ message }) => message)])],
    proposedTypes: [...own, ...proposed.filter(({ message }) => !own.some((each) => each.message === message))],
  };
}

/** A file of whole numbers or thousands does not tell its decimal sign: it has the comma that was found out of another. */
async function withOneDecimal(parts: readonly CsvPart[], questions: PartQuestions): Promise<readonly CsvPart[]> {
  const isGuess = (part: CsvPart): boolean => questions.optionsOf(part).decimal === undefined;
  if (!parts.some((part) => part.plan.decimal === ',' && isGuess(part))) return parts;
  const decided: CsvPart[] = [];
  for (const part of parts) {
    const isOpen = part.plan.decimal === undefined && part.plan.delimiter !== ',' && !hasFractions(part);
    decided.push(isOpen ? { ...(await questions.withDecimalComma(part)), warnings: part.warnings } : part);
  }
  return decided;
}

function hasFractions({ plan }: CsvPart): boolean {
  return plan.columns.some(({ type }) => type !== 'BIGINT' && isOfNumbers(type));
}

/** The part that determines the columns of the data object and their order: the first one with a header line. */
export function modelPart<T extends InspectedFile>(parts: readonly T[]): T | undefined {
  return parts.find(({ plan }) => plan.kind === 'csv' && plan.header) ?? parts[0];
}

async function withNames(
  part: CsvPart,
  names: readonly string[],
  first: CsvPart,
  { withHeader }: PartQuestions,
): Promise<CsvPart> {
  if (hasNames(part, names)) return part;
  // In files of texts only, or of a single line, a header looks like values.
  const again = part.plan.header || !first.plan.header ? part : await withHeader(part);
  if (hasNames(again, names)) return again;
  throw otherColumns(again, names, first);
}

function hasNames({ plan: { columns } }: CsvPart, names: readonly string[]): boolean {
  const own = new Set(columns.map(({ name }) => name));
  return columns.length === names.length && names.every((name) => own.has(name));
}

async function commonType(name: string, parts: readonly CsvPart[], questions: PartQuestions): Promise<PlanColumn> {
  const { hasValues, digitsOf } = questions;
  const columns = parts.flatMap((part) => {
    const column = columnOf(part, name);
    return column ? [{ part, column }] : [];
  });
  const declared = columns.filter(({ column }) => column.isDeclared);
  const [one] = declared;
  if (one) {
    const other = declared.find(({ column }) => column.type !== one.column.type);
    if (other) throw twoTypes(name, one, other);
    return one.column;
  }
  const distinct = [...new Set(columns.map(({ column }) => column.type))];
  if (distinct.length === 1) return { name, type: distinct[0] ?? 'VARCHAR' };
  const found = new Set<string>();
  for (const { part, column } of columns) {
    // A column without values is detected as text, which must not decide its type.
    if (found.has(column.type) || (column.type === 'VARCHAR' && !(await hasValues(part, name)))) continue;
    found.add(column.type);
  }
  if (found.size > 1 && [...found].every(isOfNumbers)) {
    const digits: NumberDigits[] = [];
    for (const { part, column } of columns) {
      if (isOfNumbers(column.type)) digits.push(await digitsOf(part, column));
    }
    return numberColumn(name, allDigits(digits));
  }
  const isoOnly = columns.every(({ part: { plan } }) => isIso(plan.dateFormat) && plan.timestampFormat === undefined);
  return { name, type: widest([...found], isoOnly) };
}

/** The type that a file with the values of all would have. */
function widest(types: readonly string[], isoOnly: boolean): string {
  const [first] = types;
  if (first !== undefined && types.length === 1) return first;
  const are = (...known: readonly string[]): boolean => types.every((type) => known.includes(type));
  if (are('DATE', 'TIMESTAMP') && isoOnly) return 'TIMESTAMP';
  return 'VARCHAR';
}

/** Types of numbers that are detected. */
function isOfNumbers(type: string): boolean {
  return type === 'BIGINT' || type === 'DOUBLE' || type.startsWith('DECIMAL');
}

function isIso(dateFormat: string | undefined): boolean {
  return dateFormat === undefined || dateFormat === isoDate;
}

function withTypes(columns: readonly PlanColumn[], types: ReadonlyMap<string, PlanColumn>): readonly PlanColumn[] {
  return columns.map((column) => {
    const common = types.get(column.name);
    return !common || (common.type === column.type && common.isDeclared === column.isDeclared)
      ? column
      : { name: column.name, type: common.type, ...(common.isDeclared && { isDeclared: true }) };
  });
}

function columnOf({ plan }: CsvPart, name: string): PlanColumn | undefined {
  return plan.columns.find((column) => column.name === name);
}

function otherColumns(part: CsvPart, names: readonly string[], first: CsvPart): SourceError {
  const own = part.plan.columns.map(({ name }) => name);
  const lacking = names.filter((name) => !own.includes(name));
  const further = own.filter((name) => !names.includes(name));
  const [file, other] = [shownName(part), shownName(first)];
  const differences = [
    ...(lacking.length > 0 ? [`it lacks ${lacking.join(', ')}`] : []),
    ...(further.length > 0 ? [`it also has ${further.join(', ')}`] : []),
  ];
  return new SourceError(
    'file-malformed',
    `${file} has other columns than ${other}, with which it is one data object: ${differences.join('; ')}.`,
    {
      file: part.path,
      line: part.plan.skip + 1,
      remedy: `Give it the same columns, set header or delimiter for ${basename(part.path)}, or let parts leave it out.`,
    },
  );
}

interface TypedPart {
  readonly part: CsvPart;
  readonly column: PlanColumn;
}

function twoTypes(name: string, one: TypedPart, other: TypedPart): SourceError {
  const [first, second] = [shownName(one.part), shownName(other.part)];
  return new SourceError(
    'source-config',
    `types names ${one.column.type} for ${name} of ${first}, and ${other.column.type} for that of ${second}: parts of one data object have one type.`,
    { file: other.part.path, remedy: 'Name the type once, in types of the data source.' },
  );
}
