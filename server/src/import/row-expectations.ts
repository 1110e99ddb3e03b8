import { type ImportNote, type NotedNumber, noteText } from '../../../protocol/import-notes.ts';
import type { KeptExpectation, RowExpectationResult } from '../../../protocol/import-progress.ts';
import type { QueryTarget, RowCondition } from '../../../protocol/query-results.ts';
import { countRangeText, isInRange } from '../model/count-range.ts';
import type { RowExpectations } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import { type ExpectationQuestion, type ExpectedRows, expectationsStep } from './build/expectation-counts.ts';
import type { TimePlace } from './build/utc-time.ts';
import { type NotedRows, rowsNumber } from './note-rows.ts';
import type { StepRunner } from './step-runner.ts';

type Row = Readonly<Record<string, unknown>>;

/** Judges the expectations of rows, in the order of `unique`, `notNull`, `values`, `rows`. */
export async function judgeExpectations(
  runner: StepRunner,
  rows: ExpectedRows,
  place: TimePlace,
): Promise<readonly RowExpectationResult[]> {
  const step = expectationsStep(rows, place);
  const answers = new Map<string, readonly Row[]>();
  const keyOf = (question: ExpectationQuestion): string =>
    question.of === 'rows' ? 'rows' : `${question.of} ${question.index}`;
  const ask = async (name: string, isWanted: (question: ExpectationQuestion) => boolean): Promise<void> => {
    const asked = step.asks.flatMap((question, index) => (isWanted(question) ? [{ question, index }] : []));
    if (asked.length === 0) return;
    const statements = asked.flatMap(({ index }) => step.statements[index] ?? []);
    const found = await runner.ask({ ...step, name, statements });
    asked.forEach(({ question }, index) => answers.set(keyOf(question), found[index] ?? []));
  };
  await ask(step.name, ({ of }) => of === 'rows' || of === 'isRepeated');
  const counts = answers.get('rows')?.[0] ?? {};
  // Examples are queried for broken expectations only: most hold, and counting and sorting examples takes time.
  await ask(`${step.name}_values`, (question) => {
    if (question.of === 'values') return Number(counts[`others_${question.index + 1}`]) > 0;
    if (question.of !== 'unique') return false;
    return (answers.get(keyOf({ of: 'isRepeated', index: question.index })) ?? []).length > 0;
  });
  const answerOf = (of: 'unique' | 'values', index: number): readonly Row[] => answers.get(keyOf({ of, index })) ?? [];
  const { severity } = rows.written;
  return results(rows.written, counts, answerOf).map((result) => ({
    element: rows.name,
    ...(rows.isOfEntities && { isOfEntities: true as const }),
    severity,
    ...result,
  }));
}

type Result = Omit<RowExpectationResult, 'element' | 'isOfEntities' | 'severity'>;

function results(
  { unique, notNull, values, rows }: RowExpectations,
  counts: Row,
  answerOf: (of: 'unique' | 'values', index: number) => readonly Row[],
): readonly Result[] {
  const count = (name: string): number => Number(counts[name] ?? 0);
  const judged = (expectation: 'unique' | 'values', columns: readonly Located<string>[], index: number): Result => {
    const found = answerOf(expectation, index);
    const broken = Number(found[0]?.['broken'] ?? 0);
    return {
      expectation,
      index,
      columns: columns.map(({ value }) => value),
      judged: count(`${expectation}_${index + 1}`),
      broken,
      holds: broken === 0,
      examples: found.map((row) => ({ value: String(row['value']), rows: Number(row['found']) })),
    };
  };
  const all = count('rows');
  return [
    ...unique.map((columns, index) => judged('unique', columns, index)),
    ...notNull.map(({ value }, index) => {
      const broken = count(`null_${index + 1}`);
      const key = counts[`key_${index + 1}`];
      return {
        expectation: 'notNull' as const,
        index,
        columns: [value],
        judged: all,
        broken,
        holds: broken === 0,
        examples: typeof key === 'string' ? [{ value: key, rows: 1 }] : [],
      };
    }),
    ...values.map(({ column }, index) => judged('values', [column], index)),
    ...(rows
      ? [
          {
            expectation: 'rows' as const,
            index: 0,
            columns: [],
            judged: all,
            broken: isInRange(all, rows.value) ? 0 : 1,
            holds: isInRange(all, rows.value),
            examples: [],
            expected: countRangeText(rows.value),
          },
        ]
      : []),
  ];
}

