import { basename } from 'node:path';
import { mayHaveRun } from '../../connectors/http/refused-request.ts';
import { SourceError, isSourceError } from '../../connectors/source-error.ts';
import type { RequestedAction } from '../../connectors/source-writer.ts';

interface Write {
  readonly signal?: AbortSignal | undefined;
  /** What to check before repeating it: one sentence. */
  readonly look: string;
}

/** Runs a write. Rejects with `outcome-unknown` when it failed or was cancelled and may have been carried out. */
export async function knownOutcome<T>({ signal, look }: Write, write: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await write();
  } catch (error) {
    if (signal?.aborted) throw outcomeUnknown('Cancelled while it was under way.', look, error);
    if (!isSourceError(error) || !mayHaveRun(error)) throw error;
    throw outcomeUnknown(error.message, look, error);
  }
}

export function isOutcomeUnknown(error: unknown): boolean {
  return isSourceError(error) && error.code === 'outcome-unknown';
}

/** An action with a single write. */
type SingleWrite = Exclude<RequestedAction, { kind: 'stage rows' | 'list attachments' | 'download attachment' }>;

/** What to check before repeating it. */
export function whereToCheck(action: SingleWrite): string {
  switch (action.kind) {
    case 'create record':
      return `Look for the record in ${action.table} before you create it again.`;
    case 'update record':
      return `Look at the record ${action.id} of ${action.table} before you change it again.`;
    case 'delete record':
      return `Look whether ${action.table} still has the record ${action.id} before you delete it again.`;
    case 'upload attachment':
      return `List the attachments of ${action.id} of ${action.table} before you attach ${basename(action.file)} again.`;
    case 'delete attachment':
      return `Look whether the attachment ${action.attachment} is still there before you delete it again.`;
    case 'call endpoint':
      return `Find out what ${action.method} /api/${action.path.replace(/^\/+/, '')} has done before you call it again.`;
  }
}

function outcomeUnknown(reason: string, look: string, cause: unknown): SourceError {
  return new SourceError('outcome-unknown', `${reason} It may have been carried out all the same.`, {
    remedy: look,
    cause,
  });
}
