import type { FieldTable } from './field.ts';
import { sharedFields } from './shared-fields.ts';

/** The fields of an entry of `relationships`, in writing order. */
export const relationshipFields = {
  name: {
    type: 'name',
    label: 'Name',
    notEmpty: true,
    description:
      'The name of the relationship, which is also the qualifier of its correlations. Default: source → target.',
    examples: ['caused by'],
  },
  source: {
    type: 'end',
    label: 'Source',
    needed: true,
    description: 'The activity name of the source element, or the name of an entry of entities.',
  },
  target: {
    type: 'end',
    label: 'Target',
    needed: true,
    description: 'The activity name of the target element, or the name of an entry of entities.',
  },
  mappings: {
    type: 'mappings',
    label: 'Mapping',
    needed: true,
    description: 'Conditions that join the two sides; all must hold.',
  },
  crossTable: { type: 'crossTable', label: 'Cross Table' },
  path: {
    type: 'path',
    label: 'Path',
    description:
      'Names of relationships that are followed one after the other, instead of mappings and a cross table: the relationship has the pairs of entities to which they lead. Source and target say which types of entities these are.',
    examples: [['delivers', 'bills']],
  },
  correlate: {
    type: 'correlation',
    label: 'Correlate events of',
    description:
      'Whose events are also correlated with the entity of the other side: both (default), source, target or none.',
  },
} as const satisfies FieldTable;

/** The fields of `crossTable`, in writing order. */
export const crossTableFields = {
  dataSource: sharedFields.dataSource,
  dataObject: {
    type: 'dataObject',
    label: 'Data object of the cross table',
    needed: true,
    description: 'The data object that bridges the two sides.',
    examples: ['task_ci'],
  },
  sourceMappings: {
    type: 'sourceMappings',
    label: 'Source Mapping',
    needed: true,
    description: 'The mappings between the source element and the cross table; at least one.',
  },
  targetMappings: {
    type: 'targetMappings',
    label: 'Target Mapping',
    needed: true,
    description: 'The mappings between the cross table and the target element; at least one.',
  },
} as const satisfies FieldTable;
