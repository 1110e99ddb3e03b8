import type { FindingsAnswer } from '../../../../protocol/findings.ts';
import { englishMapWords } from '../../../../protocol/map-words.ts';
import { readRunNotes } from '../../event-graph/read-run-notes.ts';
import { runNotesText } from '../../event-graph/run-notes-text.ts';
import { acceptFindings } from '../../findings/accepted-findings.ts';
import { findFindings } from '../../findings/find-findings.ts';
import { acceptedFindings } from '../../model/accepted-entry.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import { graphMemoryLimit, openCodedGraphStore } from './open-graph-store.ts';
import { storedGraph } from './stored-graph.ts';

/**
 * What is odd in the data of the imported graph of an entity graph. Rejects with an `OperationError`: `not-imported`, or
 * `graph-in-source` for a graph inside its source.
 */
export async function findGraphFindings(
  path: string,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<FindingsAnswer> {
  const file = await readGraphFile(path, projectContext);
  const store = await openCodedGraphStore(await storedGraph(file, projectContext), { memoryLimit: graphMemoryLimit });
  const options = { signal };
  try {
    await lockDatabase(store, { files: [], folders: [] });
    const notes = runNotesText(await readRunNotes(store, options), englishMapWords);
    const accepted = acceptedFindings(parseEntityGraph(file.text).graph.accepted);
    return { ...acceptFindings(await findFindings(store, options), accepted), notes };
  } finally {
    await store.close();
  }
}
