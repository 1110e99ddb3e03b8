import { type CodeAction, CodeActionKind, type CodeActionParams, type Command } from 'vscode-languageserver/node';
import { type VerifiedEdits, noEdits } from '../../model/edits/verified-edits.ts';
import {
  type OpenDocument,
  type OpenGraph,
  type OpenSources,
  type OpenTests,
  openGraph,
} from '../documents/open-documents.ts';
import { stillBeingRead } from '../documents/answers-while-parsing.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import type { ClientForms } from '../client-forms.ts';
import { catalogsOf } from '../sources/catalogs-of.ts';
import type { SourceCatalogs } from '../sources/source-catalogs.ts';
import { type LastFixes, createLastFixes } from './last-fixes.ts';
import { changedSince, offeredActions } from './offered-actions.ts';
import { toDiagnostic } from './to-diagnostic.ts';
import { toWorkspaceEdit } from './to-workspace-edit.ts';

/** Time limit for complete validation before fixes are offered. */
const patienceMs = 40;

/** Quick fixes and refactorings: `textDocument/codeAction` and `codeAction/resolve` */
interface CodeActions {
  readonly codeActions: RequestWork<CodeActionParams, (CodeAction | Command)[]>;
  readonly resolve: RequestWork<CodeAction, CodeAction>;
}

export function createCodeActions(server: LanguageServer): CodeActions {
  const { documents, tests, catalogs, abilities } = server;
  const lastFixes = createLastFixes();
  return {
    async codeActions({ textDocument, range, context }) {
      const { forms, extended } = abilities();
      const document = documents.get(textDocument.uri);
      if (document?.kind === 'sources') {
        const actions = await sourcesActions(document, range, context, { forms, canKeepSecrets: extended, catalogs });
        return offeredActions(actions, document, forms);
      }
      if (document?.kind === 'tests') {
        if (!wanted(context)(CodeActionKind.QuickFix)) return [];
        return offeredActions(await testsActions(document, range, { tests, forms }), document, forms);
      }
      const opened = openGraph(documents, textDocument.uri);
      return opened ? graphActions(server, lastFixes, opened, range, context) : [];
    },
    resolve: (action) => resolveChange(server, action),
  };
}

/** Quick fixes and refactorings of a graph. */
async function graphActions(
  { validatedGraphs, abilities }: LanguageServer,
  lastFixes: LastFixes,
  opened: OpenGraph,
  range: CodeActionParams['range'],
  context: CodeActionParams['context'],
): Promise<(CodeAction | Command)[]> {
  const { forms, extended, resolvesCodeActions } = abilities();
  const { fixesOf } = await import('../../language/quick-fixes/index.ts');
  const { fixAll } = await import('../../language/quick-fixes/fix-all.ts');
  const { changesAt } = await import('../../language/refactorings/index.ts');
  const wants = wanted(context);
  const place = { start: opened.lines.offset(range.start), end: opened.lines.offset(range.end) };
  // Fix all waits for complete validation; fixes at a position do not.
  const fixesAll = context.only !== undefined && wants(CodeActionKind.SourceFixAll);
  const diagnosed = await (fixesAll
    ? validatedGraphs.of(opened.uri)
    : validatedGraphs.soon(opened.uri, patienceMs, { urgent: place }));
  if (!diagnosed) return [];
  // The published message, because clients match actions to problems by it.
  const { document, known, problems: all } = diagnosed;
  const { parsed, lines, uri, version } = document;
  const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
  const here = all.filter((problem) => problem.range.start <= end && start <= problem.range.end);
  const fixes = lastFixes.of(document, known, here, fixesOf).flatMap(({ problem, fixes: own }) =>
    own
      .filter(({ command }) => extended || !command)
      .map(({ title, edits, preferred, command, target }) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [toDiagnostic(problem, document, forms)],
        isPreferred: preferred === true,
        ...(command
          ? { command: { title, command: `entityGraph.${command}`, arguments: [uri, ...(target ? [target] : [])] } }
          : { edit: toWorkspaceEdit(document, edits, forms) }),
      })),
  );
  const changes = changesAt(known, start).flatMap(({ id, title, kind, edits }): CodeAction[] => {
    if (resolvesCodeActions)
      return [{ title, kind, data: { uri, version, offset: start, change: id } satisfies ChangeData }];
    const made = wants(kind) ? edits() : undefined;
    return made && 'edits' in made ? [{ title, kind, edit: toWorkspaceEdit(document, made.edits, forms) }] : [];
  });
  const certain = fixesAll ? fixAll(parsed.yaml, all, (problem) => fixesOf(problem, known)) : noEdits;
  // Without a requested kind, clients show quick fixes and refactorings; fix all is for saving and menus.
  const offered = [...fixes, ...changes, ...fixedAll(document, certain, forms)];
  return offeredActions(
    offered.filter(({ kind }) => wants(kind ?? '')),
    document,
    forms,
  );
}

