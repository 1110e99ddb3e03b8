import type { ProblemFix } from '../../../../protocol/graph-view.ts';
import type { IntentEdits } from '../../../../protocol/canvas-intents.ts';
import type { Outcome, TextRange } from '../../../../protocol/query-results.ts';
import { inCanvasWords } from '../../language/canvas-words.ts';
import type { Fix } from '../../language/quick-fixes/quick-fix.ts';
import type { ValidatedGraph } from '../diagnostics/validated-graphs.ts';
import type { LanguageServer } from '../language-server.ts';
import type { GraphRequests } from './request-handlers.ts';

/** The quick fixes of problems that the canvas shows. They are computed on request, because each proves its edits. */
export function createFixRequests(
  server: Pick<LanguageServer, 'validatedGraphs'>,
): Pick<GraphRequests, 'entityGraph/problemFixes' | 'entityGraph/fixProblem'> {
  return {
    async 'entityGraph/problemFixes'({ uri, range, message }) {
      const found = await findFixes(server, uri, range, message);
      return (found?.fixes ?? []).map(({ title, preferred }): ProblemFix => ({
        title,
        ...(preferred === true ? { preferred } : {}),
      }));
    },
    async 'entityGraph/fixProblem'({ uri, range, message, title }): Promise<Outcome<IntentEdits>> {
      const found = await findFixes(server, uri, range, message);
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
  { start }: TextRange,
  message: string,
): Promise<{ readonly document: ValidatedGraph['document']; readonly fixes: readonly Fix[] } | undefined> {
  const { fixesOf } = await import('../../language/quick-fixes/index.ts');
  const diagnosed = await validatedGraphs.of(uri);
  if (!diagnosed) return undefined;
  const { document, known, problems } = diagnosed;
  const offset = document.lines.offset(start);
  // A problem further up may have moved it: then the words identify it.
  const same = problems.filter((problem) => inCanvasWords(problem.message) === message);
  const problem = same.find(({ range }) => range.start === offset) ?? same[0];
  // The canvas is open already.
  const fixes = problem ? fixesOf(problem, known).filter(({ command }) => command === undefined) : [];
  return { document, fixes };
}
