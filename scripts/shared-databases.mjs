import { root } from './paths.mjs';
import { endWithin, startGroup } from './process-group.mjs';

/** Time limit to stop the servers and to delete their data, in seconds. */
const secondsToEnd = 60;

/**
 * Starts the program that has one PostgreSQL and one MariaDB for all test processes, and sets the variable of the
 * environment by which they find it (`test/support/server-of-run.ts`). A server starts on the first request for it.
 * @returns {Promise<{ stop(): Promise<void> }>} `stop` deletes the data of the servers.
 */
export async function startSharedDatabases() {
  const args = ['--no-warnings', '--import', 'tsx', 'test/support/serve-databases.ts'];
  const group = startGroup(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const address = await Promise.race([new Promise((resolve) => group.child.once('message', resolve)), group.ended]);
  if (typeof address !== 'string') throw new Error('The program with the databases of the tests did not start.');
  process.env.ENTITY_GRAPH_TEST_DATABASES = address;
  return {
    async stop() {
      if (group.child.connected) group.child.disconnect();
      await endWithin(group, secondsToEnd);
    },
  };
}
