import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, type Diagnostic, DiagnosticRefreshRequest } from 'vscode-languageserver/node';
import { createDebouncer } from '../../../../protocol/debouncer.ts';
import type { BackgroundValidator } from '../../sql/background-validator.ts';
import type { OpenDocuments } from '../documents/open-documents.ts';
import type { OpeningGate } from '../documents/opening-gate.ts';
import { runInBackground, unlessAborted } from '../request-guard.ts';
import type { ValidatedGraphs } from './validated-graphs.ts';
import type { DocumentProblems, FirstProblems } from './document-problems.ts';
import { createProblemsDebounce } from './problems-debounce.ts';

/**
 * Time limit for waiting for DuckDB's validation, of which half covers the start of its process. Without a result, the
 * client is asked to refresh.
 */
const patienceMs = 1_000;
/** Time limit for validating a large new file before partial results are published; doubled each time. */
const firstTellingMs = 500;
/** Debounce of context changes before the client is asked to refresh. */
const refreshDebounceMs = 10;

/** Publishes the problems of open documents after a pause in typing: as pull (`of`) or push diagnostics. */
export interface Diagnostics {
  /** Rejects when the signal is aborted. */
  of(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[]>;
  /** The document changed, at a time of `performance.now()`; parsing counts as part of the pause. */
  documentChanged(uri: string, at: number): void;
  /** The context of the document changed. */
  contextChanged(uri: string): void;
  closed(uri: string): void;
}

interface DiagnosticsDependencies {
  readonly connection: Connection;
  readonly documents: OpenDocuments;
  readonly opening: Pick<OpeningGate, 'passed'>;
  readonly problems: DocumentProblems;
  readonly graphs: ValidatedGraphs;
  readonly duckdb: BackgroundValidator;
  /** `pull` if the client requests diagnostics. */
  readonly mode: () => 'push' | 'pull' | 'pull without refresh';
  readonly log: (message: string) => void;
}

export function createDiagnostics(dependencies: DiagnosticsDependencies): Diagnostics {
  const { connection, documents, opening, problems, graphs, duckdb, mode, log } = dependencies;
  /**
   * Documents with published problems. Before the first publication, partial results are useful; later they would
   * remove other problems.
   */
  const told = new Set<string>();
  /** Documents with a running partial publication. */
  const tellingParts = new Set<string>();
  const tells = (uri: string): void => {
    told.add(uri);
    opening.passed(uri);
  };
  const debounce = createProblemsDebounce(find);
  const refreshing = createDebouncer(refreshDebounceMs, () =>
    runInBackground(async () => connection.sendRequest(DiagnosticRefreshRequest.type), log),
  );

  /** Clients that support a refresh get the first problems as early as possible. */
  async function find(uri: string): Promise<FirstProblems> {
    if (!told.has(uri) && mode() !== 'pull without refresh') return problems.firstOf(uri);
    return { problems: await problems.of(uri), isOutdated: false };
  }

  /**
   * Pull diagnostics wait for DuckDB's results: for all of them if the client cannot refresh, else for a limited time.
   */
  async function pull(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    const part =
      mode() === 'pull' && !told.has(uri)
        ? await unlessAborted(problems.partOf(uri, firstTellingMs), signal)
        : undefined;
    if (part) {
      runInBackground(() => graphs.first(uri).then(() => refreshing.schedule()), log);
      return part;
    }
    const answered = documents.problemsPriority.requested();
    const first = await unlessAborted(debounce.result(uri), signal).finally(answered);
    documents.problemsPriority.sending();
    let found = first.problems;
    // After opening, no problems are displayed that could disappear. So problems that need no other process are returned at
    // once, and the catalog and DuckDB's results lead to a refresh.
    if (mode() === 'pull' && !told.has(uri)) {
      tells(uri);
      if (first.isOutdated) refreshing.schedule();
      return found;
    }
    // A new catalog leads to new statements; further edits are not waited for.
    for (let round = 0; round < 3 && duckdb.isPending(); round += 1) {
      await unlessAborted(mode() === 'pull' ? answeredSoon(duckdb) : duckdb.answered(), signal);
      found = await unlessAborted(problems.of(uri), signal);
      if (mode() === 'pull') break;
    }
    tells(uri);
    return found;
  }

  async function push(uri: string, found: Promise<FirstProblems>): Promise<void> {
    const version = documents.get(uri)?.version;
    if (version === undefined) return;
    if (!told.has(uri) && !tellingParts.has(uri)) {
      tellingParts.add(uri);
      await pushParts(dependencies, uri, version).finally(() => tellingParts.delete(uri));
    }
    const { problems: diagnostics, isOutdated } = await found;
    // A newer version is validated separately.
    if (documents.get(uri)?.version !== version) return;
    tells(uri);
    await connection.sendDiagnostics({ uri, version, diagnostics: [...diagnostics] });
    if (isOutdated) changed(uri, performance.now());
  }

  function changed(uri: string, at: number): void {
    const publish = (found: Promise<FirstProblems>): void => runInBackground(() => push(uri, found), log);
    debounce.changed(uri, at, mode() === 'push' ? publish : undefined);
  }

  return {
    of: pull,
    documentChanged(uri, at) {
      // The first validation takes long, and the outline of a new file should not wait for it.
      if (mode() !== 'push' && told.has(uri)) documents.problemsPriority.changed();
      changed(uri, at);
    },
    contextChanged(uri) {
      const isPaused = debounce.outdate(uri);
      if (mode() === 'pull') refreshing.schedule();
      else if (mode() === 'push' && !isPaused) changed(uri, performance.now());
    },
    closed(uri) {
      debounce.end(uri);
      told.delete(uri);
      opening.passed(uri);
      if (mode() === 'push') runInBackground(() => connection.sendDiagnostics({ uri, diagnostics: [] }), log);
    },
  };
}

async function answeredSoon(duckdb: DiagnosticsDependencies['duckdb']): Promise<void> {
  const patience = new AbortController();
  await Promise.race([duckdb.answered(), pause(patienceMs, undefined, patience)]);
  patience.abort();
}

/** Publishes partial results at intervals until complete. */
async function pushParts(
  { connection, documents, problems }: DiagnosticsDependencies,
  uri: string,
  version: number,
): Promise<void> {
  let before = 0;
  for (let patience = firstTellingMs; ; patience *= 2) {
    const part = await problems.partOf(uri, patience);
    if (!part || documents.get(uri)?.version !== version) return;
    if (part.length > before) await connection.sendDiagnostics({ uri, version, diagnostics: [...part] });
    before = part.length;
  }
}
