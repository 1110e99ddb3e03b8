import { basename } from 'node:path';
import { firstBytes } from '../../event-logs/log-bytes.ts';
import { type CheckResult, runLogChecks } from '../../event-logs/log-check.ts';
import { checksBeforeReading } from '../../event-logs/ocel/log-checks.ts';
import {
  isOcelOne,
  leftOut,
  ocelFormOf,
  ocelOneRemedy,
  ocelReaders,
  tellingBytes,
  unreadable,
} from '../../event-logs/ocel/read-log.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import type { LogFileConfig } from '../log-file/log-file-settings.ts';
import { brokenLog } from '../log-file/log-file-error.ts';
import type { LogLoader } from '../log-file/log-tables.ts';
import type { SourceError } from '../source-error.ts';
import { logObjects } from './log-objects.ts';
import { readShape } from './read-shape.ts';
import { examplesText, readWarnings } from './log-warnings.ts';
import { wholeGraph } from './whole-graph.ts';

/** Reads an OCEL 2.0 file of any of its three forms. Rejects when the file breaks rules without which it cannot be read as tables. */
export const loadOcelLog: LogLoader = async (config, database, folder, signal) => {
  const begin = await firstBytes(config.file, tellingBytes);
  const form = ocelFormOf(begin);
  if (!form)
    throw brokenLog(config, 'the file is not an OCEL 2.0 log: it is neither JSON nor XML nor an SQLite database.');
  if (isOcelOne(begin)) {
    throw brokenLog(config, 'the file is a log of OCEL 1.0, and only OCEL 2.0 is read.', { remedy: ocelOneRemedy });
  }
  const log = await ocelReaders[form](config.file, database, folder, signal);
  assertReadable(config, unreadable(log));
  await database.run(`SET TimeZone = ${embeddedLiteral(config.timeZone)}`, { signal });
  const broken = await runLogChecks(database, checksBeforeReading(), signal);
  assertReadable(
    config,
    broken.filter(({ ok }) => !ok),
  );
  const shape = await readShape(database, form !== 'ocel-sqlite', { signal });
  const warnings = await readWarnings(database, leftOut(log), { signal });
  return {
    tables: logObjects(config.file, shape),
    warnings: warnings.map((warning) => `Data source ${config.name}: ${warning}`),
    graph: wholeGraph(shape),
  };
};

/** Throws the first violation, with examples that name the place. */
function assertReadable(config: LogFileConfig, [first, ...others]: readonly CheckResult[]): void {
  if (!first) return;
  throw violation(config, first, others.length);
}

function violation(config: LogFileConfig, broken: CheckResult, others: number): SourceError {
  const more = others === 0 ? '' : ` ${others} more ${others === 1 ? 'rule is' : 'rules are'} broken.`;
  return brokenLog(config, `the file breaks a rule of OCEL 2.0. ${examplesText(broken)}${more}`, {
    remedy: `Correct the file, or export it again; "entity-graph check ${basename(config.file)}" lists everything that is wrong.`,
  });
}
