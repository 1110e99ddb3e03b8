import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { repository } from '../../../../package.json';
import type { LineIndex } from '../../model/line-index.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { ClientForms } from '../client-forms.ts';
import { fileNameOfUri, uriOfPath } from '../file-uri.ts';

interface DiagnosedDocument {
  readonly uri: string;
  readonly lines: LineIndex;
}

/** Diagnostic source name. */
const diagnosticSource = 'entity-graph';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** Link to the rule's entry in `docs/rules.md` of the repository. */
export function rulePage(code: ProblemCode): string {
  return `${repository.url.replace(/\.git$/, '')}/blob/HEAD/docs/rules.md#${code}`;
}

/** Converts a problem of the document at `uri` to LSP; `data` carries the suggestions for quick fixes. */
export function toDiagnostic(problem: Problem, { uri, lines }: DiagnosedDocument, forms: ClientForms): Diagnostic {
  const own = problem.related?.map(({ message, range }) => ({
    message,
    location: { uri, range: lines.range(range) },
  }));
  const { elsewhere } = problem;
  const related = elsewhere
    ? [
        ...(own ?? []),
        { message: elsewhere.message, location: { uri: uriOfPath(elsewhere.file), range: elsewhere.range } },
      ]
    : own;
  // Clients without related places read them in the message.
  const places = forms.relatedInformation ? [] : (related ?? []);
  const message = [
    problem.message,
    ...places.map(({ location, message: said }) => {
      const line = location.uri === uri ? 'Line' : `${fileNameOfUri(location.uri)}, line`;
      return `${line} ${location.range.start.line + 1}: ${said}`;
    }),
  ].join('\n');
  return {
    range: lines.range(problem.range),
    severity: severities[problem.severity],
    code: problem.code,
    ...(forms.codeDescription ? { codeDescription: { href: rulePage(problem.code) } } : {}),
    source: diagnosticSource,
    message,
    ...(related && forms.relatedInformation ? { relatedInformation: related } : {}),
    ...(problem.suggestions && forms.diagnosticData ? { data: { suggestions: problem.suggestions } } : {}),
  };
}
