import type { Connector, Pull } from '../../connectors/connector.ts';
import type { ImportSource } from '../../import/import-source.ts';

/**
 * Makes several builds read equal queries of a source once: what the first build has read counts as unchanged for all
 * later ones, whatever happens to the data meanwhile.
 */
export interface SharedRead {
  source(source: ImportSource): ImportSource;
}

/** @param run no fingerprint of a source is equal to it */
export function createSharedRead(run: string): SharedRead {
  const fingerprints = new Map<string, string>();
  const sharedPull = (pull: Pull, source: string): Pull => ({
    ...pull,
    async fingerprint(query, options) {
      const key = JSON.stringify([source, query.sql]);
      const known = fingerprints.get(key) ?? (await pull.fingerprint?.(query, options)) ?? run;
      fingerprints.set(key, known);
      return known;
    },
    async load(query, table, { cached: _, ...options }) {
      // Marks would have a later build ask for newer rows.
      const { marks: __, ...loaded } = await pull.load(query, table, options);
      return loaded;
    },
  });
  return {
    source: (source) => {
      const { connector, name } = source;
      const openPull: Connector['openPull'] = async (staging, options) =>
        sharedPull(await connector.openPull(staging, options), name);
      return { ...source, connector: { ...connector, openPull } };
    },
  };
}
