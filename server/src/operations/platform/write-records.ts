import { basename } from 'node:path';
import type { ActionResult, PlatformAction, StagedRowOutcome } from '../../../../protocol/platform-actions.ts';
import { FileError } from '../../files/file-error.ts';
import { isRefusedRequest } from '../../connectors/http/refused-request.ts';
import { type SourceError, isSourceError } from '../../connectors/source-error.ts';
import {
  type RecordKey,
  type RecordWriter,
  type RequestedAction,
  type WriteOptions,
  isUnknownTable,
} from '../../connectors/source-writer.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { acquireLock, ownerText } from '../../state/import-lock.ts';
import type { ActionOptions } from './action-options.ts';
import { type RecordIds, readRecordIds } from './record-ids.ts';
import { isOutcomeUnknown, knownOutcome, whereToCheck } from './unknown-outcome.ts';
import { type WriteJournal, type WriteState, journalPath, openJournal, readJournal } from './write-journal.ts';

/** A bulk write action on a list of records. */
export type WriteRecords = Extract<PlatformAction, { kind: 'update records' | 'delete records' }>;

type SingleRecord = Extract<RequestedAction, { kind: 'update record' | 'delete record' }>;

interface WriteTarget {
  /** The address of the source. */
  readonly instance: string;
  /** The key of its records. */
  readonly key: RecordKey;
}

/** Summary of a list before anything is sent. */
interface WritePlan {
  /** The request of the first record. */
  readonly first: SingleRecord;
  readonly total: number;
  /** Number of records to send. */
  readonly open: number;
  /** Records of earlier runs with an unknown outcome: sent again on request only. */
  readonly unknown: number;
  readonly warnings: readonly string[];
}

export async function planWrites(
  action: WriteRecords,
  { instance, key }: WriteTarget,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): Promise<WritePlan> {
  const list = await readRecordIds(action.ids, key, projectContext, signal);
  const path = pathOf(action, instance);
  const states = await readJournal(path);
  const open = openIds(list, states, action);
  const unknown = list.ids.filter((id) => states.get(id)?.state === 'unknown').length;
  const first = single(action, open[0] ?? list.ids[0] ?? '');
  const journal = basename(path);
  const warnings = [
    ...(list.repeated > 0
      ? [`${basename(action.ids)} names ${many(list.repeated)} more than once: each is sent once.`]
      : []),
    ...(states.size > 0
      ? [`An earlier run got as far as ${journal} tells: this one goes on from there. Delete that file to start over.`]
      : []),
    ...(unknown > 0 ? [unknownWarning(unknown, action)] : []),
  ];
  return { first, total: list.ids.length, open: open.length, unknown, warnings };
}

function unknownWarning(count: number, { repeatUnknown = false }: WriteRecords): string {
  const whose = `The outcome of ${many(count)} of an earlier run is not known`;
  return repeatUnknown
    ? `${whose}: they are sent again, though they may have been written.`
    : `${whose}: they are not sent again. Look at them first, then send them with --repeat-unknown (Send Again).`;
}

/**
 * Writes the records of a list one after another. A journal beside the list allows the same action to resume; records
 * with an unknown outcome are written again on request only.
 */
export async function writeRecords(
  writer: RecordWriter,
  action: WriteRecords,
  { instance, key }: WriteTarget,
  projectContext: ProjectContext,
  { signal, onProgress }: ActionOptions,
): Promise<ActionResult> {
  const list = await readRecordIds(action.ids, key, projectContext, signal);
  const path = pathOf(action, instance);
  const lock = await acquireLock(`${path}.lock`, { signal, mayNotWait: true });
  if (lock.kind === 'busy') {
    throw new FileError(
      'file-in-use',
      `The records of ${action.ids} are being written already, by ${ownerText(lock.owner)}.`,
      {
        file: action.ids,
        remedy: 'Wait until it has ended.',
      },
    );
  }
  try {
    const journal = await openJournal(path);
    const run: Run = { writer, action, journal, options: { signal, onWait: (_, reason) => onProgress?.(reason) } };
    try {
      const open = openIds(list, journal.states, action);
      const { stopped, sent, warnings } = await sendAll(run, open, onProgress);
      const isFinished = list.ids.every((id) => ['done', 'missing'].includes(journal.states.get(id)?.state ?? ''));
      if (isFinished) await journal.remove();
      return resultOf({ action, list, journal, sent, stopped, warnings, isFinished, signal });
    } finally {
      await journal.close().catch(() => undefined);
    }
  } finally {
    await lock.release();
  }
}

interface Run {
  readonly writer: RecordWriter;
  readonly action: WriteRecords;
  readonly journal: WriteJournal;
  readonly options: WriteOptions;
}

interface Sent {
  /** Records written by this run. */
  readonly sent: number;
  /** Why the others were not sent. */
  readonly stopped: string | undefined;
  readonly warnings: ReadonlyMap<string, number>;
}

/** Number of consecutive rejections that stops the run: the user may have no permission. */
const maxRefusals = 10;

/** Maximum number of distinct warnings: business rules may change every record differently. */
const maxWarnings = 20;

