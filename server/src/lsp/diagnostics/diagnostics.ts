import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, type Diagnostic, DiagnosticRefreshRequest } from 'vscode-languageserver/node';
import { createDebouncer } from '../../../../protocol/debouncer.ts';
import type { BackgroundValidator } from '../../sql/background-validator.ts';
import type { OpenDocuments } from '../documents/open-documents.ts';
import { runInBackground, unlessAborted } from '../request-guard.ts';
import type { DiagnosedGraphs } from './diagnosed-graphs.ts';
import type { DocumentProblems } from './document-problems.ts';
import { createTypingPauses } from './typing-pauses.ts';

/** How long SQL is waited for that DuckDB has not validated yet; its process needs half of that to start. Less than until it is told to ask again. */
const patienceMs = 1_000;
/** How long all of a large file that was just opened is waited for before what is known of it is told; then twice as long each time. */
const firstTellingMs = 500;
/** How long changes of what is known gather before an editor is told to ask again. */
const refreshDebounceMs = 10;

/** Publishes the problems of the open documents after a pause in typing: to editors that ask (`of`), and without being asked to the others. */
export interface Diagnostics {
  /** Rejects as soon as the signal is aborted. */
  of(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[]>;
  /** The document changed, at a time of `performance.now()`: reading it was part of the pause. */
  documentChanged(uri: string, at: number): void;
  /** What is known around the document changed. */
  contextChanged(uri: string): void;
  closed(uri: string): void;
}

export interface DiagnosticsSurroundings {
  readonly connection: Connection;
  readonly documents: OpenDocuments;
  readonly problems: DocumentProblems;
  readonly graphs: DiagnosedGraphs;
  readonly duckdb: BackgroundValidator;
  /** `pull` when the editor asks for problems itself. */
  readonly mode: () => 'push' | 'pull' | 'pull without refresh';
  readonly log: (message: string) => void;
}

export function createDiagnostics(surroundings: DiagnosticsSurroundings): Diagnostics {
  const { connection, documents, problems, graphs, duckdb, mode, log } = surroundings;
  /** Documents whose problems were told. Until then, what is known comes first; later it would take others away for a while. */
  const told = new Set<string>();
  /** Documents of which parts are told just now. */
  const tellingParts = new Set<string>();
  const pauses = createTypingPauses(problems.of);
  const refreshing = createDebouncer(refreshDebounceMs, () =>
    runInBackground(async () => connection.sendRequest(DiagnosticRefreshRequest.type), log),
  );

  /**
   * Who asks for problems waits for those that DuckDB tells, too: all of them where nobody could tell them later, else only as
   * long as most files take.
   */
  async function pull(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    const part =
      mode() === 'pull' && !told.has(uri)
        ? await unlessAborted(problems.partOf(uri, firstTellingMs), signal)
        : undefined;
    if (part) {
      runInBackground(() => graphs.of(uri).then(() => refreshing.schedule()), log);
      return part;
    }
    let found = await unlessAborted(pauses.found(uri), signal);
    // A catalog that comes in between brings questions of its own; whoever types on is not waited for.
    for (let round = 0; round < 3 && duckdb.isPending(); round += 1) {
      await unlessAborted(mode() === 'pull' ? answeredSoon() : duckdb.answered(), signal);
      found = await unlessAborted(problems.of(uri), signal);
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
      const part = await problems.partOf(uri, patience);
      if (!part || documents.get(uri)?.version !== version) return;
      if (part.length > before) await connection.sendDiagnostics({ uri, version, diagnostics: [...part] });
      before = part.length;
    }
  }

  function changed(uri: string, at: number): void {
    const publish = (found: Promise<readonly Diagnostic[]>): void => runInBackground(() => push(uri, found), log);
    pauses.changed(uri, at, mode() === 'push' ? publish : undefined);
  }

  return {
    of: pull,
    documentChanged: changed,
    contextChanged(uri) {
      const isPaused = pauses.outdate(uri);
      if (mode() === 'pull') refreshing.schedule();
      else if (mode() === 'push' && !isPaused) changed(uri, performance.now());
    },
    closed(uri) {
      pauses.end(uri);
      told.delete(uri);
      if (mode() === 'push') runInBackground(() => connection.sendDiagnostics({ uri, diagnostics: [] }), log);
    },
  };
}
