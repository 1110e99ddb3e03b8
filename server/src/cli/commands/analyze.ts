import { resolve } from 'node:path';
import type { MeasureAnswer, MeasureGroup } from '../../../../protocol/analysis.ts';
import { analyzeGraph } from '../../operations/stored-graphs/ask-questions.ts';
import { type AnswerCell, type AnswerTable, answerFormats, printAnswer } from '../answer-table.ts';
import { type Command, countOption, exitCodes } from '../command.ts';
import { entityOptions } from '../entity-options.ts';

/** Groups in texts that people read. */
const shownGroups = 50;

export const analyzeCommand: Command = {
  name: 'analyze',
  operands: 'FILE',
  summary: 'Measure the entities of an imported graph: throughput, events, rework, idle',
  details: [
    'Groups are values of a property, `variant`, or day, week, month, quarter or year of the first event.',
    'Conditions are SQL over properties, or with:A, without:A, path:A -> B, eventually:A -> B, slower:5d, faster:5d,',
    'variant:N, broken:RULE, from:TIME, to:TIME, filter:NAME.',
  ],
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'measure',
      value: 'NAME',
      repeats: true,
      help: 'What is measured; may be repeated (default: throughput, events, rework, idle)',
    },
    {
      name: 'by',
      value: 'DIMENSION',
      repeats: true,
      help: 'What entities are grouped by; may be repeated (default: by of the measure)',
    },
    ...entityOptions,
    { name: 'compare', value: 'CONDITION', repeats: true, help: 'Measures other entities as well; may be repeated' },
    { name: 'limit', value: 'N', help: `How many groups are listed (default: ${shownGroups} in texts, else all)` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: answerFormats },
  ],
  examples: [
    'entity-graph analyze orders.entity.yaml',
    'entity-graph analyze orders.entity.yaml --measure throughput --by country --by month',
    'entity-graph analyze orders.entity.yaml --where "amount > 100" --where "without:Ship Order"',
    'entity-graph analyze orders.entity.yaml --where "with:Change Order" --compare "without:Change Order"',
  ],
  async run(invocation) {
    const { operands, options, lists, projectContext, signal, format } = invocation;
    const isForReading = format === 'text' || format === 'markdown';
    const limit = countOption(invocation, 'limit') ?? (isForReading ? shownGroups : Infinity);
    const { by, measure: measures, where, compare } = lists;
    const answered = await analyzeGraph(
      {
        path: resolve(operands[0] ?? ''),
        entityType: options['entity-type'],
        conditions: where,
        compared: compare,
        measures,
        by,
      },
      projectContext,
      signal,
    );
    const { answer, notes } = answered;
    const table = measuresTable(answer, limit);
    const json = answer.map(({ groups, ...about }) => ({
      ...about,
      ...(notes.length > 0 && { notes }),
      groups: groups.slice(0, limit),
    }));
    printAnswer(answered, { table, json, asked: { where, compare } }, invocation);
    return exitCodes.fine;
  },
};

function measuresTable(answers: readonly MeasureAnswer[], limit: number): AnswerTable {
  const by = Object.keys(answers[0]?.groups[0]?.by ?? {});
  const isCompared = answers.some(({ groups }) => groups.some(({ compare }) => compare !== undefined));
  const numbers = ['count', 'missing', 'mean', 'median', 'p90'];
  const compared = ['compared count', 'compared mean', 'compared median', 'compared p90', 'difference', 'from', 'to'];
  const groups = Math.max(0, ...answers.map(({ groups: { length } }) => length));
  return {
    columns: ['measure', ...by, ...numbers, ...(isCompared ? compared : [])],
    rows: answers.flatMap((answer) => answer.groups.slice(0, limit).map((group) => groupRow(answer, group, by))),
    others: Math.max(0, groups - limit),
    one: 'group',
  };
}

function groupRow({ name, unit }: MeasureAnswer, group: MeasureGroup, by: readonly string[]): readonly AnswerCell[] {
  const count = (value: number): AnswerCell => ({ value, unit: 'count' });
  const number = (value: number | null): AnswerCell => ({ value, unit });
  const { compare } = group;
  const { mean = null, low = null, high = null } = compare?.difference ?? {};
  return [
    name,
    ...by.map((dimension) => group.by[dimension] ?? null),
    count(group.count),
    count(group.missing),
    ...[group.mean, group.median, group.p90].map(number),
    ...(compare
      ? [count(compare.count), ...[compare.mean, compare.median, compare.p90, mean, low, high].map(number)]
      : []),
  ];
}
