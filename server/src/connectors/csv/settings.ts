import { fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type FileSourceConfig, readFileSourceConfig } from './config.ts';

/** Files of this machine receive nothing; a path may lead to another machine, which learns what stands in it. */
export const fileSettings: SourceSettings<FileSourceConfig> = {
  read: readFileSourceConfig,
  async receivers({ paths }) {
    const machines = paths.map((path) => fileReceiver('csv', path));
    return { of: () => machines };
  },
  addressSettings: [],
  loginTexts: () => [],
};
