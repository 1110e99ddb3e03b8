import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source* for a database server: address and login, those of the kind, encryption. */
export function databaseServerQuestions(
  defaultPort: number,
  ofKind: readonly SourceQuestion[],
): readonly SourceQuestion[] {
  return [
    { setting: 'host', prompt: translatable('Name or address of the server'), fallback: 'localhost' },
    {
      setting: 'port',
      prompt: translatable('Port of the server'),
      fallback: String(defaultPort),
      writtenAs: 'number',
      expects: { kind: 'integer', from: 1, to: 65_535, message: translatable('A number from 1 to 65535') },
    },
    { setting: 'database', prompt: translatable('Name of the database') },
    { setting: 'user', prompt: translatable('User; one that may only read is enough') },
    {
      setting: 'password',
      prompt: translatable('Password; leave empty when the server asks for none'),
      optional: true,
      secret: true,
    },
    ...ofKind,
    {
      setting: 'ssl.mode',
      prompt: translatable('Encryption'),
      optional: true,
      choices: [
        { label: translatable('When the server can'), value: '' },
        { label: translatable('Required'), value: 'require' },
        {
          label: translatable('Required, with the certificate and name of the server checked'),
          description: 'verify-full',
          value: 'verify-full',
        },
        { label: translatable('None'), value: 'disable' },
      ],
    },
  ];
}
