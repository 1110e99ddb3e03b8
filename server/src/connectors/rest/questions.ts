import type { SourceChoice, SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { anAddress, basicLogin, basicQuestions, isOauth, oauthLogin, oauthQuestions } from '../http/questions.ts';
import { translatable } from '../translatable.ts';

const keyInHeader: SourceChoice = { label: translatable('Key in a header'), value: 'apiKey' };
/** In the file both are `apiKey`, distinguished by their other settings. */
const keyAsParameter: SourceChoice = {
  label: translatable('Key as a query parameter'),
  value: 'apiKey parameter',
  writes: 'apiKey',
};

/** The questions of *Add Data Source*. */
export const restQuestions: readonly SourceQuestion[] = [
  {
    setting: 'baseUrl',
    prompt: translatable('Address that the paths of the endpoints are appended to'),
    placeholder: 'https://api.example/v1',
    expects: anAddress,
  },
  {
    setting: 'auth.kind',
    prompt: translatable('How to log in'),
    optional: true,
    choices: [{ label: translatable('Not at all'), value: '' }, basicLogin, keyInHeader, keyAsParameter, oauthLogin],
  },
  ...basicQuestions,
  {
    setting: 'auth.header',
    prompt: translatable('Name of the header'),
    fallback: 'Authorization',
    when: { setting: 'auth.kind', oneOf: [keyInHeader.value] },
  },
  {
    setting: 'auth.parameter',
    prompt: translatable('Name of the parameter'),
    fallback: 'api_key',
    when: { setting: 'auth.kind', oneOf: [keyAsParameter.value] },
  },
  {
    setting: 'auth.token',
    prompt: translatable('The key, as the header or the parameter has it'),
    secret: true,
    when: { setting: 'auth.kind', oneOf: [keyInHeader.value, keyAsParameter.value] },
  },
  ...oauthQuestions,
  {
    setting: 'auth.clientAuthentication',
    prompt: translatable('How client id and secret are sent'),
    choices: [
      { label: translatable('By HTTP Basic authentication'), description: 'RFC 6749', value: 'basic' },
      { label: translatable('In the form'), value: 'body' },
    ],
    when: isOauth,
  },
  {
    setting: 'auth.tokenUrl',
    prompt: translatable('Address that tokens are asked from'),
    expects: anAddress,
    when: isOauth,
  },
  {
    setting: 'endpoints.0.path',
    prompt: translatable('Path of a first endpoint; more are added in the file'),
    placeholder: '/orders',
    expects: { kind: 'start', start: '/', message: translatable('It starts with /') },
  },
  { setting: 'endpoints.0.name', prompt: translatable('Name of its data object'), placeholder: 'orders' },
  {
    setting: 'endpoints.0.records',
    prompt: translatable(
      'Where the list of records is in an answer: names separated by dots; empty when the answer is the list',
    ),
    placeholder: 'data.items',
    optional: true,
  },
];
