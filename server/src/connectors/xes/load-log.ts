import { fineTimesWarning } from '../log-file/fine-times-warning.ts';
import type { XesNotes } from '../../event-logs/xes/xes-log.ts';
import { readXesLog } from '../../event-logs/xes/read-xes.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import type { DuckDbSession, StatementOptions } from '../../store/duckdb-store.ts';
import type { LogFileConfig } from '../log-file/log-file-settings.ts';
import { brokenLog } from '../log-file/log-file-error.ts';
import type { LogLoader } from '../log-file/log-tables.ts';
import { xesObjects } from './log-objects.ts';
import { readXesShape } from './read-shape.ts';
import { caseGraph } from './case-graph.ts';

/** Reads an XES log. Rejects when the file breaks the rules of XES, or has no times. */
export const loadXesLog: LogLoader = async (config, database, folder, signal) => {
  const notes = await readXesLog(config.file, database, folder, signal);
  await database.run(`SET TimeZone = ${embeddedLiteral(config.timeZone)}`, { signal });
  await assertTimes(config, database, { signal });
  const warnings = [
    ...(await timeWarnings(config, database, { signal })),
    ...(await fineTimesWarning(database, logTimes, { signal })).map((said) => `Data source ${config.name}: ${said}`),
  ];
  const shape = await readXesShape(database, { signal });
  return {
    tables: xesObjects(config.file, shape),
    warnings: [...warnings, ...idWarnings(config, shape.hasNames), ...noteWarnings(config, notes)],
    graph: caseGraph(shape),
  };
};

const timeName = 'time:timestamp';

const timesOf = (kind: 'event' | 'trace'): string =>
  `SELECT held.value, '${kind} in line ' || own.line AS place FROM ${kind}_value AS held
   JOIN ${kind} AS own ON own.position = held.owner WHERE type = 'date'`;
const logTimes = `${timesOf('trace')} UNION ALL ${timesOf('event')}`;

async function assertTimes(config: LogFileConfig, database: DuckDbSession, options: StatementOptions): Promise<void> {
  for (const kind of ['event', 'trace'] as const) {
    const [row] = await database.query(
      `SELECT held.name, held.value, own.line FROM ${kind}_value AS held JOIN ${kind} AS own ON own.position = held.owner
       WHERE type = 'date' AND TRY_CAST(value AS TIMESTAMPTZ) IS NULL ORDER BY own.line LIMIT 1`,
      options,
    );
    if (!row) continue;
    const said = `the ${kind} that begins here has "${String(row['value'])}" as ${String(row['name'])}, which is not a time.`;
    throw brokenLog(config, said, { line: Number(row['line']) });
  }
  const [found] = await database.query(
    `SELECT count(*) AS events, (SELECT count(*) FROM event_value WHERE name = '${timeName}' AND type = 'date') AS times FROM event`,
    options,
  );
  if (Number(found?.['events'] ?? 0) === 0) return;
  if (Number(found?.['times'] ?? 0) > 0) return;
  throw brokenLog(config, `no event of the log has a time: there is no attribute <date key="${timeName}" …/>.`, {
    remedy: 'Export the log with times: without them, the order of events is unknown.',
  });
}

/** Events without time are rows without start. */
async function timeWarnings(
  { file, name }: LogFileConfig,
  database: DuckDbSession,
  options: StatementOptions,
): Promise<readonly string[]> {
  const [row] = await database.query(
    `SELECT count(*) AS events, min(line) AS line FROM event
     ANTI JOIN (SELECT owner FROM event_value WHERE name = '${timeName}' AND type = 'date') AS timed ON timed.owner = position`,
    options,
  );
  const count = Number(row?.['events'] ?? 0);
  if (count === 0) return [];
  const [which, so] = count === 1 ? ['1 event has', 'it is no event'] : [`${count} events have`, 'they are no events'];
  const line = Number(row?.['line']);
  return [`Data source ${name}: ${which} no ${timeName}, the first in line ${line} of ${file}: ${so} of a graph.`];
}

function idWarnings({ name }: LogFileConfig, hasNames: boolean): readonly string[] {
  if (hasNames) return [];
  return [
    `Data source ${name}: not every trace has a concept:name of its own, so trace_id is the position of the trace in the file.`,
  ];
}

function noteWarnings({ name }: LogFileConfig, { missing, withoutKey }: XesNotes): readonly string[] {
  const warnings: string[] = [];
  if (missing) {
    const { count, what, line } = missing;
    const values = count === 1 ? '1 value is' : `${count} values are`;
    warnings.push(`${values} NaN, infinite or empty and counted as missing, the first in line ${line}: ${what}.`);
  }
  if (withoutKey) {
    const { count, line } = withoutKey;
    const attributes = count === 1 ? '1 attribute of the log itself is' : `${count} attributes of the log itself are`;
    warnings.push(`${attributes} left out, having no key, the first in line ${line}.`);
  }
  return warnings.map((warning) => `Data source ${name}: ${warning}`);
}
