import { resolve } from 'node:path';
import type { EntityCase } from '../../../../protocol/analysis.ts';
import { listCases } from '../../operations/stored-graphs/ask-questions.ts';
import { type AnswerCell, answerFormats, printAnswer } from '../answer-table.ts';
import { type Command, countOption, exitCodes } from '../command.ts';
import { entityOptions } from '../entity-options.ts';

const defaultLimit = 20;

export const entitiesCommand: Command = {
  name: 'entities',
  operands: 'FILE',
  summary: 'List the entities of an imported graph with their measures and properties',
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'sort',
      value: 'COLUMN',
      help: 'key, first, last, throughput (default), events, rework, idle or a property; the largest first',
    },
    { name: 'ascending', help: 'The smallest first' },
    ...entityOptions,
    { name: 'limit', value: 'N', help: `How many entities are listed (default: ${defaultLimit})` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: answerFormats },
  ],
  examples: [
    'entity-graph entities orders.entity.yaml --sort throughput --limit 20',
    'entity-graph entities orders.entity.yaml --sort idle --where "without:Ship Order" --format csv',
  ],
  async run(invocation) {
    const { operands, options, lists, projectContext, signal } = invocation;
    const { where } = lists;
    const answered = await listCases(
      {
        path: resolve(operands[0] ?? ''),
        entityType: options['entity-type'],
        conditions: where,
        sort: options['sort'],
        ascending: options['ascending'] === 'true',
        limit: countOption(invocation, 'limit') ?? defaultLimit,
      },
      projectContext,
      signal,
    );
    const { answer, notes, entityType } = answered;
    const properties = Object.keys(answer.cases[0]?.properties ?? {});
    const table = {
      columns: ['key', 'first', 'last', 'throughput', 'events', 'rework', 'idle', ...properties],
      rows: answer.cases.map((each) => caseRow(each, properties)),
      others: answer.all - answer.cases.length,
    };
    const entities = answer.cases.map(({ id: _id, ...each }) => each);
    const json = { entityType, ...(notes.length > 0 && { notes }), all: answer.all, entities };
    printAnswer(answered, { table, json, asked: { where } }, invocation);
    return exitCodes.fine;
  },
};

function caseRow(
  { key, first, last, throughput, events, rework, idle, properties }: EntityCase,
  names: readonly string[],
): readonly AnswerCell[] {
  return [
    key,
    { time: first },
    { time: last },
    { value: throughput, unit: 'ms' },
    { value: events, unit: 'count' },
    { value: rework, unit: 'count' },
    { value: idle, unit: 'ms' },
    ...names.map((name) => properties[name] ?? null),
  ];
}
