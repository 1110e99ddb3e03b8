import type { GivenRowsEngine } from '../../connectors/given/given-rows.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';

/** The engines of a run of tests: one for each source kind, opened by the first test that needs it. */
export interface GivenEngines {
  /** Undefined for a kind whose queries only the source can run. Rejects when the engine cannot be started. */
  engineOf(kind: SourceKind): Promise<GivenRowsEngine | undefined>;
  close(): Promise<void>;
}

export function createGivenEngines(temporaryFolder: string): GivenEngines {
  const engines = new Map<string, Promise<GivenRowsEngine | undefined>>();
  const open = async ({ givenRows }: SourceKind): Promise<GivenRowsEngine | undefined> =>
    givenRows && (await givenRows())(temporaryFolder);
  return {
    engineOf(kind) {
      const engine = engines.get(kind.name) ?? open(kind);
      engines.set(kind.name, engine);
      return engine;
    },
    async close() {
      for (const engine of engines.values()) await (await engine.catch(() => undefined))?.close();
    },
  };
}
