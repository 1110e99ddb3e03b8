import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { databaseServerQuestions } from '../database-server/questions.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const postgresqlQuestions: readonly SourceQuestion[] = databaseServerQuestions(5432, [
  {
    setting: 'schemas',
    prompt: translatable('Schemas to read, separated by commas'),
    fallback: 'public',
    writtenAs: 'list',
  },
]);
