import type { Tool } from './tool.ts';

const text = { type: 'string' };
const count = { type: 'integer' };
const number = { type: ['number', 'null'] };
const values = { type: 'object' };
const listOf = (items: object): object => ({ type: 'array', items });
const answerOf = (properties: Readonly<Record<string, object>>): Tool['answer'] => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
/** Commands that print a list. */
const itemsOf = (properties: Readonly<Record<string, object>>): Tool['answer'] =>
  answerOf({ items: listOf(answerOf(properties)) });

const conditions =
  'Conditions, of which all hold: SQL over properties (amount > 100), or with:A, without:A, path:A -> B, eventually:A -> B, slower:5d, faster:5d, variant:N, broken:RULE, from:TIME, to:TIME, filter:NAME.';
const where = { type: 'list', description: conditions } as const;
const entityType = {
  type: 'text',
  description: 'Entities of this type; default: the one with most events of its own.',
} as const;
const limitOf = (what: string, byDefault: number) =>
  ({ type: 'count', description: `At most this many ${what}; default: ${byDefault}.` }) as const;
const ofEntities = { 'entity-type': entityType, where } as const;
const previewed = answerOf({
  columns: listOf(answerOf({ name: text, type: text, nulls: count })),
  rows: listOf(listOf({ type: ['string', 'number', 'boolean', 'null'] })),
  truncated: { type: 'boolean' },
});
const proposed = {
  file: text,
  edits: listOf(answerOf({ range: values, newText: text })),
  diagnostics: listOf(values),
  hasNewErrors: { type: 'boolean' },
  tests: listOf(answerOf({ file: text, tests: listOf(values) })),
} as const;
const proposedText = 'The whole new text of the file, which may be new.';
const editOptions = {
  effect: {
    type: 'flag',
    description:
      'Also what it does to the graph; without reach, from the rows that the last import has kept. Takes longer.',
  },
} as const;
const queryTarget = {
  element: { type: 'text', description: 'The activity name of an element.' },
  entities: { type: 'text', description: 'The name of an entry of entities.' },
  relationship: { type: 'text', description: 'The name of a relationship, or "source -> target".' },
} as const;

