/** The costs of a statement on the nodes of a cluster. */
export interface StatementCosts {
  /** Its text without the parts that differ between runs. */
  readonly form: string;
  /** Processor time of its tasks. */
  readonly seconds: number;
  /** Processor time of the coordinator to plan it, which is not in `seconds`. */
  readonly planningSeconds: number;
  /**
   * Peak memory: the largest sum over a node of its tasks' peaks. Trino's peak of a statement is a sample: the coordinator
   * adds up what tasks report when they begin and end, and about once a second.
   */
  readonly peakBytes: number;
  /** Bytes that its stages sent to each other. */
  readonly shuffledBytes: number;
  readonly stages: number;
}

interface QueryInfo {
  readonly queryId: string;
  readonly query: string;
  readonly session: { readonly source?: string };
  readonly queryStats: Readonly<Record<'createTime' | 'totalCpuTime' | 'internalNetworkInputDataSize', string>>;
}

/** Of one statement, if it has stages. */
interface QueryDetails {
  readonly queryStats: { readonly planningCpuTime: string };
  readonly outputStage?: Stage;
}

interface Stage {
  readonly tasks: readonly {
    readonly taskStatus: { readonly nodeId: string };
    readonly stats: { readonly peakUserMemoryReservation: string };
  }[];
  /** Which it gets its rows of. */
  readonly subStages: readonly Stage[];
}

/** The headers of statements by hand, in a schema of the catalog `lake`. */
export function byHand(schema: string): Readonly<Record<string, string>> {
  return { 'x-trino-source': 'by-hand', 'x-trino-catalog': 'lake', 'x-trino-schema': schema };
}

/** The costs of all statements of a source that began after a time; a coordinator remembers them for 15 minutes. */
export async function statementCosts(
  { port }: { readonly port: number },
  source: string,
  begun: Date,
): Promise<readonly StatementCosts[]> {
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}/v1/${path}`, { headers: { 'x-trino-user': 'admin' } })).json();
  const queries = (await read('query')) as readonly QueryInfo[];
  const own = queries.filter(
    ({ session, queryStats }) => session.source === source && new Date(queryStats.createTime) >= begun,
  );
  const costs: StatementCosts[] = [];
  for (const { queryId, query, queryStats } of own) {
    const { outputStage, queryStats: details } = (await read(`query/${queryId}`)) as QueryDetails;
    const stages = outputStage ? stagesFrom(outputStage) : [];
    costs.push({
      form: query.replaceAll(/"\w+"\."\w+"\./gu, '').replaceAll(/\d+/gu, '0'),
      seconds: secondsOf(queryStats.totalCpuTime),
      planningSeconds: secondsOf(details.planningCpuTime),
      peakBytes: peakOf(stages),
      shuffledBytes: bytesOf(queryStats.internalNetworkInputDataSize),
      stages: stages.length,
    });
  }
  return costs;
}

function stagesFrom(stage: Stage): readonly Stage[] {
  return [stage, ...stage.subStages.flatMap(stagesFrom)];
}

function peakOf(stages: readonly Stage[]): number {
  const ofNodes = new Map<string, number>();
  for (const { taskStatus, stats } of stages.flatMap(({ tasks }) => tasks)) {
    const held = ofNodes.get(taskStatus.nodeId) ?? 0;
    ofNodes.set(taskStatus.nodeId, held + bytesOf(stats.peakUserMemoryReservation));
  }
  return Math.max(0, ...ofNodes.values());
}

const secondsOfUnit: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** Of a duration of Trino, such as `1.25m`. */
function secondsOf(text: string): number {
  const [, number, unit = ''] = /^([\d.]+)(\w+)$/u.exec(text) ?? [];
  const factor = secondsOfUnit[unit];
  if (factor === undefined) throw new Error(`${text} is no duration.`);
  return Number(number) * factor;
}

/** Of a size of Trino, which it writes in bytes. */
function bytesOf(text: string): number {
  const [, number] = /^(\d+)B$/u.exec(text) ?? [];
  if (number === undefined) throw new Error(`${text} is no size in bytes.`);
  return Number(number);
}
