import { resolve } from 'node:path';
import type { Cause, CausesAnswer } from '../../../../protocol/analysis.ts';
import { explainOutcome } from '../../operations/stored-graphs/ask-questions.ts';
import { type AnswerCell, answerFormats, numberText, printAnswer } from '../answer-table.ts';
import { type Command, UsageError, countOption, exitCodes } from '../command.ts';
import { entityOptions } from '../entity-options.ts';

const defaultLimit = 20;

export const whyCommand: Command = {
  name: 'why',
  operands: 'FILE',
  summary: 'List the values of properties that go with an outcome, such as a long throughput time',
  details: [
    'Values and pairs of values whose entities have the outcome more often than others, by effect.',
    'They go with the outcome; whether they cause it, the data cannot say.',
  ],
  arity: { min: 1, max: 1 },
  options: [
    { name: 'outcome', value: 'CONDITION', repeats: true, help: 'What is to be explained; several mean and' },
    ...entityOptions,
    { name: 'limit', value: 'N', help: `How many are listed (default: ${defaultLimit})` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: answerFormats },
  ],
  examples: [
    'entity-graph why orders.entity.yaml --outcome slower:10d',
    'entity-graph why orders.entity.yaml --outcome "broken:Paid in time" --where "from:2026-01-01"',
  ],
  async run(invocation) {
    const { operands, options, lists, projectContext, signal } = invocation;
    const { where, outcome } = lists;
    if (outcome === undefined) throw new UsageError('--outcome is required.');
    const limit = countOption(invocation, 'limit') ?? defaultLimit;
    const answered = await explainOutcome(
      { path: resolve(operands[0] ?? ''), entityType: options['entity-type'], conditions: where, outcome },
      projectContext,
      signal,
    );
    const { answer, entityType } = answered;
    const notes = [...answered.notes, ...aboutOutcome(answer, outcome)];
    const causes = answer.causes.slice(0, limit);
    const table = {
      columns: ['goes with', 'entities', 'with outcome', 'share', 'others', 'difference', 'from', 'to', 'lift'],
      rows: causes.map(causeRow),
      others: answer.causes.length - causes.length,
    };
    const json = { entityType, ...(answered.notes.length > 0 && { notes: answered.notes }), ...answer, causes };
    printAnswer({ ...answered, notes }, { table, json, asked: { where } }, invocation);
    return exitCodes.fine;
  },
};

function causeRow({ values, entities, withOutcome, share, otherShare, ...cause }: Cause): readonly AnswerCell[] {
  const { difference, low, high, lift } = cause;
  const shareCell = (value: number): AnswerCell => ({ value, unit: 'share' });
  return [
    values.map(({ property, value }) => `${property} = ${value}`).join(' and '),
    { value: entities, unit: 'count' },
    { value: withOutcome, unit: 'count' },
    ...[share, otherShare, difference, low, high].map(shareCell),
    { value: lift, unit: 'count' },
  ];
}

function aboutOutcome(
  { entities, withOutcome, tests, causes, hiddenPairs, leftOut, testedPairs }: CausesAnswer,
  outcome: readonly string[],
): readonly string[] {
  const count = (number: number): string => number.toLocaleString('en');
  const share = entities === 0 ? '' : ` (${numberText(withOutcome / entities, 'share')})`;
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  return [
    `${count(withOutcome)} of ${count(entities)} have the outcome${share}: ${outcome.join(' and ')}.`,
    ...(causes.length === 0
      ? [
          `No ${hiddenPairs === 0 ? '' : 'single '}value goes with it beyond chance (${count(tests)} tests, Holm, α = 0.01).`,
        ]
      : []),
    ...(causes.length > 0
      ? [
          `Beyond chance in ${count(tests)} tests (Holm, α = 0.01). It goes with these values; they need not be its cause.`,
        ]
      : []),
    ...(hiddenPairs === 0 ? [] : [hiddenPairsText(hiddenPairs)]),
    ...(testedPairs ? [] : ['There are too many properties for pairs of values: only single values were compared.']),
    ...reasons.map((reason) => {
      const names = leftOut.filter((each) => each.reason === reason).map(({ property }) => property);
      return `Left out, ${reason}: ${names.join(', ')}.`;
    }),
  ];
}

/** Pairs that are not listed though none of their values is. */
function hiddenPairsText(pairs: number): string {
  const [said, they] =
    pairs === 1
      ? ['1 pair of values goes', 'it does']
      : [`${pairs.toLocaleString('en')} pairs of values go`, 'they do'];
  return `${said} with it beyond chance, but ${they} not stand out from single values and ${pairs === 1 ? 'is' : 'are'} not listed.`;
}
