import { nanoseconds } from '../embedded/column-types.ts';
import { SourceError } from '../source-error.ts';
import { shownName } from './hive-folders.ts';
import type { InspectedFile } from './inspected-file.ts';
import { foldedName } from './json-types.ts';
import type { PlanColumn } from './plan-types.ts';

/**
 * Gives all parts the columns of all of them, in order of appearance, with types that hold the values of all. Rejects
 * with `source-config` for types that do not fit together, and for names that differ only by case.
 * @param hasValues whether a file has a value in a column: writers give a column of missing values any type
 */
export async function unifyParquet(
  parts: readonly InspectedFile[],
  hasValues: (part: InspectedFile, column: string) => Promise<boolean>,
): Promise<readonly InspectedFile[]> {
  const found = new Map<string, TypedPart[]>();
  for (const part of parts) {
    for (const column of part.plan.columns) {
      const key = foldedName(column.name);
      const all = found.get(key);
      if (all) all.push({ part, column });
      else found.set(key, [{ part, column }]);
    }
  }
  const columns: PlanColumn[] = [];
  const empty = new Set<PlanColumn>();
  for (const all of found.values()) {
    const one = commonColumn(all);
    if (typeof one.type === 'string') columns.push({ name: one.name, type: one.type });
    else {
      const filled: TypedPart[] = [];
      for (const each of all) {
        if (await hasValues(each.part, one.name)) filled.push(each);
        else empty.add(each.column);
      }
      const { name, type } = commonColumn(filled.length > 0 ? filled : all.slice(0, 1));
      if (typeof type !== 'string') throw type;
      columns.push({ name, type });
    }
  }
  return parts.map((part) => {
    const own = new Map(part.plan.columns.filter((each) => !empty.has(each)).map((each) => [each.name, each]));
    const read = columns.map((column): PlanColumn => {
      const { type: stored = '', wideScale } = own.get(column.name) ?? {};
      if (wideScale !== undefined) return { ...column, wideScale };
      return stored === column.type ? column : { ...column, stored };
    });
    return { ...part, plan: { kind: 'parquet', columns: read } };
  });
}

interface TypedPart {
  readonly part: InspectedFile;
  readonly column: PlanColumn;
}

/** The name and type of a column of all parts, or the error if no type fits. Throws for two names. */
function commonColumn(all: readonly TypedPart[]): { readonly name: string; readonly type: string | SourceError } {
  const [one] = all;
  if (!one) throw new Error('A column is one of some part.');
  const renamed = all.find(({ column }) => column.name !== one.column.name);
  if (renamed) throw otherCase(one, renamed);
  const { name } = one.column;
  const types = [...new Set(all.map(({ column }) => column.type))];
  const type = commonType(types);
  if (type !== undefined) return { name, type };
  const doesNotFit = (wanted: string): boolean =>
    wanted !== one.column.type && commonType([one.column.type, wanted]) === undefined;
  const other = all.find(({ column }) => doesNotFit(column.type)) ?? all.at(-1);
  return { name, type: otherType(name, one, other ?? one) };
}

/** The type that holds the values of all types unchanged; undefined if no type does. */
function commonType(types: readonly string[]): string | undefined {
  const [first] = types;
  if (types.length <= 1) return first;
  const are = (test: (type: string) => boolean): boolean => types.every(test);
  if (are(isWhole)) return widest(types);
  if (are((type) => isWhole(type) || isFloating(type))) return 'DOUBLE';
  if (are((type) => isWhole(type) || isDecimal(type))) return decimalOf(types);
  return are((type) => ['DATE', 'TIMESTAMP', nanoseconds].includes(type)) ? 'TIMESTAMP' : undefined;
}

/** Digits of signed whole numbers by type. */
const wholeDigits: Readonly<Record<string, number>> = { TINYINT: 3, SMALLINT: 5, INTEGER: 10, BIGINT: 19, HUGEINT: 39 };

/** The signed type that holds the values of an unsigned one. */
const signed: Readonly<Record<string, string>> = {
  UTINYINT: 'SMALLINT',
  USMALLINT: 'INTEGER',
  UINTEGER: 'BIGINT',
  UBIGINT: 'HUGEINT',
};

function signedType(type: string): string {
  return signed[type] ?? type;
}

export function isWhole(type: string): boolean {
  return wholeDigits[signedType(type)] !== undefined;
}

function isFloating(type: string): boolean {
  return type === 'FLOAT' || type === 'DOUBLE';
}

function isDecimal(type: string): boolean {
  return type.startsWith('DECIMAL(');
}

function widest(types: readonly string[]): string {
  const digits = (type: string): number => wholeDigits[type] ?? 0;
  return types.map(signedType).reduce((left, right) => (digits(right) > digits(left) ? right : left));
}

function decimalOf(types: readonly string[]): string | undefined {
  const sizes = types.map((type) => {
    const [, width = wholeDigits[signedType(type)], scale = 0] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
    return { whole: Number(width) - Number(scale), scale: Number(scale) };
  });
  const scale = Math.max(...sizes.map((size) => size.scale));
  const width = Math.max(...sizes.map(({ whole }) => whole)) + scale;
  return width > 38 ? undefined : `DECIMAL(${width},${scale})`;
}

function otherCase(one: TypedPart, other: TypedPart): SourceError {
  return new SourceError(
    'source-config',
    `${shownName(one.part)} has a column ${one.column.name} and ${shownName(other.part)} has ${other.column.name}: the names of one data object differ only by case.`,
    { file: other.part.path, remedy: 'Write the files with one name, or let parts leave one out.' },
  );
}

function otherType(name: string, one: TypedPart, other: TypedPart): SourceError {
  return new SourceError(
    'source-config',
    `Column ${name} is ${one.column.type} in ${shownName(one.part)} and ${other.column.type} in ${shownName(other.part)}: no type holds the values of both.`,
    { file: other.part.path, remedy: 'Write the files with one type, or let parts leave one out.' },
  );
}
