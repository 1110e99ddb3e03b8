import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const duckdbQuestions: readonly SourceQuestion[] = [
  {
    setting: 'path',
    prompt: translatable('Path of the database file, relative to entity-sources.yaml'),
    fallback: 'data/database.duckdb',
    proposedFiles: ['duckdb', 'ddb', 'db'],
  },
];
