import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, type Diagnostic, DiagnosticRefreshRequest } from 'vscode-languageserver/node';
import type { BackgroundValidator } from '../../sql/background-validator.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { DiagnosedGraphs } from './diagnosed-graphs.ts';
import type { GraphContexts } from './graph-contexts.ts';
import type { OpenDocuments, OpenSources } from '../documents/open-documents.ts';
import { runInBackground, unlessAborted } from '../request-guard.ts';
import { type SourceCatalogs, catalogKey } from '../sources/source-catalogs.ts';
import type { SourceUses } from '../sources/source-uses.ts';
import { toDiagnostic } from '../features/to-lsp.ts';

/** How long typing must rest before problems are pushed. */
const debounceMs = 50;
/** How long SQL is waited for that DuckDB has not validated yet; its process needs half of that to start. Less than until it is told to ask again. */
const patienceMs = 1_000;
/** How long it must rest before they are looked for, so that nothing is left to wait for then. */
const validateAfterMs = 25;

/** Problems of the open documents: asked for by editors that can (`of`), pushed to the others. */
export interface Diagnostics {
  /** Rejects as soon as the signal is aborted. */
  of(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[]>;
  /** The document changed, at a time of `performance.now()`: reading it was part of the rest. */
  documentChanged(uri: string, at: number): void;
  /** What is known around the document changed. */
  contextChanged(uri: string): void;
  closed(uri: string): void;
}

export interface DiagnosticsSurroundings {
  readonly connection: Connection;
  readonly documents: OpenDocuments;
  readonly contexts: GraphContexts;
  readonly graphs: DiagnosedGraphs;
  readonly catalogs: SourceCatalogs;
  readonly uses: SourceUses;
  readonly duckdb: BackgroundValidator;
  /** `pull` when the editor asks for problems itself. */
  readonly mode: () => 'push' | 'pull' | 'pull without refresh';
  readonly log: (message: string) => void;
}

/** How long all of a large file that was just opened is waited for before what is known of it is told; then twice as long each time. */
const firstTellingMs = 500;

/** Problems that are going to be pushed. */
interface Waiting {
  readonly timers: readonly NodeJS.Timeout[];
  /** What was found while typing rested; absent when it has to be looked for again. */
  found?: Promise<readonly Diagnostic[]>;
}

export function createDiagnostics(surroundings: DiagnosticsSurroundings): Diagnostics {
  const { connection, documents, contexts, graphs, catalogs, uses, duckdb, mode, log } = surroundings;
  const waiting = new Map<string, Waiting>();
  /** Documents whose problems were told. Until then, what is known comes first; later it would take others away for a while. */
  const told = new Set<string>();
  /** Documents of which parts are told just now. */
  const tellingParts = new Set<string>();
  const stopWaiting = (key: string): void => {
    for (const timer of waiting.get(key)?.timers ?? []) clearTimeout(timer);
    waiting.delete(key);
  };

  /**
   * Who asks for problems waits for those that DuckDB tells, too: all of them where nobody could tell them later, else only as
   * long as most files take.
   */
  async function whole(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    const part =
      mode() === 'pull' && !told.has(uri) ? await unlessAborted(partOf(uri, firstTellingMs), signal) : undefined;
    if (part) {
      runInBackground(() => graphs.of(uri).then(refresh), log);
      return part;
    }
    let found = await unlessAborted(now(uri), signal);
    // A catalog that comes in between brings questions of its own; whoever types on is not waited for.
    for (let round = 0; round < 3 && duckdb.isPending(); round += 1) {
      await unlessAborted(mode() === 'pull' ? answeredSoon() : duckdb.answered(), signal);
      found = await unlessAborted(now(uri), signal);
      if (mode() === 'pull') break;
    }
    told.add(uri);
    return found;
  }

  async function answeredSoon(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([duckdb.answered(), pause(patienceMs, undefined, patience)]);
    patience.abort();
  }

  async function now(uri: string): Promise<readonly Diagnostic[]> {
    const opened = await documents.whenRead(uri);
    if (opened?.kind !== 'graph') return opened ? sourcesProblems(opened) : [];
    // A sources file that has not been looked for yet is not missing.
    await contexts.searched(opened);
    const { catalogUnknown } = await import('../../language/catalog-knowledge.ts');
    const { withoutDisabled } = await import('../../language/diagnosis/disabled-rules.ts');
    const diagnosed = await graphs.of(uri);
    if (!diagnosed) return [];
    const { document, known, problems } = diagnosed;
    const unknown = catalogUnknown(document.parsed.graph, known.catalog, known.catalogUnknownBecause);
    const all = [...problems, ...withoutDisabled(unknown, document.text)];
    return all.map((problem) => toDiagnostic(problem, uri, document.lines));
  }

  /** What is known of a graph when all of it takes longer than this; undefined when it does not. */
  async function partOf(uri: string, patience: number): Promise<readonly Diagnostic[] | undefined> {
    const diagnosed = await graphs.soon(uri, patience);
    return diagnosed?.isPart
      ? diagnosed.problems.map((each) => toDiagnostic(each, uri, diagnosed.document.lines))
      : undefined;
  }

  async function sourcesProblems(document: OpenSources): Promise<readonly Diagnostic[]> {
    const { diagnoseDataSources } = await import('../../language/diagnosis/diagnose.ts');
    const { text, parsed, path, uri, lines } = document;
    const known = new Map<string, Catalog>();
    for (const source of parsed.sources.sources) {
      const { catalog } = path === undefined ? {} : catalogs.known(catalogKey({ path }, source));
      if (catalog) known.set(source.name.value, catalog);
    }
    const usedSources = uses.of(document);
    const problems = diagnoseDataSources({ text, parsed, catalogs: known, ...(usedSources ? { usedSources } : {}) });
    return problems.map((problem) => toDiagnostic(problem, uri, lines));
  }

  async function push(uri: string, found: Promise<readonly Diagnostic[]>): Promise<void> {
    const version = documents.get(uri)?.version;
    if (version === undefined) return;
    if (!told.has(uri) && !tellingParts.has(uri)) {
      tellingParts.add(uri);
      await pushParts(uri, version).finally(() => tellingParts.delete(uri));
    }
    const diagnostics = [...(await found)];
    // A newer version has its own turn.
    if (documents.get(uri)?.version !== version) return;
    told.add(uri);
    await connection.sendDiagnostics({ uri, version, diagnostics });
  }

  /** Tells what is known now and then, until all is. */
  async function pushParts(uri: string, version: number): Promise<void> {
    let before = 0;
    for (let patience = firstTellingMs; ; patience *= 2) {
      const part = await partOf(uri, patience);
      if (!part || documents.get(uri)?.version !== version) return;
      if (part.length > before) await connection.sendDiagnostics({ uri, version, diagnostics: [...part] });
      before = part.length;
    }
  }

  function schedule(uri: string, at: number): void {
    const passed = performance.now() - at;
    stopWaiting(uri);
    const validating = setTimeout(() => {
      own.found = now(uri);
      own.found.catch(() => undefined);
    }, validateAfterMs - passed);
    const pushing = setTimeout(() => {
      waiting.delete(uri);
      runInBackground(() => push(uri, own.found ?? now(uri)), log);
    }, debounceMs - passed);
    const own: Waiting = { timers: [validating, pushing] };
    waiting.set(uri, own);
  }

  function refresh(): void {
    stopWaiting('*');
    const ask = async (): Promise<void> => connection.sendRequest(DiagnosticRefreshRequest.type);
    const asking = setTimeout(() => runInBackground(ask, log), 10);
    waiting.set('*', { timers: [asking] });
  }

  return {
    of: whole,
    documentChanged(uri, at) {
      if (mode() === 'push') schedule(uri, at);
    },
    contextChanged(uri) {
      const own = waiting.get(uri);
      // What was found a moment ago is out of date, but nobody has to wait longer for that.
      if (mode() === 'push' && own) delete own.found;
      else if (mode() === 'push') schedule(uri, performance.now());
      else if (mode() === 'pull') refresh();
    },
    closed(uri) {
      stopWaiting(uri);
      told.delete(uri);
      if (mode() === 'push') runInBackground(() => connection.sendDiagnostics({ uri, diagnostics: [] }), log);
    },
  };
}
