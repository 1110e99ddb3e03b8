import type {
  ActionResult,
  FieldValues,
  PlatformAction,
  StagedRowOutcome,
} from '../../../protocol/platform-actions.ts';
import type { ServiceNowClient } from '../connectors/servicenow/client.ts';
import type { ImportOutcome } from '../connectors/servicenow/import-set-api.ts';
import { isSourceError } from '../connectors/source-error.ts';
import type { ProjectSurroundings } from '../project/open-project.ts';
import type { ActionOptions } from './platform-actions.ts';
import { stagingRows } from './staging-rows.ts';

/** Rows in one bulk request: instances limit the size of what they are sent. */
const bulkSize = 500;

const bulkWaiting = { everyMs: 1000, timeoutMs: 600_000 };

/** Puts rows into a staging table and tells what became of each. Stops at the first request that fails as a whole. */
export async function stageRows(
  client: ServiceNowClient,
  action: Extract<PlatformAction, { kind: 'stage rows' }>,
  surroundings: ProjectSurroundings,
  { signal, onProgress }: ActionOptions,
): Promise<ActionResult> {
  const outcomes: StagedRowOutcome[] = [];
  const options = { signal, onWait: (_: number, reason: string) => onProgress?.(reason) };
  const add = (row: number, found: readonly ImportOutcome[]): void => {
    // One row may feed several transform maps.
    for (const outcome of found) outcomes.push(toOutcome(row, outcome));
    if (found.length === 0)
      outcomes.push({ row, status: 'unknown', message: 'The user may not see what became of it.' });
  };
  let row = 0;
  const stageChunk = async (chunk: readonly FieldValues[]): Promise<void> => {
    if (action.bulk) {
      const { importSetId } = await client.importSets.insertMultiple(action.table, chunk, options);
      onProgress?.(`Waiting for the import set ${importSetId}`);
      const { rows } = await client.importSets.bulkOutcome(importSetId, bulkWaiting, options);
      for (const [index, outcome] of rows.entries()) add(row + index + 1, [outcome]);
      row += chunk.length;
      return;
    }
    for (const values of chunk) {
      add(row + 1, await client.importSets.insert(action.table, values, options));
      row += 1;
      onProgress?.(`${row} rows staged`);
    }
  };
  try {
    for await (const chunk of chunks(stagingRows(action.rows, surroundings, signal), bulkSize)) await stageChunk(chunk);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isSourceError(error) || row === 0) throw error;
    // What is staged stays staged: saying how far it came is worth more than the error alone.
    outcomes.push({ row: row + 1, status: 'error', message: `${error.message} No further row was sent.` });
  }
  const counts = new Map<string, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  const list = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return { summary: `${row} rows staged in ${action.table}${list === '' ? '' : `: ${list}`}.`, rows: outcomes };
}

/** Whether a row was not taken. */
export function isRefused({ status }: StagedRowOutcome): boolean {
  return status === 'error';
}

function toOutcome(row: number, { status, table, recordId, message }: ImportOutcome): StagedRowOutcome {
  return {
    row,
    status,
    ...(table !== undefined && { table }),
    ...(recordId !== undefined && { record: recordId }),
    ...(message !== undefined && { message }),
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
