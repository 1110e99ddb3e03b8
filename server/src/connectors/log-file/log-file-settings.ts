import { resolve } from 'node:path';
import { parseDuration } from '../../model/duration.ts';
import { fileReceiver } from '../receiver.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import type { SourceSettings } from '../source-settings.ts';

/** Parsed settings of a source that is one event log file. */
export interface LogFileConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Absolute path. */
  readonly file: string;
  readonly statementTimeoutMs?: number | undefined;
}

/** A local file receives nothing, but a network path reveals its content to another machine. */
export function logFileSettings(kind: string): SourceSettings<LogFileConfig> {
  return {
    read({ name, timeZone, folder }, { path, statementTimeout }) {
      const wrong = (setting: string, expected: string): SourceError =>
        errorOfSource(name, 'source-config', `${setting} must be ${expected}.`, {
          remedy: `Correct ${setting} in the data sources file.`,
        });
      if (typeof path !== 'string' || path === '') throw wrong('path', 'the path of one file');
      const isGiven = statementTimeout !== undefined && statementTimeout !== null;
      const statementTimeoutMs = isGiven ? parseDuration(statementTimeout) : undefined;
      if (isGiven && statementTimeoutMs === undefined) throw wrong('statementTimeout', 'a duration such as 30s');
      return {
        name,
        timeZone,
        file: resolve(folder, path),
        statementTimeoutMs,
      };
    },
    async receivers({ file }) {
      const machine = fileReceiver(kind, file);
      return { of: () => [machine] };
    },
    addressSettings: [],
    secretsToRedact: () => [],
  };
}