/** Every tool. A new one is a row here; `test/server/mcp.test.ts` runs all of them beside the command line. */
export const tools: readonly Tool[] = [
  {
    name: 'list_graphs',
    title: 'List Entity Graphs',
    description:
      'The entity graphs of the workspace: file, name, data sources, and whether and when each was imported.',
    command: 'status',
    isAboutFolder: true,
    answer: itemsOf({ file: text, name: text, status: text }),
  },
  {
    name: 'validate',
    title: 'Validate',
    description:
      'The problems of an entity graph or file of tests, with code, place and remedy. Tables and columns are those that are known already; with reach, those of the data source.',
    command: 'validate',
    mayReach: true,
    operand: 'file',
    takesText: 'A proposed text of the file, which is checked in place of the saved one.',
    answer: itemsOf({ file: text, diagnostics: listOf(values) }),
  },
  {
    name: 'read_graph',
    title: 'Read Entity Graph',
    description: 'The text of an entity graph or file of tests, with the hash that apply_edit wants.',
    operand: 'file',
    answer: answerOf({ file: text, hash: text, text }),
  },
  {
    name: 'explain_format',
    title: 'Explain Format',
    description:
      'What a field of entity graphs, tests or data sources means, the code of a problem with an example and its remedy, or a section of the specification. Without a topic, lists all of them.',
    command: 'explain',
    options: {
      topic: {
        type: 'text',
        isOperand: true,
        description:
          'A field (key, elements[].startTimestamp), a code (key-width), a section (8.2) or words of its title.',
      },
    },
    answer: answerOf({ kind: text, items: listOf(answerOf({ title: text, text })) }),
  },
  {
    name: 'complete_at',
    title: 'Complete',
    description:
      'What may stand at a place of an entity graph or file of tests, as editors offer it: fields, tables, columns, activities. Tables are those that are known already.',
    command: 'complete',
    operand: 'file',
    takesText: 'The text of the file in place of the saved one.',
    options: {
      line: { type: 'place', isRequired: true, description: 'The line, from 0 as in the ranges of problems.' },
      character: { type: 'place', isRequired: true, description: 'The character of the line, from 0.' },
    },
    answer: answerOf({
      isIncomplete: { type: 'boolean' },
      items: listOf(answerOf({ label: text, kind: text, insertText: text, range: values })),
    }),
  },
  {
    name: 'propose_edit',
    title: 'Propose Edit',
    description:
      'What a new text of an entity graph or file of tests, or edits of what it means, would change: the lines that differ, problems, results of its tests. Writes nothing.',
    command: 'propose',
    mayReach: true,
    operand: 'file',
    takesText: proposedText,
    takesEdits: true,
    options: editOptions,
    answer: answerOf(proposed),
  },
  {
    name: 'apply_edit',
    title: 'Apply Edit',
    description:
      'Does what propose_edit says, and writes the file, if it is as it was read and has no errors that were not there before. Change only what is meant: comments, order and line ends of the rest stay.',
    command: 'propose',
    mayReach: true,
    operand: 'file',
    takesText: proposedText,
    takesEdits: true,
    options: editOptions,
    ownOptions: {
      'base-hash': { type: 'text', description: 'The hash of read_graph; left out for a new file.' },
      'allow-errors': { type: 'flag', description: 'Also writes a text with new errors.' },
    },
    answer: answerOf({ ...proposed, written: { type: 'boolean' }, hash: { type: ['string', 'null'] } }),
    needs: 'edit',
    writes: true,
  },
  {
    name: 'lineage',
    title: 'Lineage',
    description: 'The columns behind each property, rule and measure of an entity graph, and what each column feeds.',
    command: 'lineage',
    operand: 'file',
    options: { column: { type: 'text', description: 'Only what this column feeds: OBJECT.COLUMN.' } },
    answer: { type: 'object' },
  },
  {
    name: 'show_query',
    title: 'Show Query',
    description: 'The exact SQL or requests of one element, entry of entities or relationship, which are not run.',
    command: 'show-query',
    operand: 'file',
    options: queryTarget,
    answer: { type: 'object' },
  },
  {
    name: 'run_tests',
    title: 'Run Tests',
    description: 'Runs a file of tests (*.entity.test.yaml) on its given rows; no data source is contacted.',
    command: 'test',
    operand: 'file',
    answer: itemsOf({ file: text, tests: listOf(values) }),
  },
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
    name: 'analyze',
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
    name: 'steps',
    title: 'Process Map as a List',
    description: 'Which activity directly follows which, how often, and the time between in ms: the process map.',
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
    name: 'timeline',
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
      'What is odd in the data of the imported graph, such as missing times of day, wrong time zones and duplicates: where, how many, the share of the process map that it explains, examples, and what to do.',
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
  {
    name: 'describe_source',
    title: 'Describe Data Source',
    description: 'Tables, views and files of a data source with their columns, types, keys and comments.',
    command: 'objects',
    mayReach: true,
    operand: 'source',
    options: { sources: { type: 'path', description: 'The data sources file; default: that of the workspace.' } },
    answer: itemsOf({ name: text, columns: listOf(values) }),
  },
  {
    name: 'test_query',
    title: 'Test Query',
    description: 'The first rows of the query of an element, entry of entities or relationship, read-only.',
    command: 'test-query',
    operand: 'file',
    options: { ...queryTarget, limit: limitOf('rows', 100) },
    answer: previewed,
    hasRows: true,
    needs: 'reach',
  },
  {
    name: 'draft_graph',
    title: 'Draft Graph',
    description:
      'The text of a first entity graph of a data source, which is not written: activities, keys, times and relations, guessed from names, types, foreign keys and first rows, with the reason of each choice and what would be as good. Columns whose names say that they hold secrets are not read.',
    command: 'new',
    operand: 'source',
    fixed: ['--print'],
    options: {
      further: { type: 'list', isOperand: true, description: 'Names of further data sources of the graph.' },
      objects: { type: 'list', isJoined: true, description: 'Only these tables or files.' },
      choose: {
        type: 'list',
        isJoined: true,
        description: 'Columns for roles, as choices of an earlier answer lists them: orders:key=id+line, time=placed.',
      },
      sources: { type: 'path', description: 'The data sources file; default: that of the workspace.' },
    },
    answer: answerOf({ text, chosen: listOf(values), choices: listOf(values), leftOut: listOf(values) }),
    needs: 'reach',
  },
  {
    name: 'plan',
    title: 'Import Plan',
    description: 'Every statement and request of an import, which are not run.',
    command: 'plan',
    operand: 'file',
    answer: { type: 'object' },
    needs: 'reach',
  },
  {
    name: 'import',
    title: 'Import',
    description: 'Builds the event knowledge graph of an entity graph and replaces the one before it, which is kept.',
    command: 'import',
    operand: 'file',
    options: {
      sample: { type: 'count', description: 'Only the first rows of each element; the graph is marked as a sample.' },
      since: { type: 'text', description: 'Only events at or after this ISO 8601 time; the graph is marked.' },
    },
    answer: answerOf({ status: text }),
    needs: 'reach',
    writes: true,
  },
];
