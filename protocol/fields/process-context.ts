import type { FieldTable } from './field.ts';

/** The fields of `processContext`, which document an entry and do not affect the import. */
export const processContextFields = {
  description: {
    type: 'text',
    label: 'Description',
    isLong: true,
    description: 'What happens in the activity.',
  },
  owner: {
    type: 'text',
    label: 'Owner',
    description: 'Who is responsible for it.',
    examples: ['Service desk'],
  },
  businessRules: {
    type: 'texts',
    label: 'Business Rules',
    description: 'Rules that the activity follows, in words or as the name of one of the `rules` of the file.',
  },
  procedures: {
    type: 'texts',
    label: 'Procedures',
    description: 'Procedures or work instructions.',
  },
  links: {
    type: 'texts',
    label: 'Links',
    description: 'Links to documents about it.',
    examples: [['https://wiki.example/incident']],
  },
} as const satisfies FieldTable;
