import type { Tool } from './tool.ts';
import { text, count, values, listOf, answerOf, itemsOf, limitOf, queryTarget } from './tool-parts.ts';

const previewed = answerOf({
  columns: listOf(answerOf({ name: text, type: text, nulls: count })),
  rows: listOf(listOf({ type: ['string', 'number', 'boolean', 'null'] })),
  truncated: { type: 'boolean' },
});

/** Tools that ask data sources, and import. */
export const sourceTools: readonly Tool[] = [
  {
    name: 'describe_source',
    title: 'Describe Data Source',
    description:
      'Tables, views and files of a data source with their columns, types, keys, comments and statistics. Without reach, those that are known already.',
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
      'The text of a first entity graph of a data source, which is not written: activities, keys, times and relations, guessed from names, types, foreign keys and first rows, with the reason of each choice and what would be as good. Columns whose names say that they hold secrets are not read. Without reach, from the tables that are known already, without their rows.',
    command: 'new',
    mayReach: true,
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
    description:
      'Builds the event knowledge graph of an entity graph and replaces the one before it, which is kept. A graph with engine: source is built in its data source, which only a server with --allow reach,write may do.',
    command: 'import',
    operand: 'file',
    options: {
      sample: { type: 'count', description: 'Only the first rows of each element; the graph is marked as a sample.' },
      since: { type: 'text', description: 'Only events at or after this ISO 8601 time; the graph is marked.' },
    },
    answer: answerOf({ status: text }),
    needs: 'reach',
    mayWrite: true,
    writes: true,
  },
];
