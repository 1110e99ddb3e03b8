import type { ExpectedAnswer, SourceChoice, SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { translatable } from '../translatable.ts';

/** Login methods of both REST kinds in *Add Data Source*, with one OAuth grant. */
export const basicLogin: SourceChoice = { label: translatable('User and password'), value: 'basic' };
export const oauthLogin: SourceChoice = {
  label: 'OAuth 2.0',
  description: translatable('client credentials'),
  value: 'oauth2',
  entails: { setting: 'auth.grant', value: 'client_credentials' },
};

export const bearerLogin: SourceChoice = {
  label: translatable('Access token'),
  description: translatable('one that was issued to you'),
  value: 'bearer',
};

const isBasic = { setting: 'auth.kind', oneOf: [basicLogin.value] };
export const isOauth = { setting: 'auth.kind', oneOf: [oauthLogin.value] };

export const basicQuestions: readonly SourceQuestion[] = [
  { setting: 'auth.user', prompt: translatable('User'), when: isBasic },
  { setting: 'auth.password', prompt: translatable('Password'), secret: true, when: isBasic },
];

export const oauthQuestions: readonly SourceQuestion[] = [
  { setting: 'auth.clientId', prompt: translatable('Client id, as it is registered'), when: isOauth },
  { setting: 'auth.clientSecret', prompt: translatable('Client secret'), secret: true, when: isOauth },
];

export const bearerQuestions: readonly SourceQuestion[] = [
  {
    setting: 'auth.token',
    prompt: translatable('Access token'),
    secret: true,
    when: { setting: 'auth.kind', oneOf: [bearerLogin.value] },
  },
];

export const anAddress: ExpectedAnswer = {
  kind: 'address',
  message: translatable('An address that starts with https://'),
};
