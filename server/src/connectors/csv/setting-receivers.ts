import { fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type FileSourceConfig, readFileSourceConfig } from './read-settings.ts';

/** Local files receive nothing, but a network path reveals its content to another machine. */
export const fileSettings: SourceSettings<FileSourceConfig> = {
  read: readFileSourceConfig,
  async receivers({ paths }) {
    const machines = paths.map((path) => fileReceiver('csv', path));
    return { of: () => machines };
  },
  addressSettings: [],
  secretsToRedact: () => [],
};
