import type { Catalog } from '../../catalog/catalog.ts';
import type { CallOptions } from './call-platform.ts';
import { stampText } from './catalog-stamp.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { mergedFigures } from './dictionary-figures.ts';
import { readDictionary, type Dictionary } from './read-dictionary.ts';

/** Reads dictionaries for one catalog. */
export interface DictionaryReader {
  read(names: readonly string[]): Promise<Dictionary>;
  /** Of all that was read; nothing where a part of it cannot be told from another one. */
  stamp(): Pick<Catalog, 'stamp'>;
}

export function dictionaryReader(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  options: CallOptions,
): DictionaryReader {
  const read: Dictionary[] = [];
  return {
    async read(names) {
      const dictionary = await readDictionary(client, names, { ...options, wantsFigures: config.incremental });
      read.push(dictionary);
      return dictionary;
    },
    stamp() {
      const figures = mergedFigures(read.map((each) => each.figures));
      const names = [...new Set(read.flatMap((each) => each.names))];
      return figures ? { stamp: stampText(config, names, figures) } : {};
    },
  };
}