async function sendAll(run: Run, ids: readonly string[], onProgress: ActionOptions['onProgress']): Promise<Sent> {
  const { action, journal, options } = run;
  const warnings = new Map<string, number>();
  let sent = 0;
  let refusals = 0;
  for (const [index, id] of ids.entries()) {
    if (options.signal?.aborted) return { sent, stopped: 'Cancelled', warnings };
    onProgress?.(`${index + 1} of ${ids.length}`);
    await journal.begin(id);
    try {
      for (const warning of await sendOne(run, single(action, id))) {
        if (warnings.has(warning) || warnings.size < maxWarnings)
          warnings.set(warning, (warnings.get(warning) ?? 0) + 1);
      }
      await journal.ended(id, { state: 'done' });
      sent += 1;
      refusals = 0;
    } catch (error) {
      if (!isSourceError(error)) {
        if (!options.signal?.aborted) throw error;
        await journal.ended(id, { state: 'refused', message: 'Cancelled before it was sent.' });
        return { sent, stopped: 'Cancelled', warnings };
      }
      const state = stateOf(error);
      await journal.ended(id, { state, message: error.message });
      refusals = state === 'refused' ? refusals + 1 : 0;
      if (!isOfRecord(error, state) || refusals >= maxRefusals)
        return { sent, stopped: options.signal?.aborted ? 'Cancelled' : error.message, warnings };
    }
  }
  return { sent, stopped: undefined, warnings };
}

/** Whether a failure may concern one record only, so that others are tried. */
function isOfRecord(error: SourceError, state: WriteState['state']): boolean {
  if (state === 'missing') return true;
  return state === 'refused' && isRefusedRequest(error) && error.code !== 'authentication-failed';
}

function stateOf(error: SourceError): WriteState['state'] {
  if (isOutcomeUnknown(error)) return 'unknown';
  return error.code === 'object-missing' && !isUnknownTable(error) ? 'missing' : 'refused';
}

/** Writes one record; resolves to ignored fields. */
async function sendOne({ writer, options }: Run, action: SingleRecord): Promise<readonly string[]> {
  const write = { signal: options.signal, look: whereToCheck(action) };
  const { table, id } = action;
  if (action.kind === 'delete record') {
    await knownOutcome(write, () => writer.remove(table, id, options));
    return [];
  }
  const { warnings } = await knownOutcome(write, () => writer.update(table, id, action, options));
  return warnings;
}

/** The action on one of the records. */
function single(action: WriteRecords, id: string): SingleRecord {
  const { table } = action;
  if (action.kind === 'delete records') return { kind: 'delete record', table, id };
  const { values, inputDisplayValue } = action;
  return { kind: 'update record', table, id, values, inputDisplayValue };
}

function pathOf(action: WriteRecords, instance: string): string {
  const fields = action.kind === 'update records' ? [action.values, action.inputDisplayValue ?? false] : [];
  return journalPath(action.ids, [action.kind, instance, action.table, ...fields]);
}

/** The remaining records. */
function openIds(
  { ids }: RecordIds,
  states: ReadonlyMap<string, WriteState>,
  { repeatUnknown = false }: WriteRecords,
): readonly string[] {
  return ids.filter((id) => {
    const state = states.get(id)?.state;
    return state === undefined || state === 'refused' || (state === 'unknown' && repeatUnknown);
  });
}

interface Written extends Sent {
  readonly action: WriteRecords;
  readonly list: RecordIds;
  readonly journal: WriteJournal;
  readonly isFinished: boolean;
  readonly signal: AbortSignal | undefined;
}

function resultOf({ action, list: { ids }, journal, sent, stopped, warnings, isFinished }: Written): ActionResult {
  const { path, states } = journal;
  const count = (state: WriteState['state']): number => ids.filter((id) => states.get(id)?.state === state).length;
  const [done, missing, refused, unknown] = [count('done'), count('missing'), count('refused'), count('unknown')];
  const unsent = ids.length - done - missing - refused - unknown;
  const written = action.kind === 'delete records' ? 'deleted' : 'updated';
  const parts = [
    ...(done > sent ? [`${done - sent} of them by an earlier run`] : []),
    ...(missing > 0 ? [`${missing} not there`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unknown > 0 ? [`${unknown} with an unknown outcome`] : []),
    ...(unsent > 0 ? [`${unsent} not sent`] : []),
  ];
  const list = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  const why = stopped === undefined ? '' : ` No further record was sent: ${stopped.replace(/\.$/, '')}.`;
  const onwards = isFinished ? '' : ` Progress is in ${basename(path)}: the same action goes on from there.`;
  const rows = ids.flatMap((id, index): readonly StagedRowOutcome[] => {
    const found = states.get(id);
    if (!found || found.state === 'done') return [];
    const status = found.state === 'refused' ? 'error' : found.state;
    return [
      {
        row: index + 1,
        status,
        table: action.table,
        record: id,
        message: found.message,
      },
    ];
  });
  return {
    summary: `${done} of ${many(ids.length)} of ${action.table} ${done === 1 ? 'is' : 'are'} ${written}${list}.${why}${onwards}`,
    rows: rows.length > 0 ? rows : undefined,
    warnings: warnings.size > 0 ? [...warnings].map(([text, times]) => `${text} (${many(times)})`) : undefined,
    stopped: stopped !== undefined || unsent > 0 ? true : undefined,
  };
}

function many(count: number): string {
  return `${count} ${count === 1 ? 'record' : 'records'}`;
}

/** Description of an action, with the number of records. */
export function writeSummary(action: WriteRecords, host: string, { total, open }: WritePlan): string {
  const what = action.kind === 'delete records' ? 'Deletes' : `Changes ${Object.keys(action.values).join(', ')} of`;
  const rest = open === total ? '' : ` (${total - open} of ${total} are left out)`;
  const shown = open > 1 ? ' The request is shown with the first of them.' : '';
  return open === 0
    ? `Nothing is left to send: ${many(total)} of ${basename(action.ids)} were sent by an earlier run.`
    : `${what} ${many(open)} of ${action.table} at ${host}, those of ${basename(action.ids)}${rest}, one by one.${shown}`;
}