/** One sentence for each expectation that does not hold. */
export function expectationNotes(
  results: readonly RowExpectationResult[],
  expected: readonly ExpectedRows[],
  { timeZone, slice }: Pick<NotedRows, 'timeZone' | 'slice'>,
): readonly ImportNote[] {
  return results
    .filter(({ holds }) => !holds)
    .flatMap((result) => {
      const isOfEntities = result.isOfEntities === true;
      const rows = expected.find((each) => each.name === result.element && each.isOfEntities === isOfEntities);
      if (!rows) return [];
      const { name, query } = rows;
      const noted = { kind: isOfEntities ? 'entities' : 'element', name, query, timeZone, slice } as const;
      const values = result.expectation === 'values' ? rows.written.values[result.index]?.texts : undefined;
      return [noteOf(result, (count, only) => rowsNumber(count, noted, only), values ?? [])];
    });
}

/**
 * The results of expectations that are stored after an import.
 * @param notes all warnings of the import
 */
export function keptExpectations(
  results: readonly RowExpectationResult[],
  notes: readonly ImportNote[],
): readonly KeptExpectation[] {
  return results.map(({ severity: _severity, examples, ...kept }) => {
    if (kept.holds) return kept;
    const warning = noteText(noteOf({ ...kept, examples }, String, []));
    const rows = notes.find((note) => noteText(note) === warning)?.flatMap(targetOf)[0];
    return { ...kept, warning, ...(rows && { rows }) };
  });
}

function targetOf(part: ImportNote[number]): readonly QueryTarget[] {
  return typeof part !== 'string' && part.of.kind === 'sourceRows' ? [part.of.target] : [];
}

/** The severities of the expectations that do not hold, by the sentence that an import warns with. */
export function expectationSeverities(
  results: readonly RowExpectationResult[],
): ReadonlyMap<string, RowExpectationResult['severity']> {
  const broken = results.filter(({ holds }) => !holds);
  return new Map(broken.map((result) => [noteText(noteOf(result, String, [])), result.severity]));
}

/**
 * @param numberOf formats a number of the sentence; with `only`, of some rows
 * @param values the expected values of `values`, which only the link behind the number needs
 */
function noteOf(
  { element, expectation, columns, judged, broken, examples, expected }: Omit<RowExpectationResult, 'severity'>,
  numberOf: (count: number, only?: RowCondition) => NotedNumber | string,
  values: readonly string[],
): ImportNote {
  const column = columns.join(', ');
  const rows = (only: RowCondition): ImportNote => [numberOf(broken, only), ` of ${judged} rows of "${element}"`];
  const has = broken === 1 ? 'has' : 'have';
  switch (expectation) {
    case 'rows': {
      const text = ` ${judged === 1 ? 'row' : 'rows'}, but ${expected ?? ''} are expected.`;
      return [`"${element}" has `, numberOf(judged), text];
    }
    case 'notNull':
      return [
        ...rows({ kind: 'empty', column }),
        ` ${has} no ${column}, which is expected in every row${first(examples, 'the first has the key')}.`,
      ];
    case 'unique':
      return [
        ...rows({ kind: 'repeated', columns }),
        ` share ${columns.length > 1 ? 'values of' : 'a value of'} ${column}, which should be unique: ${listed(examples, broken, columns.length > 1)}.`,
      ];
    case 'values':
      return [
        ...rows({ kind: 'otherValue', column, expected: values }),
        ` ${has} another ${column} than expected: ${listed(examples, broken)}.`,
      ];
  }
}

function first([example]: RowExpectationResult['examples'], text: string): string {
  return example ? ` (${text} ${shortened(example.value)})` : '';
}

/** The examples, with an ellipsis if there are more. */
function listed(examples: RowExpectationResult['examples'], broken: number, areSeveral = false): string {
  const text = (value: string): string => (areSeveral ? (JSON.parse(value) as string[]).join(', ') : value);
  const shown = examples.map(({ value, rows }) => `"${shortened(text(value))}" in ${rows}`).join(', ');
  return examples.reduce((sum, { rows }) => sum + rows, 0) < broken ? `${shown}, …` : shown;
}

function shortened(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
