import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { repository } from '../../../../package.json';
import type { LineIndex } from '../../model/line-index.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';

/** The name under which problems are listed. */
const diagnosticSource = 'entity-graph';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** Where a rule is described, with an example: its entry in `docs/rules.md` as the project's repository shows it. */
export function rulePage(code: ProblemCode): string {
  return `${repository.url.replace(/\.git$/, '')}/blob/HEAD/docs/rules.md#${code}`;
}

/** A problem of the document at `uri` in the protocol's shape; `data` carries the suggestions for quick fixes. */
export function toDiagnostic(problem: Problem, uri: string, lines: LineIndex): Diagnostic {
  const related = problem.related?.map(({ message, range }) => ({
    message,
    location: { uri, range: lines.range(range) },
  }));
  return {
    range: lines.range(problem.range),
    severity: severities[problem.severity],
    code: problem.code,
    codeDescription: { href: rulePage(problem.code) },
    source: diagnosticSource,
    message: problem.message,
    ...(related ? { relatedInformation: related } : {}),
    ...(problem.suggestions ? { data: { suggestions: problem.suggestions } } : {}),
  };
}
