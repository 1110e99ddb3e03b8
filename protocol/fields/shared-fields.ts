import type { FieldTable } from './field.ts';

/** The fields that elements and entries of `entities` share. */
export const sharedFields = {
  dataSource: {
    type: 'dataSource',
    label: 'Data Source',
    dialog: false,
    description:
      'The data source of the data object: a name in entity-sources.yaml. Default: the dataSource of the file.',
    examples: ['itsm'],
  },
  joins: {
    type: 'sql',
    label: 'Custom JOIN clauses',
    section: 'sql',
    description:
      "Custom JOIN clauses in the SQL of the data source. The data object's own, unqualified name is its alias.",
  },
  expect: {
    type: 'expectations',
    dialog: false,
  },
  processContext: {
    type: 'processContext',
    label: 'Process Context',
  },
} as const satisfies FieldTable;
