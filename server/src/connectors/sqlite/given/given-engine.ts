import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GivenData } from '../../given/given-data.ts';
import type { OpenGivenRows } from '../../given/given-rows.ts';
import { openPull } from '../pull.ts';
import { readSqliteConfig } from '../read-settings.ts';
import { writeGivenFile } from './given-file.ts';

/** Each import reads a small file of its own, exactly as it would read that of the source. */
export const openGivenEngine: OpenGivenRows = async (temporaryFolder) => {
  let files = 0;
  return {
    async openPull(data, staging, options) {
      const path = join(temporaryFolder, `given-${++files}.sqlite`);
      const remove = (): Promise<void> => rm(path, { force: true });
      try {
        const { times } = configOf(data, path, data.settings['times']);
        const written = await writeGivenFile(path, data, times);
        const pull = await openPull(configOf(data, path, Object.fromEntries(written)), staging, options);
        return { ...pull, close: () => pull.close().finally(remove) };
      } catch (error) {
        await remove();
        throw error;
      }
    },
    close: async () => undefined,
  };
};

function configOf({ catalog, timeZone }: GivenData, path: string, times: unknown) {
  return readSqliteConfig({ name: catalog.dataSource, folder: '', timeZone }, { path, times });
}
