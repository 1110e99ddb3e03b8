import type { ExplainFailure } from './errors.ts';
import { records } from './records.ts';
import { type SessionSettings, openSession } from './session.ts';
import type { TrinoFailure } from './statement-answer.ts';

/** As `records`, in a session of its own. */
type RunRecords = (sql: string, options: Parameters<typeof records>[2]) => ReturnType<typeof records>;

/** The largest table that Trino sends whole to every node to join it there: https://trino.io/docs/476/optimizer/cost-based-optimizations.html */
const property = 'join_max_broadcast_table_size';

/**
 * Runs statements that join tables on all workers, whatever their size: without it, Trino may join a table below 100 MB on
 * the one worker that has the few rows of the other side. A setting of the data source takes precedence. Where the cluster
 * refuses the property, and where a plan then has too many stages, the cluster decides.
 */
export function spreadRecords(settings: SessionSettings): RunRecords {
  const { config, explain } = settings;
  const plain = openSession(settings);
  let mayBeSet = config.sessionProperties[property] === undefined;
  const spread = { ...config, sessionProperties: { ...config.sessionProperties, [property]: '1B' } };
  return async (sql, options) => {
    if (!mayBeSet) return records(plain, sql, options);
    let runsPlain = false;
    const noting: ExplainFailure = (failure, statement) => {
      const isRefused = refusesProperty(failure);
      if (isRefused) mayBeSet = false;
      runsPlain = isRefused || failure.errorName === 'QUERY_HAS_TOO_MANY_STAGES';
      return explain(failure, statement);
    };
    try {
      return await records(openSession({ ...settings, config: spread, explain: noting }), sql, options);
    } catch (error) {
      // Such a statement did not run.
      if (!runsPlain) throw error;
      return records(plain, sql, options);
    }
  };
}

/** Users may lack the right to set it, and distributions of Trino the property. */
function refusesProperty({ errorName, message }: TrinoFailure): boolean {
  return ['PERMISSION_DENIED', 'INVALID_SESSION_PROPERTY'].includes(errorName) && message.includes(property);
}
