import { sharedCitus } from '../support/citus-cluster.ts';
import { sourceEngineTests } from '../support/source-engine-tests.ts';

sourceEngineTests('engine: source on Citus', true, async () => {
  const { coordinator: server, createDatabase } = await sharedCitus();
  return { server, database: await createDatabase() };
});
