import type { NewTest, TestRowsColumn, TestRowsObject } from '../../../protocol/test-rows.ts';
import type { TypeNames } from '../dialects/dialect.ts';
import { yamlText } from './actual-text.ts';
import { inferredType } from './column-type.ts';
import type { GivenValue, GraphTests } from './graph-tests.ts';

type Cell = TestRowsObject['rows'][number][number];

/** The expectations of a new test before its first run. */
export const noExpectations = { events: '[]', directlyFollows: '[]' } as const;

export interface NewTestParts extends Omit<NewTest, 'masked'> {
  /** The default types of values without a declared type. */
  readonly types: TypeNames;
  readonly expect: Readonly<Partial<Record<string, readonly string[] | string>>>;
  /** How often the rows break the rule; default: never. */
  readonly broken?: string | undefined;
}

/** A test as an item of `tests`, without its dash: lines that the file indents. */
export function newTestLines({
  name,
  objects,
  missing = [],
  rule,
  types,
  expect,
  broken = '0',
}: NewTestParts): readonly string[] {
  return [
    `name: ${yamlText(name)}`,
    // Names may have line breaks, behind which a comment would end.
    ...missing.map((sentence) => `# ${sentence.replaceAll(/\s+/g, ' ')}`),
    ...columnLines(objects, types),
    'given:',
    ...objects.flatMap((object) => [
      `  ${yamlText(object.dataObject)}:`,
      ...object.rows.map((row) => `    - ${rowText(object.columns, row)}`),
    ]),
    'expect:',
    ...Object.entries(expect).flatMap(([key, value = []]) =>
      typeof value === 'string' ? [`  ${key}: ${value}`] : [`  ${key}:`, ...value.map((line) => `    - ${line}`)],
    ),
    ...(rule === undefined ? [] : [`  rules: { ${yamlText(rule)}: { broken: ${broken} } }`]),
  ];
}

/** Declares the types of columns that cannot be derived from the values, and primary keys. */
function columnLines(objects: readonly TestRowsObject[], types: TypeNames): readonly string[] {
  const lines = objects.flatMap(({ dataObject, columns, rows }) => {
    const declared = columns.flatMap(({ name, type, isKey, isTime }, index) => {
      if (type === undefined) return [];
      const values = rows.map((row) => givenValue(row[index] ?? null));
      const told = types.usual[inferredType(values, isTime)];
      if (isKey) return [`${yamlText(name)}: { type: ${yamlText(type)}, key: true }`];
      return told.toLowerCase() === type.toLowerCase() ? [] : [`${yamlText(name)}: ${yamlText(type)}`];
    });
    return declared.length === 0 ? [] : [`  ${yamlText(dataObject)}: { ${declared.join(', ')} }`];
  });
  return lines.length === 0 ? [] : ['columns:', ...lines];
}

function givenValue(cell: Cell): GivenValue {
  if (cell === null) return { kind: 'null', text: '' };
  const kind = typeof cell === 'number' ? 'number' : typeof cell === 'boolean' ? 'boolean' : 'text';
  return { kind, text: String(cell) };
}

/** Columns without a value are left out: they are NULL. */
function rowText(columns: readonly TestRowsColumn[], row: readonly Cell[]): string {
  const cells = columns.flatMap(({ name, isNumber, isTime }, index) => {
    const value = row[index] ?? null;
    return value === null ? [] : [`${yamlText(name)}: ${cellText(value, isNumber, isTime)}`];
  });
  return `{ ${cells.join(', ')} }`;
}

function cellText(value: string | number | boolean, isNumber: boolean, isTime: boolean): string {
  if (typeof value !== 'string') return String(value);
  if (isNumber && /^-?\d+(?:\.\d+)?$/.test(value)) return value;
  if (isTime && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)) return value.replace(/\.?0+Z$|Z$/, shortEnd);
  return yamlText(value);
}

/** Omits a fraction of zeros, but not seconds of zero. */
function shortEnd(end: string): string {
  return end.startsWith('.') || end === 'Z' ? 'Z' : end;
}

/**
 * Replaces the values of the masked columns. Equal values get equal replacements in all columns, so that keys and
 * references still match.
 */
export function maskedRows({ objects, masked }: Pick<NewTest, 'objects' | 'masked'>): readonly TestRowsObject[] {
  const numbers = new Map<string, number>();
  const numberOf = (value: string): number => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return number;
  };
  return objects.map(({ dataObject, columns, rows }) => {
    const hidden = columns.map(({ name }) =>
      masked.some((each) => each.dataObject === dataObject && each.column === name),
    );
    const mask = (value: Cell, { isNumber }: TestRowsColumn): Cell => {
      if (value === null || typeof value === 'boolean') return value;
      const number = numberOf(String(value));
      return isNumber || typeof value === 'number' ? number : `masked ${number}`;
    };
    return {
      dataObject,
      columns,
      rows: rows.map((row) =>
        row.map((value, index) => {
          const column = columns[index];
          return column && hidden[index] === true ? mask(value, column) : value;
        }),
      ),
    };
  });
}

/** A name that no other test of the file has. */
export function freeTestName(wanted: string, { tests }: Pick<GraphTests, 'tests'>): string {
  const names = new Set(tests.map(({ name }) => name?.value));
  let name = wanted;
  for (let index = 2; names.has(name); index += 1) name = `${wanted} (${index})`;
  return name;
}

/** Position and text of a new item of `tests`; undefined if the list is not written with dashes. */
export function testInsertion(
  lines: readonly string[],
  { tests }: Pick<GraphTests, 'tests'>,
  text: string,
): { readonly offset: number; readonly text: string } | undefined {
  const [first, last] = [tests[0], tests.at(-1)];
  if (!first || !last) return undefined;
  const dash = text.lastIndexOf('-', first.range.start);
  const indent = text.slice(text.lastIndexOf('\n', dash) + 1, dash);
  if (dash < 0 || indent.trim() !== '' || /\S/.test(text.slice(dash + 1, first.range.start))) return undefined;
  const offset = last.range.start + text.slice(last.range.start, last.range.end).trimEnd().length;
  return { offset, text: `\n${areTight(tests, text) ? '' : '\n'}${item(lines, indent)}` };
}

/** Several tests, and no blank line between them. */
function areTight(tests: GraphTests['tests'], text: string): boolean {
  const gaps = tests.slice(1).map((test, index) => text.slice(tests[index]?.range.start, test.range.start));
  return gaps.length > 0 && gaps.every((gap) => !/\n[ \t]*\r?\n/.test(gap));
}

/** The text of a file with one test. */
export function newTestFile(graph: string, lines: readonly string[]): string {
  return `graph: ${yamlText(graph)}\ntests:\n${item(lines, '  ')}\n`;
}

function item(lines: readonly string[], indent: string): string {
  return lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}`).join('\n');
}