/** Adds the edit of a refactoring. */
async function resolveChange(
  { documents, contexts, abilities, tell }: LanguageServer,
  action: CodeAction,
): Promise<CodeAction> {
  const { changesAt } = await import('../../language/refactorings/index.ts');
  const { uri, version, offset, change } = (action.data ?? {}) as Partial<ChangeData>;
  if (uri !== undefined && documents.isBeingRead(uri)) tell(stillBeingRead(uri).message);
  const document = uri === undefined ? undefined : openGraph(documents, uri);
  // Some clients resolve what they already have.
  if (!document || offset === undefined) return action;
  if (document.version !== version) {
    tell(changedSince(action.title));
    return action;
  }
  const made = changesAt(contexts.of(document), offset)
    .find(({ id }) => id === change)
    ?.edits();
  if (made && 'edits' in made) return { ...action, edit: toWorkspaceEdit(document, made.edits, abilities().forms) };
  // An action without an effect is omitted.
  if (made) tell(made.refusal);
  return action;
}

/** Quick fixes of a sources file. A secret is moved only if the client can store it. */
async function sourcesActions(
  document: OpenSources,
  range: CodeActionParams['range'],
  context: CodeActionParams['context'],
  {
    forms,
    canKeepSecrets,
    catalogs,
  }: { readonly forms: ClientForms; readonly canKeepSecrets: boolean; readonly catalogs: SourceCatalogs },
): Promise<CodeAction[]> {
  const { fixAll } = await import('../../language/quick-fixes/fix-all.ts');
  const { validateDataSources } = await import('../../language/validation/validate-graph.ts');
  const { fixesOfSources } = await import('../../language/quick-fixes/sources-fixes.ts');
  const { clientAuthenticationFixes } = await import('../../language/quick-fixes/client-authentication.ts');
  const { lines, parsed, text, uri } = document;
  const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
  const wants = wanted(context);
  const known = catalogsOf(document, catalogs);
  const all = validateDataSources({ text, parsed, catalogs: known });
  const certain =
    context.only && wants(CodeActionKind.SourceFixAll)
      ? fixAll(parsed.yaml, all, (problem) => fixesOfSources(problem, parsed, known))
      : noEdits;
  const fixes = all
    .filter((problem) => problem.range.start <= end && start <= problem.range.end)
    .flatMap((problem) =>
      fixesOfSources(problem, parsed, known)
        .filter(({ secret }) => canKeepSecrets || !secret)
        .map(({ title, edits, preferred, secret }) => ({
          title,
          kind: CodeActionKind.QuickFix,
          diagnostics: [toDiagnostic(problem, document, forms)],
          edit: toWorkspaceEdit(document, edits, forms),
          isPreferred: preferred === true,
          ...(secret
            ? {
                command: {
                  title,
                  command: 'entityGraph.setSecret',
                  arguments: [secret.name, secret.value, { uri, dataSource: secret.source }],
                },
              }
            : {}),
        })),
    );
  const logins = clientAuthenticationFixes(parsed, start).map(({ title, edits }): CodeAction => {
    return { title, kind: CodeActionKind.QuickFix, edit: toWorkspaceEdit(document, edits, forms) };
  });
  const offered: CodeAction[] = [...fixes, ...logins, ...fixedAll(document, certain, forms)];
  return offered.filter(({ kind }) => wants(kind ?? ''));
}

/** Whether the requested action kinds include this one. */
function wanted({ only }: CodeActionParams['context']): (kind: string) => boolean {
  return (kind) => only?.some((each) => kind === each || kind.startsWith(`${each}.`)) ?? true;
}

function fixedAll(document: OpenDocument, edits: VerifiedEdits, forms: ClientForms): readonly CodeAction[] {
  if (edits.length === 0) return [];
  const edit = toWorkspaceEdit(document, edits, forms);
  return [{ title: 'Fix all that is certain', kind: CodeActionKind.SourceFixAll, edit }];
}

/** Data to resolve an offered action. */
interface ChangeData {
  readonly uri: string;
  readonly version: number;
  readonly offset: number;
  /** The id of the refactoring at this position. */
  readonly change: string;
}

/** Quick fixes of a test file. No I/O. */
async function testsActions(
  document: OpenTests,
  range: CodeActionParams['range'],
  { tests, forms }: Pick<LanguageServer, 'tests'> & { readonly forms: ClientForms },
): Promise<CodeAction[]> {
  const { graphTestProblems } = await import('../../graph-tests/test-problems.ts');
  const { fixesOfYaml } = await import('../../language/quick-fixes/yaml-fixes.ts');
  const { lines, parsed } = document;
  const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
  const { tested, problems } = await tests.of(document);
  return [...problems, ...graphTestProblems(parsed, tested)]
    .filter((problem) => problem.range.start <= end && start <= problem.range.end)
    .flatMap((problem) =>
      fixesOfYaml(problem, parsed.yaml).map(({ title, edits, preferred }) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [toDiagnostic(problem, document, forms)],
        edit: toWorkspaceEdit(document, edits, forms),
        isPreferred: preferred === true,
      })),
    );
}
