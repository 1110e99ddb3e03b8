import { resolve } from 'node:path';
import type { EntityTimeline, TimelineEvent, ValueChange } from '../../../../protocol/event-graph.ts';
import { readEntityTimeline } from '../../operations/stored-graphs/ask-questions.ts';
import { type AnswerCell, answerFormats, printAnswer } from '../answer-table.ts';
import { type Command, countOption, exitCodes, requiredOption } from '../command.ts';

const defaultLimit = 100;

export const timelineCommand: Command = {
  name: 'timeline',
  operands: 'FILE',
  summary: 'List the events of one entity, with the values that changed and the entities that are related to it',
  arity: { min: 1, max: 1 },
  options: [
    {
      name: 'key',
      value: 'KEY',
      help: 'The key of the entity, as entities lists it, or the text of a property that no other one has',
    },
    {
      name: 'entity-type',
      value: 'TYPE',
      help: 'The type of the entity (default: the one with most events of its own)',
    },
    { name: 'limit', value: 'N', help: `How many events are listed (default: ${defaultLimit}, at most 1000)` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: answerFormats },
  ],
  examples: [
    'entity-graph timeline orders.entity.yaml --key 4711',
    'entity-graph timeline orders.entity.yaml --entity-type item --key "4711 | 10" --format json',
  ],
  async run(invocation) {
    const { operands, options, projectContext, signal } = invocation;
    const key = requiredOption(invocation, 'key');
    const limit = countOption(invocation, 'limit') ?? defaultLimit;
    const answered = await readEntityTimeline(
      { path: resolve(operands[0] ?? ''), entityType: options['entity-type'], key },
      projectContext,
      signal,
    );
    const { entity, events, values, related } = answered.answer;
    const listed = events.slice(0, limit);
    const changesOf = ({ id }: TimelineEvent): readonly ValueChange[] =>
      values.changes.filter(({ event }) => event === id);
    const table = {
      columns: ['time', 'activity', 'lifecycle', 'qualifier', 'entity', 'changes'],
      rows: listed.map((event): readonly AnswerCell[] => [
        { time: event.time },
        event.activity,
        event.lifecycle,
        event.qualifier,
        event.entity ? `${event.entity.entityType} ${event.entity.key}` : null,
        changesOf(event).map(changeText).join(', '),
      ]),
      others: entity.events - listed.length,
      one: 'event',
      nothing: 'The entity has no events.',
    };
    const json = {
      entityType: answered.entityType,
      key,
      ...(answered.notes.length > 0 && { notes: answered.notes }),
      all: entity.events,
      events: listed.map((event) => eventJson(event, changesOf(event))),
      values: values.changes
        .filter(({ event }) => event === undefined)
        .map(({ property, time = null, after }) => ({ property, time, after })),
      related: related.map(({ entityType, key: relatedKey, relationship }) => ({
        relationship,
        entityType,
        key: relatedKey,
      })),
    };
    const about = `${answered.entityType} ${key}: ${entity.events} event${entity.events === 1 ? '' : 's'}.`;
    printAnswer(answered, { table, json, asked: {}, about }, invocation);
    if (invocation.format === 'text') for (const line of relatedLines(related)) invocation.terminal.result(line);
    return exitCodes.fine;
  },
};

function eventJson({ time, activity, lifecycle, qualifier, entity }: TimelineEvent, changes: readonly ValueChange[]) {
  return {
    time,
    activity,
    lifecycle,
    qualifier,
    entity: entity ? { entityType: entity.entityType, key: entity.key } : null,
    changes: changes.map(({ property, before = null, after }) => ({ property, before, after })),
  };
}

function changeText({ property, before, after }: ValueChange): string {
  return before === undefined ? `${property}: ${after}` : `${property}: ${before} → ${after}`;
}

function relatedLines(related: EntityTimeline['related']): readonly string[] {
  if (related.length === 0) return [];
  return ['', ...related.map(({ relationship, entityType, key }) => `${relationship}: ${entityType} ${key}`)];
}
