import type { SourceError } from './source-error.ts';

/** Whether imports may leave out what has not changed: yes, unless `incremental` says no. Throws what `wrong` makes. */
export function readIncremental(value: unknown, wrong: (setting: string, expected: string) => SourceError): boolean {
  // An environment variable arrives as text.
  if (value === undefined || value === null || value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrong('incremental', 'true or false');
}
