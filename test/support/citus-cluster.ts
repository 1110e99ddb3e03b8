import { type TestPostgres, startPostgres } from './postgres.ts';

/** A real Citus on free loopback ports: a coordinator and two workers. */
export interface TestCitus {
  readonly coordinator: TestPostgres;
  readonly workers: readonly TestPostgres[];
  /** Creates an empty database on all nodes, and returns its name. */
  createDatabase(): Promise<string>;
}

/** Starts the cluster of the installation that the environment names, once for all tests of this process. */
export const sharedCitus = shareCluster();

function shareCluster(): () => Promise<TestCitus> {
  let running: Promise<TestCitus> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  afterAllFiles?.(async () => {
    // A cluster that did not start has stopped its nodes.
    const cluster = await running?.catch(() => undefined);
    if (cluster) await stopNodes([cluster.coordinator, ...cluster.workers]);
  });
  return () => (running ??= startCitus());
}

async function startCitus(): Promise<TestCitus> {
  const installation = process.env['ENTITY_GRAPH_CITUS'];
  if (!installation) throw new Error('ENTITY_GRAPH_CITUS must name the folder of a PostgreSQL with Citus.');
  const settings = {
    shared_preload_libraries: 'citus',
    max_connections: '200',
    shared_buffers: '128MB',
    'citus.shard_count': '8',
    'citus.node_conninfo': 'sslmode=disable',
  };
  const start = (): Promise<TestPostgres> => startPostgres({ installation, settings });
  const nodes = await startNodes([start, start, start]);
  const [coordinator, ...workers] = nodes as [TestPostgres, ...TestPostgres[]];
  return {
    coordinator,
    workers,
    async createDatabase() {
      const name = await coordinator.createDatabase();
      for (const worker of workers) await worker.createDatabase(name);
      for (const node of nodes) await node.query(name, 'CREATE EXTENSION citus');
      const { host, port } = coordinator;
      await coordinator.query(name, 'SELECT citus_set_coordinator_host($1, $2)', [host, port]);
      for (const worker of workers) {
        await coordinator.query(name, 'SELECT citus_add_node($1, $2)', [worker.host, worker.port]);
      }
      return name;
    },
  };
}

/** Starts nodes, one after the other. Where one does not start, those that did are stopped. */
export async function startNodes(starts: readonly (() => Promise<TestPostgres>)[]): Promise<readonly TestPostgres[]> {
  const nodes: TestPostgres[] = [];
  try {
    for (const start of starts) nodes.push(await start());
    return nodes;
  } catch (error) {
    await stopNodes(nodes);
    throw error;
  }
}

async function stopNodes(nodes: readonly TestPostgres[]): Promise<void> {
  for (const node of nodes) await node.stop();
}
