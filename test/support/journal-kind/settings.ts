import { resolve } from 'node:path';
import { fileReceiver } from '../../../server/src/connectors/receiver.ts';
import { SourceError } from '../../../server/src/connectors/source-error.ts';
import type { SourceSettings } from '../../../server/src/connectors/source-settings.ts';

export interface JournalConfig {
  readonly name: string;
  readonly timeZone: string;
  /** Absolute path. */
  readonly file: string;
  readonly separator: string;
}

export const journalSettings: SourceSettings<JournalConfig> = {
  read({ name, timeZone, folder }, { file, separator = ';' }) {
    if (typeof file !== 'string') throw new SourceError('source-config', `Data source ${name} needs a file.`);
    return { name, timeZone, file: resolve(folder, file), separator: String(separator) };
  },
  async receivers({ file }) {
    return { of: () => [fileReceiver('journal', file)] };
  },
  addressSettings: [],
  secretsToRedact: () => [],
};
