import { resolve } from 'node:path';
import { listVariants } from '../../operations/stored-graphs/ask-questions.ts';
import { type AnswerCell, answerFormats, printAnswer } from '../answer-table.ts';
import { type Command, countOption, exitCodes } from '../command.ts';
import { entityOptions } from '../entity-options.ts';

const defaultLimit = 20;

export const variantsCommand: Command = {
  name: 'variants',
  operands: 'FILE',
  summary: 'List the orders in which the activities of entities follow each other',
  arity: { min: 1, max: 1 },
  options: [
    ...entityOptions,
    { name: 'limit', value: 'N', help: `How many variants are listed (default: ${defaultLimit})` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: answerFormats },
  ],
  examples: [
    'entity-graph variants orders.entity.yaml',
    'entity-graph variants orders.entity.yaml --where "slower:10d" --limit 5 --format json',
  ],
  async run(invocation) {
    const { operands, options, lists, projectContext, signal } = invocation;
    const { where } = lists;
    const answered = await listVariants(
      {
        path: resolve(operands[0] ?? ''),
        entityType: options['entity-type'],
        conditions: where,
        limit: countOption(invocation, 'limit') ?? defaultLimit,
      },
      projectContext,
      signal,
    );
    const { answer, notes, entityType } = answered;
    const variants = answer.variants.map(({ number, activities, events, entities, median, p90 }) => ({
      variant: number ?? null,
      entities,
      share: entities / answer.entities,
      events,
      median,
      p90,
      activities,
    }));
    const table = {
      columns: ['variant', 'entities', 'share', 'events', 'median', 'p90', 'activities'],
      rows: variants.map(({ variant, entities, share, events, median, p90, activities }): readonly AnswerCell[] => [
        { value: variant, unit: 'count' },
        { value: entities, unit: 'count' },
        { value: share, unit: 'share' },
        { value: events, unit: 'count' },
        { value: median, unit: 'ms' },
        { value: p90, unit: 'ms' },
        [...activities, ...(events > activities.length ? ['…'] : [])].join(' → '),
      ]),
      others: answer.all - variants.length,
    };
    const json = {
      entityType,
      ...(notes.length > 0 && { notes }),
      all: answer.all,
      entities: answer.entities,
      variants,
    };
    printAnswer(answered, { table, json, asked: { where } }, invocation);
    return exitCodes.fine;
  },
};
