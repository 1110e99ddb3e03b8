import type { SourceError } from './source-error.ts';

/** Whether imports may reuse unchanged rows, by default yes. Throws the error of `wrong` for an invalid value. */
export function readIncremental(value: unknown, wrong: (setting: string, expected: string) => SourceError): boolean {
  // Environment variables are texts.
  if (value === undefined || value === null || value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrong('incremental', 'true or false');
}
