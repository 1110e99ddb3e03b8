import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { basicLogin, basicQuestions, bearerLogin, bearerQuestions } from '../http/questions.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const trinoQuestions: readonly SourceQuestion[] = [
  { setting: 'host', prompt: translatable('Name or address of the coordinator'), fallback: 'localhost' },
  {
    setting: 'port',
    prompt: translatable('Port of the coordinator; leave empty for 443, or 8080 on this machine'),
    placeholder: '8443',
    optional: true,
    writtenAs: 'number',
    expects: { kind: 'integer', from: 1, to: 65_535, message: translatable('A number from 1 to 65535') },
  },
  { setting: 'catalog', prompt: translatable('Catalog to read'), placeholder: 'lake' },
  {
    setting: 'schemas',
    prompt: translatable('Schemas to read, separated by commas; leave empty for all of the catalog'),
    optional: true,
    writtenAs: 'list',
  },
  {
    setting: 'auth.kind',
    prompt: translatable('How to log in'),
    optional: true,
    choices: [{ label: translatable('Not at all'), value: '' }, basicLogin, bearerLogin],
  },
  ...basicQuestions,
  ...bearerQuestions,
  // A login has its user.
  {
    setting: 'user',
    prompt: translatable('User; one that may only read is enough'),
    when: { setting: 'auth.kind', oneOf: [''] },
  },
];
