import { basename, dirname } from 'node:path';
import { completeGraphTests } from '../../graph-tests/complete-tests.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { completeEntityGraph } from '../../language/completion/complete.ts';
import type { CompletionProposal } from '../../language/completion/completion-proposal.ts';
import { maxProposals } from '../../language/completion/fitting-proposals.ts';
import { plainInsertion } from '../../language/completion/snippet-text.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { isTestFile, listEntityFiles } from '../../project/list-entity-files.ts';
import { type ProjectContext, findSources, readGraphFile, sourcesAbove } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { openTestedGraph } from '../graph-tests/open-tested-graph.ts';
import { openKnownCatalog } from './known-catalog.ts';

type Range = ReturnType<ReturnType<typeof createLineIndex>['range']>;

/** What may stand at a place of a file, the most likely first. */
export interface CompletionAt {
  /** There are more. */
  readonly isIncomplete: boolean;
  readonly items: readonly {
    readonly label: string;
    readonly kind: CompletionProposal['kind'];
    readonly detail?: string | undefined;
    readonly documentation?: string | undefined;
    readonly insertText: string;
    /** Zero-based, as in LSP; what the text replaces. */
    readonly range: Range;
  }[];
}

/**
 * What an editor offers at a place of an entity graph or file of tests. Tables and columns are those that are known
 * already, and those of local files. Rejects with the error of the file.
 * @param place zero-based, in UTF-16 units
 */
export async function completeAt(
  path: string,
  place: { readonly line: number; readonly character: number },
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<CompletionAt> {
  const { text } = await readGraphFile(path, projectContext);
  const lines = createLineIndex(text);
  let isIncomplete = false;
  const limit = { max: maxProposals, onExceeded: () => void (isIncomplete = true) };
  const complete = isTestFile(path) ? ofTests : ofGraph;
  const proposals = await complete({ path, text, offset: lines.offset(place), limit }, projectContext, signal);
  // Others run a command of the editor.
  const items = proposals.flatMap(({ label, kind, detail, documentation, command, ...proposal }) =>
    command === undefined
      ? [
          {
            label,
            kind,
            detail,
            documentation: documentation?.plain,
            insertText: plainInsertion(proposal, text),
            range: lines.range(proposal.replace),
          },
        ]
      : [],
  );
  return { isIncomplete, items };
}

interface Place {
  readonly path: string;
  readonly text: string;
  readonly offset: number;
  readonly limit: NonNullable<Parameters<typeof completeEntityGraph>[2]>;
}

type Complete = (
  place: Place,
  projectContext: ProjectContext,
  signal: AbortSignal,
) => Promise<readonly CompletionProposal[]>;

const ofGraph: Complete = async ({ path, text, offset, limit }, projectContext, signal) => {
  const sourcesFile = await findSources(path, projectContext);
  const above = sourcesFile ? undefined : await sourcesAbove(path, projectContext);
  const parsed = await readGraphText(text);
  const known = await openKnownCatalog(parsed, sourcesFile, projectContext, { online: false, signal });
  try {
    const { catalog } = known;
    return completeEntityGraph({ parsed, sources: sourcesFile?.sources, sourcesAbove: above, catalog }, offset, limit);
  } finally {
    await known.close();
  }
};

const ofTests: Complete = async ({ path, text, offset, limit }, projectContext, signal) => {
  const file = parseGraphTests(text);
  const files = await listEntityFiles(dirname(path)).catch(() => []);
  const graphFiles = files.filter((each) => dirname(each) === dirname(path)).map((each) => basename(each));
  // Without a readable graph, its names are not known.
  const tested = await openTestedGraph(path, file, projectContext, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  return completeGraphTests(file.yaml, { tested, graphFiles }, offset, limit);
};
