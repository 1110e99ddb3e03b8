import { fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type DuckdbConfig, readDuckdbConfig } from './read-settings.ts';

/** A local file receives nothing, but a network path reveals its content to another machine. */
export const duckdbSettings: SourceSettings<DuckdbConfig> = {
  read: readDuckdbConfig,
  async receivers({ database }) {
    const machine = fileReceiver('duckdb', 'path' in database ? database.path : database.graph);
    return { of: () => [machine] };
  },
  addressSettings: [],
  secretsToRedact: () => [],
};
