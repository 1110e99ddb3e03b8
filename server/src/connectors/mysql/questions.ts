import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { databaseServerQuestions } from '../database-server/questions.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const mysqlQuestions: readonly SourceQuestion[] = databaseServerQuestions(3306, [
  {
    setting: 'databases',
    prompt: translatable('Databases to read, separated by commas; leave empty for that one'),
    optional: true,
    writtenAs: 'list',
  },
]);
