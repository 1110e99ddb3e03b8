import { fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { readSqliteConfig, type SqliteConfig } from './read-settings.ts';

/** A local file receives nothing, but a network path reveals its content to another machine. */
export const sqliteSettings: SourceSettings<SqliteConfig> = {
  read: readSqliteConfig,
  async receivers({ path }) {
    const machine = fileReceiver('sqlite', path);
    return { of: () => [machine] };
  },
  addressSettings: [],
  secretsToRedact: () => [],
};
