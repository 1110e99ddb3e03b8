import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import {
  anAddress,
  basicLogin,
  basicQuestions,
  bearerLogin,
  bearerQuestions,
  oauthLogin,
  oauthQuestions,
} from '../http/questions.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const serviceNowQuestions: readonly SourceQuestion[] = [
  {
    setting: 'instanceUrl',
    prompt: translatable('Address of the instance'),
    placeholder: 'https://acme.example',
    expects: anAddress,
  },
  {
    setting: 'tables',
    prompt: translatable('Tables to offer, separated by commas'),
    fallback: 'incident, problem, change_request',
    writtenAs: 'list',
  },
  { setting: 'auth.kind', prompt: translatable('How to log in'), choices: [basicLogin, oauthLogin, bearerLogin] },
  ...basicQuestions,
  ...oauthQuestions,
  ...bearerQuestions,
];
