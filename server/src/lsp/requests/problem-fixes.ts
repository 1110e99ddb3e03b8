import type { ProblemAddress, ProblemFix } from '../../../../protocol/graph-view.ts';
import type { IntentEdits } from '../../../../protocol/canvas-intents.ts';
import type { Outcome } from '../../../../protocol/query-results.ts';
import type { Fix } from '../../language/quick-fixes/quick-fix.ts';
import type { ValidatedGraph } from '../diagnostics/validated-graphs.ts';
import type { LanguageServer } from '../language-server.ts';

/** The quick fixes of a problem that the canvas shows. They are computed on request, because each proves its edits. */
export async function problemFixes(server: FixServer, at: ProblemAddress & OfFile): Promise<readonly ProblemFix[]> {
  const found = await findFixes(server, at);
  return (found?.fixes ?? []).map(({ id, fix }): ProblemFix => {
    const { title, preferred } = fix;
    return { id, title, ...(preferred === true ? { preferred } : {}) };
  });
}

/** The edits of one of them. */
export async function fixProblem(
  server: FixServer,
  { fix: id, ...at }: ProblemAddress & OfFile & { readonly fix: string },
): Promise<Outcome<IntentEdits>> {
  const found = await findFixes(server, at);
  const chosen = found?.fixes.find((each) => each.id === id);
  if (!found || !chosen) {
    const message = 'The problem is no longer there. The file has changed.';
    return { ok: false, error: { code: 'edit-refused', message } };
  }
  const { version, lines } = found.document;
  const edits = chosen.fix.edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
  return { ok: true, value: { version, edits } };
}

type FixServer = Pick<LanguageServer, 'validatedGraphs'>;

interface OfFile {
  readonly uri: string;
}

async function findFixes(
  { validatedGraphs }: FixServer,
  { uri, ...address }: ProblemAddress & OfFile,
): Promise<{ readonly document: ValidatedGraph['document']; readonly fixes: readonly FoundFix[] } | undefined> {
  const { problemAt } = await import('../../language/graph-notes.ts');
  const { fixesOf } = await import('../../language/quick-fixes/index.ts');
  const diagnosed = await validatedGraphs.of(uri);
  if (!diagnosed) return undefined;
  const { document, known, problems } = diagnosed;
  const problem = problemAt(address, document.parsed.graph, problems);
  // The canvas is open already.
  const fixes = problem ? fixesOf(problem, known).filter(({ command }) => command === undefined) : [];
  return { document, fixes: fixes.map((fix) => ({ id: editsId(fix, problem?.range.start ?? 0), fix })) };
}

interface FoundFix {
  readonly id: string;
  readonly fix: Fix;
}

/** A fix is what it does: its edits, with positions relative to the problem. */
function editsId({ edits }: Fix, at: number): string {
  return JSON.stringify(edits.map(({ range: { start, end }, newText }) => [start - at, end - start, newText]));
}
