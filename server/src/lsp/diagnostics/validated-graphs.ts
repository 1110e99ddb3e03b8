import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { BackgroundValidator } from '../../sql/background-validator.ts';
import { sqlValidatorsOf } from '../../sql/sql-validator-of.ts';
import type { GraphContext } from '../../language/graph-context.ts';
import type { GraphContexts } from './graph-contexts.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';
import { createTimeSlices } from '../../project/time-slices.ts';

interface ValidationDependencies {
  readonly documents: Pick<OpenDocuments, 'get' | 'whenRead'>;
  readonly contexts: Pick<GraphContexts, 'of' | 'importResultsRead' | 'searched'>;
  /** DuckDB's parser in a separate process. */
  readonly duckdb: Pick<BackgroundValidator, 'validator' | 'answerCount'>;
}

/** A version of a graph with its problems and their context. */
export interface ValidatedGraph {
  /** The latest version; use it before the next await. */
  readonly document: OpenGraph;
  readonly known: GraphContext;
  /** The published form: with the age of the catalog if relevant. */
  readonly problems: readonly Problem[];
  /**
   * Whether the catalog was read, has changed, or could not be read meanwhile. For an earlier result, also whether DuckDB
   * has validated SQL since then.
   */
  readonly isOutdated: boolean;
}

/** Validates open graphs in time slices: a large new file takes a second. */
export interface ValidatedGraphs {
  /** Undefined for a graph that is not open. Concurrent calls share the work. */
  of(uri: string): Promise<ValidatedGraph | undefined>;
  /**
   * The validated graph, or an outdated result if there is one: after opening, problems that need no source are known
   * before the catalog, and checking all entries again takes as long.
   */
  first(uri: string): Promise<ValidatedGraph | undefined>;
  /**
   * The result of one of the two, or the certain problems after a time limit in milliseconds.
   * @param urgent offsets of entries to validate first.
   */
  soon(
    uri: string,
    patienceMs: number,
    wanted?: { readonly urgent?: SourceRange | undefined; readonly which?: 'of' | 'first' },
  ): Promise<ValidatedSoon | undefined>;
}

interface ValidatedSoon extends ValidatedGraph {
  /** Whether there may be more problems. */
  readonly isPart: boolean;
}

/** Whether two contexts have the same catalog, or the same reason for having none. */
function isSameCatalog(one: GraphContext, other: GraphContext): boolean {
  return one.catalog === other.catalog && one.catalogUnknownBecause === other.catalogUnknownBecause;
}

