import { setTimeout as pause } from 'node:timers/promises';
import type { SqlValidator } from '../../language/sql/sql-validator.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { sqlValidatorOf } from '../../sql/sql-validator-of.ts';
import type { GraphContext } from '../../language/graph-context.ts';
import type { GraphContexts } from './graph-contexts.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';
import { createSlices } from '../../project/slices.ts';

export interface DiagnosisSurroundings {
  readonly documents: Pick<OpenDocuments, 'get' | 'whenRead'>;
  readonly contexts: Pick<GraphContexts, 'of' | 'searched'>;
  /** DuckDB's own parser, in a process of its own. */
  readonly duckdbValidator: SqlValidator;
}

/** A version of a graph with what is wrong with it and what that was told from. */
export interface DiagnosedGraph {
  /** The latest version; to be used before anything else is waited for. */
  readonly document: OpenGraph;
  readonly known: GraphContext;
  /** As editors are told them: with the age of the catalog where that matters. */
  readonly problems: readonly Problem[];
}

/** What is wrong with open graphs, looked for in turns with whatever else the editor asks: a large new file takes a second. */
export interface DiagnosedGraphs {
  /** Undefined when the graph is not open. Whoever asks while it is looked for shares that. */
  of(uri: string): Promise<DiagnosedGraph | undefined>;
  /**
   * The same, or what is certain of it after some milliseconds if that takes longer.
   * @param urgent offsets whose entries are looked at before.
   */
  soon(uri: string, patienceMs: number, urgent?: SourceRange): Promise<DiagnosedSoon | undefined>;
}

export interface DiagnosedSoon extends DiagnosedGraph {
  /** Whether there may be more. */
  readonly isPart: boolean;
}

export function createDiagnosedGraphs({
  documents,
  contexts,
  duckdbValidator,
}: DiagnosisSurroundings): DiagnosedGraphs {
  const running = new Map<string, Promise<DiagnosedGraph | undefined>>();

  async function diagnosed(uri: string): Promise<DiagnosedGraph | undefined> {
    const { diagnoseInTime } = await import('../../language/diagnosis/diagnose.ts');
    const { catalogUnknown, withCatalogAge } = await import('../../language/catalog-knowledge.ts');
    const slices = createSlices();
    for (;;) {
      const document = await documents.whenRead(uri);
      if (document?.kind !== 'graph') return undefined;
      const { text, parsed, memo } = document;
      const { sources } = contexts.of(document);
      const validator = await sqlValidatorOf(parsed.graph.dataSource?.value, sources, duckdbValidator);
      // Loading a validator takes a while the first time: a catalog may have come, a newer version has its own turn.
      const context = contexts.of(document);
      if (documents.get(uri) === document && context.sources === sources) {
        const known = { ...context, ...validator };
        const notes = catalogUnknown(parsed.graph, known.catalog, known.catalogUnknownBecause);
        const problems = diagnoseInTime({ text, memo, notes, ...known }, slices);
        if (problems) return { document, known, problems: withCatalogAge(problems, context.catalog, Date.now()) };
      }
      await slices.pause();
    }
  }

  function of(uri: string): Promise<DiagnosedGraph | undefined> {
    // Each of several that look at once would take its own time between two requests.
    const shared = running.get(uri) ?? diagnosed(uri).finally(() => running.delete(uri));
    running.set(uri, shared);
    return shared;
  }

  async function soFar(uri: string, urgent: SourceRange | undefined): Promise<DiagnosedSoon | undefined> {
    const { diagnoseSoFar } = await import('../../language/diagnosis/diagnose.ts');
    const { withCatalogAge } = await import('../../language/catalog-knowledge.ts');
    const opened = documents.get(uri);
    if (opened?.kind !== 'graph') return undefined;
    const { sources } = contexts.of(opened);
    const validator = await sqlValidatorOf(opened.parsed.graph.dataSource?.value, sources, duckdbValidator);
    const document = documents.get(uri);
    // While somebody types or a catalog comes, what was to be told of is out of date.
    if (document !== opened) return undefined;
    const context = contexts.of(document);
    if (context.sources !== sources) return undefined;
    const { text, memo } = document;
    const known = { ...context, ...validator };
    const problems = diagnoseSoFar({ text, memo, ...known }, urgent);
    return { document, known, problems: withCatalogAge(problems, context.catalog, Date.now()), isPart: true };
  }

  return {
    of,
    async soon(uri, patienceMs, urgent) {
      // Without its sources file, next to nothing is certain of a graph.
      const opened = await documents.whenRead(uri);
      if (opened?.kind === 'graph') await contexts.searched(opened);
      const whole = of(uri);
      const patience = new AbortController();
      const isUp = pause(patienceMs, true as const, patience).catch(() => true as const);
      const first = await Promise.race([whole, isUp]);
      patience.abort();
      if (first !== true) return first && { ...first, isPart: false };
      const part = await soFar(uri, urgent);
      if (part) return part;
      const late = await whole;
      return late && { ...late, isPart: false };
    },
  };
}
