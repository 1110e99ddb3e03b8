import type { Tool } from './tool.ts';
import { text, values, listOf, answerOf, itemsOf, queryTarget } from './tool-parts.ts';

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

/** Tools that read, check and edit texts of the workspace. */
export const fileTools: readonly Tool[] = [
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
    name: 'describe_graph',
    title: 'Describe Entity Graph',
    description:
      'What an entity graph defines, and what its last import has counted: data objects, elements with their fields, relationships, names of rules and measures.',
    command: 'describe',
    operand: 'file',
    answer: answerOf({ file: text, elements: listOf(values), relationships: listOf(values) }),
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
];
