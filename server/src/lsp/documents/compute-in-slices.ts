import type { Steps } from '../../model/steps.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import { createTimeSlices } from '../../project/time-slices.ts';
import { unlessAborted } from '../request-guard.ts';

/**
 * Computes an answer about a whole document in time slices, and restarts for a newer version. Undefined when the
 * document was closed; rejects on cancellation.
 */
export async function computeInSlices<Answer>(
  documents: Pick<OpenDocuments, 'get' | 'whenRead'>,
  uri: string,
  signal: AbortSignal,
  work: (document: OpenDocument) => Steps<Answer>,
): Promise<Answer | undefined> {
  const slices = createTimeSlices();
  const latest = () => unlessAborted(documents.whenRead(uri), signal);
  for (let document = await latest(); document; document = await latest()) {
    const steps = work(document);
    for (let isLatest = true; isLatest; isLatest = documents.get(uri) === document) {
      const { done, value } = steps.next();
      if (done) return value;
      if (!slices.isTimeUp()) continue;
      await slices.pause();
      signal.throwIfAborted();
    }
  }
  return undefined;
}
