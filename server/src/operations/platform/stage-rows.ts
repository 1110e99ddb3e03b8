import type {
  ActionResult,
  FieldValues,
  PlatformAction,
  StagedRowOutcome,
} from '../../../../protocol/platform-actions.ts';
import { mayHaveRun } from '../../connectors/http/refused-request.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import type { RecordWriter, StagedOutcome, StagingWait, WriteOptions } from '../../connectors/source-writer.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import type { ActionOptions } from './action-options.ts';
import { toFailure } from '../operation-error.ts';
import { readStagingRows } from './read-staging-rows.ts';

/** Rows per bulk request, because instances limit the request size. */
const bulkSize = 500;

interface StagingOptions extends ActionOptions {
  /** Interval and timeout of the polling for the result of a bulk insert. */
  readonly waiting?: StagingWait | undefined;
}

const usualWaiting: StagingWait = { everyMs: 1000, timeoutMs: 600_000 };

/**
 * Inserts rows into a staging table and reports the result of each: the state from the instance, `error` when rejected,
 * or
 * `unknown` with a remark where to look. Stops at the first failed request and on cancellation, which are not thrown
 * once something was sent, because the results so far matter.
 */
export async function stageRows(
  { staging }: RecordWriter,
  action: Extract<PlatformAction, { kind: 'stage rows' }>,
  projectContext: ProjectContext,
  { signal, onProgress, waiting = usualWaiting }: StagingOptions,
): Promise<ActionResult> {
  const stager: Stager = {
    staging,
    table: action.table,
    waiting,
    options: { signal, onWait: (_: number, reason: string) => onProgress?.(reason) },
    onProgress,
  };
  const outcomes: StagedRowOutcome[] = [];
  const { from = 1 } = action;
  let sent = 0;
  let stopped = false;
  let failure: string | undefined;
  try {
    for await (const chunk of chunks(
      readStagingRows(action.rows, projectContext, signal, from),
      action.bulk ? bulkSize : 1,
    )) {
      signal?.throwIfAborted();
      const { found, stop } = await (action.bulk ? stageAll : stageOne)(stager, chunk, sent);
      // One row may feed several transform maps.
      for (const [index, each] of found.entries()) {
        for (const outcome of each) outcomes.push(toOutcome(from + sent + index, outcome));
      }
      if (stop !== 'refused') sent += chunk.length;
      stopped = stop !== undefined;
      if (stopped) break;
      onProgress?.(`${rowCount(sent)} staged`);
    }
  } catch (error) {
    // Staged rows stay staged, so they are reported even if the source fails or the run is cancelled.
    if (outcomes.length === 0) throw error;
    stopped = true;
    failure = toFailure(error, signal).message;
  }
  const counts = new Map<string, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  const list = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  const summary = `${rowCount(sent)} staged in ${action.table}${list === '' ? '' : `: ${list}`}.`;
  if (!stopped) return { summary, rows: outcomes };
  const reason = signal?.aborted ? 'Cancelled: no further row was sent.' : 'No further row was sent.';
  const why = failure === undefined || signal?.aborted ? '' : `: ${failure}`;
  // Rows of a query may have another order next time, so it cannot be resumed.
  const next = action.rows.kind === 'file' ? { next: from + sent } : {};
  return {
    summary: `${summary} ${reason.slice(0, why === '' ? undefined : -1)}${why}`,
    rows: outcomes,
    stopped,
    ...next,
  };
}

function rowCount(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

/** Whether a row was or may have been rejected, or rows were not sent. */
export function needsReview({ rows = [], stopped = false }: ActionResult): boolean {
  return stopped || rows.some(({ status }) => ['error', 'unknown', 'missing'].includes(status));
}

interface Stager {
  readonly staging: RecordWriter['staging'];
  readonly table: string;
  readonly waiting: StagingWait;
  readonly options: WriteOptions;
  readonly onProgress: ActionOptions['onProgress'];
}

interface Staged {
  /** Results by row. */
  readonly found: readonly (readonly StagedOutcome[])[];
  /** Why sending stopped: a request was rejected, or its outcome is uncertain. */
  readonly stop?: 'refused' | 'uncertain';
}

type Stage = (stager: Stager, rows: readonly FieldValues[], sentBefore: number) => Promise<Staged>;

const stageOne: Stage = async ({ staging, table, options }, [values = {}], sentBefore) => {
  try {
    const found = await staging.insert(table, values, options);
    return { found: [found.length > 0 ? found : [unseen]] };
  } catch (error) {
    return notStaged(error, { count: 1, look: `Look at ${table} in the instance.`, sentBefore, options });
  }
};

const unseen = { status: 'unknown', message: 'The user may not read its outcome.' };

const stageAll: Stage = async (stager, rows, sentBefore) => {
  const { staging, table, options, waiting, onProgress } = stager;
  let batchId: string;
  try {
    batchId = await staging.insertMany(table, rows, options);
  } catch (error) {
    const look = `Look at the ${staging.batchNoun}s of ${table} in the instance.`;
    return notStaged(error, { count: rows.length, look, sentBefore, options });
  }
  onProgress?.(`${rowCount(sentBefore + rows.length)} sent, waiting for the ${staging.batchNoun} ${batchId}`);
  try {
    return { found: await staging.outcomes(batchId, rows.length, waiting, options) };
  } catch (error) {
    const reason = failureText(error, options, 'Cancelled before the outcome of this row was known.');
    // The rows are staged, only their results are unknown.
    const message = `${reason} Look at the ${staging.batchNoun} ${batchId} in the instance.`;
    return { found: rows.map(() => [{ status: 'unknown', message }]), stop: 'uncertain' };
  }
};

/** Staged rows stay staged: the results so far are more useful than the error alone. */
function notStaged(
  error: unknown,
  about: { readonly count: number; readonly look: string; readonly sentBefore: number; readonly options: WriteOptions },
): Staged {
  const { options, sentBefore, look } = about;
  const reason = failureText(error, options, 'Cancelled while this row was sent.');
  const uncertain = options.signal?.aborted || mayHaveRun(error);
  if (!uncertain && sentBefore === 0) throw error;
  const outcome = uncertain
    ? { status: 'unknown', message: `${reason} ${look}` }
    : { status: 'error', message: reason };
  return { found: Array.from({ length: about.count }, () => [outcome]), stop: uncertain ? 'uncertain' : 'refused' };
}

/** Why a request failed, `cancelled` after an abort. Throws other errors. */
function failureText(error: unknown, { signal }: WriteOptions, cancelled: string): string {
  if (signal?.aborted) return cancelled;
  if (!isSourceError(error)) throw error;
  return error.message;
}

function toOutcome(row: number, { status, table, recordId, message }: StagedOutcome): StagedRowOutcome {
  return {
    row,
    status,
    table,
    record: recordId,
    message,
  };
}

async function* chunks<T>(batches: AsyncIterable<readonly T[]>, size: number): AsyncGenerator<readonly T[]> {
  let open: T[] = [];
  for await (const batch of batches) {
    for (const item of batch) {
      open.push(item);
      if (open.length < size) continue;
      yield open;
      open = [];
    }
  }
  if (open.length > 0) yield open;
}
