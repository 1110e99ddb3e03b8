import type { OptionSpec } from './command.ts';

/** Options of the commands that ask about entities. */
export const entityOptions: readonly OptionSpec[] = [
  {
    name: 'entity-type',
    value: 'TYPE',
    help: 'Entities of this type (default: the one with most events of its own)',
  },
  { name: 'where', value: 'CONDITION', repeats: true, help: 'Only entities that keep it; several mean and' },
];