// eslint-disable-next-line max-lines-per-function -- Whole, early and partial validations share what is running, begun and ended.
export function createValidatedGraphs({ documents, contexts, duckdb }: ValidationDependencies): ValidatedGraphs {
  const running = new Map<string, Promise<ValidatedGraph | undefined>>();
  /** Contexts of unfinished validations, so that an arriving catalog does not restart the validation of all entries. */
  const begun = new WeakMap<OpenGraph, GraphContext>();
  const ended = new WeakMap<OpenGraph, ValidatedGraph & { readonly answerCount: number }>();

  /** The context, or what a running validation has of it. */
  function contextOf(document: OpenGraph): GraphContext {
    const context = contexts.of(document);
    const before = begun.get(document);
    // Other data sources may have other validators.
    if (!before || before.sources !== context.sources) return context;
    const { catalog, catalogReading, catalogUnknownBecause, catalogUnknownPlace } = before;
    return { ...context, catalog, catalogReading, catalogUnknownBecause, catalogUnknownPlace };
  }

  async function diagnosed(uri: string): Promise<ValidatedGraph | undefined> {
    const { validateInTime } = await import('../../language/validation/validate-graph.ts');
    const { catalogUnknown, withCatalogAge } = await import('../../language/catalog-knowledge.ts');
    const { lastImportProblems } = await import('../../language/imported-rules.ts');
    const slices = createTimeSlices();
    for (;;) {
      const document = await documents.whenRead(uri);
      if (document?.kind !== 'graph') return undefined;
      await contexts.importResultsRead(document);
      const { text, parsed, memo } = document;
      const { sources } = contexts.of(document);
      const validator = await sqlValidatorsOf(parsed.graph, sources, duckdb.validator);
      // Loading a validator takes time on first use: the catalog may have arrived, and a newer version is validated
      // separately.
      const context = contextOf(document);
      if (documents.get(uri) === document && context.sources === sources) {
        begun.set(document, context);
        const known = { ...context, ...validator };
        const notes = [
          ...catalogUnknown(parsed.graph, known.catalog, known.catalogUnknownBecause, known.catalogUnknownPlace),
          ...lastImportProblems(context),
        ];
        const problems = validateInTime({ text, memo, notes, ...known }, slices);
        if (problems) {
          begun.delete(document);
          const isOutdated = !isSameCatalog(contexts.of(document), context);
          const told = withCatalogAge(problems, context.catalog, Date.now());
          const found = { document, known, problems: told, isOutdated };
          ended.set(document, { ...found, answerCount: duckdb.answerCount });
          return found;
        }
      }
      await slices.pause();
    }
  }

  function next(uri: string): Promise<ValidatedGraph | undefined> {
    // Concurrent validations would each use a time slice between two requests.
    const shared = running.get(uri) ?? diagnosed(uri).finally(() => running.delete(uri));
    running.set(uri, shared);
    return shared;
  }

  async function of(uri: string): Promise<ValidatedGraph | undefined> {
    for (;;) {
      const found = await next(uri);
      if (!found?.isOutdated) return found;
    }
  }

  async function first(uri: string): Promise<ValidatedGraph | undefined> {
    const document = await documents.whenRead(uri);
    const known = document?.kind === 'graph' ? ended.get(document) : undefined;
    if (!known) return next(uri);
    const { answerCount, ...found } = known;
    const isOutdated = answerCount !== duckdb.answerCount || !isSameCatalog(contexts.of(known.document), known.known);
    return { ...found, isOutdated };
  }

  async function soFar(uri: string, urgent: SourceRange | undefined): Promise<ValidatedSoon | undefined> {
    const { validateSoFar } = await import('../../language/validation/validate-graph.ts');
    const { withCatalogAge } = await import('../../language/catalog-knowledge.ts');
    const { lastImportProblems } = await import('../../language/imported-rules.ts');
    const opened = documents.get(uri);
    if (opened?.kind !== 'graph') return undefined;
    const { sources } = contexts.of(opened);
    const validator = await sqlValidatorsOf(opened.parsed.graph, sources, duckdb.validator);
    const document = documents.get(uri);
    // After an edit or a new catalog the problems are outdated.
    if (document !== opened) return undefined;
    // Uses the context of a running validation: another context would discard its results.
    const context = contextOf(document);
    if (context.sources !== sources) return undefined;
    const { text, memo } = document;
    const known = { ...context, ...validator };
    const problems = validateSoFar({ text, memo, notes: lastImportProblems(context), ...known }, urgent);
    return {
      document,
      known,
      problems: withCatalogAge(problems, context.catalog, Date.now()),
      isOutdated: false,
      isPart: true,
    };
  }

  return {
    of,
    first,
    async soon(uri, patienceMs, { urgent, which = 'of' } = {}) {
      // Without the sources file, almost no problem is certain.
      const opened = await documents.whenRead(uri);
      if (opened?.kind === 'graph') await contexts.searched(opened);
      const whole = which === 'of' ? of(uri) : first(uri);
      const patience = new AbortController();
      const isUp = pause(patienceMs, true as const, patience).catch(() => true as const);
      const early = await Promise.race([whole, isUp]);
      patience.abort();
      if (early !== true) return early && { ...early, isPart: false };
      const part = await soFar(uri, urgent);
      if (part) return part;
      const late = await whole;
      return late && { ...late, isPart: false };
    },
  };
}
