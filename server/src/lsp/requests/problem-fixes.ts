import type { ProblemAddress, ProblemFix } from '../../../../protocol/graph-view.ts';
import type { IntentEdits } from '../../../../protocol/canvas-intents.ts';
import type { Outcome } from '../../../../protocol/query-results.ts';
import type { Fix } from '../../language/quick-fixes/quick-fix.ts';
import type { ValidatedGraph } from '../diagnostics/validated-graphs.ts';
import type { LanguageServer } from '../language-server.ts';
import type { GraphRequests } from './request-handlers.ts';

/** The quick fixes of problems that the canvas shows. They are computed on request, because each proves its edits. */
export function createFixRequests(
  server: Pick<LanguageServer, 'validatedGraphs'>,
): Pick<GraphRequests, 'entityGraph/problemFixes' | 'entityGraph/fixProblem'> {
  return {
    async 'entityGraph/problemFixes'({ uri, ...address }) {
      const found = await findFixes(server, uri, address);
      return (found?.fixes ?? []).map(({ title, preferred }): ProblemFix => ({
        title,
        ...(preferred === true ? { preferred } : {}),
      }));
    },
    async 'entityGraph/fixProblem'({ uri, title, ...address }): Promise<Outcome<IntentEdits>> {
      const found = await findFixes(server, uri, address);
      const fix = found?.fixes.find((each) => each.title === title);
      if (!found || !fix) {
        return {
          ok: false,
          error: { code: 'edit-refused', message: 'The problem is no longer there. The file has changed.' },
        };
      }
      const { version, lines } = found.document;
      const edits = fix.edits.map(({ range: at, newText }) => ({ range: lines.range(at), newText }));
      return { ok: true, value: { version, edits } };
    },
  };
}

async function findFixes(
  { validatedGraphs }: Pick<LanguageServer, 'validatedGraphs'>,
  uri: string,
  address: ProblemAddress,
): Promise<{ readonly document: ValidatedGraph['document']; readonly fixes: readonly Fix[] } | undefined> {
  const { problemAt } = await import('../../language/graph-notes.ts');
  const { fixesOf } = await import('../../language/quick-fixes/index.ts');
  const diagnosed = await validatedGraphs.of(uri);
  if (!diagnosed) return undefined;
  const { document, known, problems } = diagnosed;
  const problem = problemAt(address, document.parsed.graph, problems);
  // The canvas is open already.
  const fixes = problem ? fixesOf(problem, known).filter(({ command }) => command === undefined) : [];
  return { document, fixes };
}
