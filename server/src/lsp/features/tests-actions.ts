import { type CodeAction, CodeActionKind, type CodeActionParams } from 'vscode-languageserver/node';
import type { OpenTests } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import { toDiagnostic } from './to-diagnostic.ts';
import { toWorkspaceEdit } from './to-workspace-edit.ts';

/** Quick fixes of a file of tests with given rows. No I/O. */
export async function testsActions(
  document: OpenTests,
  range: CodeActionParams['range'],
  { tests }: Pick<LanguageServer, 'tests'>,
): Promise<CodeAction[]> {
  const { graphTestProblems } = await import('../../graph-tests/test-problems.ts');
  const { fixesOfYaml } = await import('../../language/quick-fixes/yaml-fixes.ts');
  const { lines, parsed, uri } = document;
  const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
  const { tested, problems } = await tests.of(document);
  return [...problems, ...graphTestProblems(parsed, tested)]
    .filter((problem) => problem.range.start <= end && start <= problem.range.end)
    .flatMap((problem) =>
      fixesOfYaml(problem, parsed.yaml).map(({ title, edits, preferred }) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [toDiagnostic(problem, uri, lines)],
        edit: toWorkspaceEdit(document, edits),
        isPreferred: preferred === true,
      })),
    );
}
