import { pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type CodeLens,
  type CodeLensParams,
  type DefinitionParams,
  type DocumentHighlight,
  type DocumentHighlightParams,
  type FoldingRange,
  type FoldingRangeParams,
  type Location,
  type PrepareRenameParams,
  type PrepareRenameResult,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  LSPErrorCodes,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import type { Located } from '../model/source-range.ts';
import type { NamedThing } from '../language/names.ts';
import type { TextEdit } from '../model/edits/text-edit.ts';
import { sqlJudgeOf } from '../sql/sql-judge-of.ts';
import type { LanguageServer } from './language-server.ts';
import { lastImport } from './last-import.ts';
import type { OpenDocument, OpenGraph, OpenSources } from './open-documents.ts';
import type { RequestWork } from './request-guard.ts';
import { toDiagnostic } from './to-lsp.ts';

/** Navigation, refactoring and quick fixes; the answers come from the pure functions of `language/`. */
export interface EditingFeatures {
  readonly codeActions: RequestWork<CodeActionParams, CodeAction[]>;
  readonly resolveCodeAction: RequestWork<CodeAction, CodeAction>;
  readonly codeLenses: RequestWork<CodeLensParams, CodeLens[]>;
  readonly definition: RequestWork<DefinitionParams, Location | null>;
  readonly references: RequestWork<ReferenceParams, Location[]>;
  readonly highlights: RequestWork<DocumentHighlightParams, DocumentHighlight[]>;
  readonly prepareRename: RequestWork<PrepareRenameParams, PrepareRenameResult | null>;
  readonly rename: RequestWork<RenameParams, WorkspaceEdit | ResponseError<void>>;
  readonly folding: RequestWork<FoldingRangeParams, FoldingRange[] | null>;
}

export function createEditingFeatures(server: LanguageServer, folders: () => readonly string[]): EditingFeatures {
  const { documents, contexts, duckdbJudge, abilities } = server;
  const graphOf = (uri: string): OpenGraph | undefined => {
    const document = documents.get(uri);
    return document?.kind === 'graph' ? document : undefined;
  };

  async function named({ textDocument, position }: DefinitionParams): Promise<Named | undefined> {
    const { nameAt } = await import('../language/names.ts');
    const document = graphOf(textDocument.uri);
    const thing = document && nameAt(document.parsed.graph, document.lines.offset(position));
    return document && thing && { document, thing };
  }

  return {
    async codeActions({ textDocument, range, context }) {
      const { fixesOf } = await import('../language/quick-fixes/index.ts');
      const { fixAll } = await import('../language/quick-fixes/fix-all.ts');
      const { changesAt } = await import('../language/refactorings/index.ts');
      const { diagnoseEntityGraph } = await import('../language/diagnose.ts');
      const { withCatalogAge } = await import('../language/catalog-knowledge.ts');
      const sources = documents.get(textDocument.uri);
      if (sources?.kind === 'sources') return sourcesActions(sources, range, context, abilities().extended);
      const document = graphOf(textDocument.uri);
      if (!document) return [];
      const { parsed, text, memo, lines, uri } = document;
      const around = contexts.of(document);
      const judged = await sqlJudgeOf(parsed.graph.dataSource?.value, around.sources, duckdbJudge);
      const known = { parsed, graph: parsed.graph, ...around, ...judged };
      const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
      const wants = wanted(context);
      // As they were published: editors tell by the message which of them an action is about.
      const all = withCatalogAge(diagnoseEntityGraph({ text, memo, ...known }), around.catalog, Date.now());
      const here = all.filter((problem) => problem.range.start <= end && start <= problem.range.end);
      const fixes = here.flatMap((problem) =>
        fixesOf(problem, known)
          .filter(({ command }) => abilities().extended || !command)
          .map(({ title, edits, preferred, command }) => ({
            title,
            kind: CodeActionKind.QuickFix,
            diagnostics: [toDiagnostic(problem, uri, lines)],
            isPreferred: preferred === true,
            ...(command
              ? { command: { title, command: `entityGraph.${command}`, arguments: [uri] } }
              : { edit: toWorkspaceEdit(document, edits) }),
          })),
      );
      const changes = changesAt(known, start).flatMap(({ title, kind, edits }): CodeAction[] => {
        if (abilities().resolvesCodeActions)
          return [{ title, kind, data: { uri, offset: start } satisfies ChangeData }];
        const made = wants(kind) ? edits() : undefined;
        return made ? [{ title, kind, edit: toWorkspaceEdit(document, made) }] : [];
      });
      const certain = wants(CodeActionKind.SourceFixAll) ? fixAll(all, (problem) => fixesOf(problem, known)) : [];
      // Asked for nothing in particular, an editor shows fixes and changes; fixing all is for saving and for the menu.
      const offered = [...fixes, ...changes, ...(context.only ? fixedAll(document, certain) : [])];
      return offered.filter(({ kind }) => wants(kind ?? ''));
    },
    async resolveCodeAction(action) {
      const { changesAt } = await import('../language/refactorings/index.ts');
      const { uri, offset } = action.data as ChangeData;
      const document = graphOf(uri);
      if (!document) return action;
      const known = { parsed: document.parsed, graph: document.parsed.graph, ...contexts.of(document) };
      const edits = changesAt(known, offset)
        .find(({ title }) => title === action.title)
        ?.edits();
      return edits ? { ...action, edit: toWorkspaceEdit(document, edits) } : action;
    },
    async codeLenses({ textDocument }) {
      const { codeLenses } = await import('../language/code-lenses.ts');
      const document = graphOf(textDocument.uri);
      if (!document) return [];
      const { isCurrent, counts } = await lastImport(document, documents, contexts);
      if (!isCurrent) return [];
      return codeLenses(document.parsed.graph, counts).map(({ range, title, action, target }) => ({
        range: document.lines.range({ start: range.start, end: range.start }),
        command: {
          title,
          // Without a command, editors show the title as a text.
          command: action ? `entityGraph.${action}` : '',
          ...(action ? { arguments: [textDocument.uri, ...(target ? [target] : [])] } : {}),
        },
      }));
    },
    async definition(params) {
      const found = await named(params);
      if (!found) return null;
      const { document, thing } = found;
      if (thing.definition) return { uri: document.uri, range: document.lines.range(thing.definition) };
      return thing.kind === 'dataSource' ? sourceLocation(document) : null;
    },
    async references(params) {
      const found = await named(params);
      if (!found) return [];
      const { document, thing } = found;
      const { includeDeclaration } = params.context;
      return thing.places
        .filter(({ start }) => includeDeclaration || start !== thing.definition?.start)
        .map((range) => ({ uri: document.uri, range: document.lines.range(range) }));
    },
    async highlights(params) {
      const found = await named(params);
      return found ? found.thing.places.map((range) => ({ range: found.document.lines.range(range) })) : [];
    },
    async prepareRename(params) {
      const source = await sourceName(params);
      if (source) return source.here;
      const found = await named(params);
      if (found?.thing.kind !== 'activity') return null;
      return { range: found.document.lines.range(found.thing.range), placeholder: found.thing.name };
    },
    async rename(params) {
      const { renameActivity } = await import('../language/names.ts');
      const source = await sourceName(params);
      if (source) {
        const { renameDataSource } = await import('./rename-data-source.ts');
        const renamed = await renameDataSource(server, folders(), source.sourcesFile, source.name, params.newName);
        return 'refusal' in renamed ? refusal(renamed.refusal) : renamed.edit;
      }
      const found = await named(params);
      if (!found) return refusal('There is no name of an activity here.');
      const { document, thing } = found;
      const result = renameActivity(document.parsed.graph, document.text, thing, params.newName);
      return 'refusal' in result ? refusal(result.refusal) : toWorkspaceEdit(document, result.edits);
    },
    async folding({ textDocument }) {
      const { foldingRanges } = await import('../language/folding.ts');
      const document = graphOf(textDocument.uri);
      // An empty list would keep the editor from folding by indentation.
      return document ? [...foldingRanges(document.parsed.graph, document.text, document.lines)] : null;
    },
  };

  /** The data source that is named at a position: in its file, or in a graph that reads it. */
  async function sourceName({ textDocument, position }: PrepareRenameParams): Promise<NamedSource | undefined> {
    const document = documents.get(textDocument.uri);
    if (!document) return undefined;
    const offset = document.lines.offset(position);
    if (document.kind === 'sources') {
      const { path, parsed, lines } = document;
      const source = parsed.sources.sources.find(({ name: { range } }) => range.start <= offset && offset <= range.end);
      if (!source || path === undefined) return undefined;
      return { ...nameOf(source.name, lines), sourcesFile: path };
    }
    const { dataSource } = document.parsed.graph;
    const found = contexts.sourceOf(document);
    if (!dataSource || !found || offset < dataSource.range.start || offset > dataSource.range.end) return undefined;
    return { ...nameOf(dataSource, document.lines), sourcesFile: found.sourcesFile.path };
  }

  /** The sources file may have changed since it was read; it is then read again, and asked for again. */
  function sourceLocation(document: OpenGraph): Location | null {
    const found = contexts.sourceOf(document);
    if (!found) return null;
    const { path, text } = found.sourcesFile;
    return { uri: pathToFileURL(path).href, range: createLineIndex(text).range(found.source.name.range) };
  }
}

/** Quick fixes of a sources file. A secret is moved only where the editor can keep it. */
async function sourcesActions(
  document: OpenSources,
  range: CodeActionParams['range'],
  context: CodeActionParams['context'],
  canKeepSecrets: boolean,
): Promise<CodeAction[]> {
  const { fixAll } = await import('../language/quick-fixes/fix-all.ts');
  const { diagnoseDataSources } = await import('../language/diagnose.ts');
  const { fixesOfSources } = await import('../language/quick-fixes/sources-fixes.ts');
  const { lines, parsed, text, uri } = document;
  const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
  const wants = wanted(context);
  const all = diagnoseDataSources({ text, parsed });
  const certain = wants(CodeActionKind.SourceFixAll) ? fixAll(all, (problem) => fixesOfSources(problem, parsed)) : [];
  const fixes = all
    .filter((problem) => problem.range.start <= end && start <= problem.range.end)
    .flatMap((problem) =>
      fixesOfSources(problem, parsed)
        .filter(({ secret }) => canKeepSecrets || !secret)
        .map(({ title, edits, preferred, secret }) => ({
          title,
          kind: CodeActionKind.QuickFix,
          diagnostics: [toDiagnostic(problem, uri, lines)],
          edit: toWorkspaceEdit(document, edits),
          isPreferred: preferred === true,
          ...(secret
            ? { command: { title, command: 'entityGraph.setSecret', arguments: [secret.name, secret.value] } }
            : {}),
        })),
    );
  const offered: CodeAction[] = [...fixes, ...(context.only ? fixedAll(document, certain) : [])];
  return offered.filter(({ kind }) => wants(kind ?? ''));
}

/** Whether an editor that may have asked for some kinds of actions wants this one. */
function wanted({ only }: CodeActionParams['context']): (kind: string) => boolean {
  return (kind) => only?.some((each) => kind === each || kind.startsWith(`${each}.`)) ?? true;
}

function fixedAll(document: OpenDocument, edits: readonly TextEdit[]): readonly CodeAction[] {
  if (edits.length === 0) return [];
  const edit = toWorkspaceEdit(document, edits);
  return [{ title: 'Fix all that is certain', kind: CodeActionKind.SourceFixAll, edit }];
}

/** What a change that is offered needs to be made later. */
interface ChangeData {
  readonly uri: string;
  readonly offset: number;
}

interface NamedSource {
  readonly name: string;
  readonly here: PrepareRenameResult;
  readonly sourcesFile: string;
}

function nameOf({ value, range }: Located<string>, lines: LineIndex): Omit<NamedSource, 'sourcesFile'> {
  return { name: value, here: { range: lines.range(range), placeholder: value } };
}

interface Named {
  readonly document: OpenGraph;
  readonly thing: NamedThing;
}

function toWorkspaceEdit({ uri, version, lines }: OpenDocument, edits: readonly TextEdit[]): WorkspaceEdit {
  const changes = edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
  return { documentChanges: [{ textDocument: { uri, version }, edits: changes }] };
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestFailed, message);
}
