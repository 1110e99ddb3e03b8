import type { Tool } from './tool.ts';
import { text, count, number, values, listOf, answerOf, itemsOf, limitOf } from './tool-parts.ts';

const conditions =
  'Conditions, of which all hold: SQL over properties (amount > 100), or with:A, without:A, path:A -> B, eventually:A -> B, slower:5d, faster:5d, variant:N, broken:RULE, from:TIME, to:TIME, filter:NAME.';
const where = { type: 'list', description: conditions } as const;
const entityType = {
  type: 'text',
  description: 'Entities of this type; default: the one with most events of its own.',
} as const;
const ofEntities = { 'entity-type': entityType, where } as const;

/** Tools that ask the imported graph. */
export const graphTools: readonly Tool[] = [
  {
    name: 'rules',
    title: 'Process Rules and Measures',
    description:
      'Which rules and expectations the imported graph keeps, with the entities that break them, and its measures.',
    command: 'rules',
    operand: 'file',
    options: {
      suggest: { type: 'flag', description: 'Instead, rules that the graph keeps for at least 95 % of its entities.' },
      limit: limitOf('violations of a rule', 100),
    },
    answer: itemsOf({}),
  },
  {
    name: 'measures',
    title: 'Measures of Entities',
    description:
      'Throughput, events, rework, idle time and the measures of the file, of all entities or by groups, and compared with other entities. Durations are milliseconds.',
    command: 'analyze',
    operand: 'file',
    options: {
      measure: { type: 'list', description: 'What is measured; default: throughput, events, rework, idle.' },
      by: { type: 'list', description: 'Groups: a property, variant, or day, week, month, quarter, year.' },
      ...ofEntities,
      compare: { type: 'list', description: 'Conditions of other entities, which are measured as well.' },
      limit: limitOf('groups', 50),
    },
    answer: itemsOf({ name: text, unit: text, groups: listOf(values) }),
  },
  {
    name: 'variants',
    title: 'Variants',
    description: 'The orders in which the activities of entities follow each other, with counts and durations in ms.',
    command: 'variants',
    operand: 'file',
    options: { ...ofEntities, limit: limitOf('variants', 20) },
    answer: answerOf({
      entityType: text,
      all: count,
      entities: count,
      variants: listOf(answerOf({ entities: count, share: number, activities: listOf(text) })),
    }),
  },
  {
    name: 'map',
    title: 'Process Map',
    description:
      'Which activity directly follows which, how often, and the time between in ms: the process map as a list.',
    command: 'steps',
    operand: 'file',
    options: { ...ofEntities, limit: limitOf('steps', 20) },
    answer: answerOf({
      entityType: text,
      all: count,
      steps: listOf(answerOf({ source: text, target: text, count, median: number, p90: number, total: number })),
    }),
  },
  {
    name: 'activities',
    title: 'Activities',
    description: 'The activities with their events, entities, service time in ms, convergence and divergence.',
    command: 'activities',
    operand: 'file',
    options: { ...ofEntities, limit: limitOf('activities', 20) },
    answer: answerOf({
      entityType: text,
      all: count,
      activities: listOf(answerOf({ activity: text, events: count, entities: count })),
    }),
  },
  {
    name: 'entities',
    title: 'Entities',
    description: 'Entities with first and last event, measures in ms and properties, sorted.',
    command: 'entities',
    operand: 'file',
    options: {
      sort: {
        type: 'text',
        description: 'key, first, last, throughput (default), events, rework, idle or a property.',
      },
      ascending: { type: 'flag', description: 'The smallest first.' },
      ...ofEntities,
      limit: limitOf('entities', 20),
    },
    answer: answerOf({ entityType: text, all: count, entities: listOf(answerOf({ key: text, events: count })) }),
  },
  {
    name: 'entity_timeline',
    title: 'Timeline of an Entity',
    description: 'The events of one entity in order, the values that changed with them, and related entities.',
    command: 'timeline',
    operand: 'file',
    options: {
      key: { type: 'text', isRequired: true, description: 'The key of the entity, as entities lists it.' },
      'entity-type': entityType,
      limit: limitOf('events', 100),
    },
    answer: answerOf({
      entityType: text,
      key: text,
      all: count,
      events: listOf(answerOf({ time: text, activity: text, lifecycle: text, changes: listOf(values) })),
      related: listOf(answerOf({ relationship: text, entityType: text, key: text })),
    }),
  },
  {
    name: 'workload',
    title: 'Work in Progress',
    description: 'Arrivals, completions and entities in progress of each period.',
    command: 'workload',
    operand: 'file',
    options: { ...ofEntities, limit: limitOf('periods', 20) },
    answer: answerOf({ entityType: text, all: count, periods: listOf(answerOf({ start: text, inProgress: count })) }),
  },
  {
    name: 'batches',
    title: 'Batches',
    description: 'Events of one activity that happen together, as in a batch.',
    command: 'batches',
    operand: 'file',
    options: { ...ofEntities, limit: limitOf('batches', 20) },
    answer: answerOf({ entityType: text, all: count, batches: listOf(answerOf({ activity: text, events: count })) }),
  },
  {
    name: 'why',
    title: 'What Goes with an Outcome',
    description:
      'The values of properties, and pairs of them, whose entities have an outcome more often. They go with it; whether they cause it, the data cannot say.',
    command: 'why',
    operand: 'file',
    options: {
      outcome: { type: 'list', isRequired: true, description: `What is to be explained. ${conditions}` },
      ...ofEntities,
      limit: limitOf('causes', 20),
    },
    answer: answerOf({ entityType: text, entities: count, withOutcome: count, causes: listOf(values) }),
  },
  {
    name: 'findings',
    title: 'Data Quality',
    description:
      'What is odd in the data of the imported graph, such as missing times of day, wrong time zones and duplicates: where, how many, the share of the paths, variants and rule violations that it explains, examples, and what to do.',
    command: 'findings',
    operand: 'file',
    answer: answerOf({ findings: listOf(answerOf({ kind: text, severity: text, message: text, remedy: text })) }),
  },
  {
    name: 'changes',
    title: 'Changes of the Last Import',
    description: 'What the last import has changed against the one before it, in numbers.',
    command: 'diff',
    operand: 'file',
    answer: { type: 'object' },
  },
  {
    name: 'effect',
    title: 'Effect of an Edit',
    description:
      'What a text of an entity graph, saved or proposed, makes of the same rows in comparison with another text: events, entities, values, paths, variants, rules and measures, and which edit did it. Nothing is published. Without reach, only edits that need no other rows than the last import has kept.',
    command: 'effect',
    mayReach: true,
    operand: 'file',
    takesText: 'A proposed text of the file in place of the saved one.',
    options: {
      base: { type: 'revision', description: 'last (the text of the last import, default), a commit or a branch.' },
      'fail-on': { type: 'list', description: 'Conditions that are judged, such as "Place Order.events.gone > 2%".' },
      total: { type: 'flag', description: 'Does not tell which edit did it, which takes longer.' },
    },
    answer: answerOf({ state: text }),
  },
  {
    name: 'query',
    title: 'Query the Graph',
    description:
      'Read-only SQL (DuckDB) over the imported graph, or a query of the project by name; without either, lists those. Tables: event, entity, relation, correlation, directly_follows, a view for each entity type and activity; explain_format 13.1 has their columns. Long values and rows beyond the limit are cut, and the answer says so.',
    command: 'query',
    operand: 'file',
    options: {
      sql: { type: 'text', description: 'One SELECT, DESCRIBE or SUMMARIZE.' },
      name: { type: 'text', isOperand: true, description: 'The name of a query of the folder queries.' },
      limit: limitOf('rows', 100),
    },
    answer: { type: 'object' },
    hasRows: true,
  },
];
