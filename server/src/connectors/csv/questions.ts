import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const fileQuestions: readonly SourceQuestion[] = [
  {
    setting: 'path',
    prompt: translatable('Path or pattern, relative to entity-sources.yaml; several are separated by commas'),
    fallback: 'data/*.csv',
    proposedFiles: ['csv', 'tsv', 'parquet', 'xlsx'],
    writtenAs: 'text or list',
  },
];
