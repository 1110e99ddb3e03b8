import type { Diagnostic } from 'vscode-languageserver/node';
import type { OpenDocuments, OpenSources, OpenTests } from '../documents/open-documents.ts';
import { toDiagnostic } from '../features/to-diagnostic.ts';
import type { ClientForms } from '../client-forms.ts';
import { catalogsOf, failuresOf } from '../sources/catalogs-of.ts';
import type { SourceCatalogs } from '../sources/source-catalogs.ts';
import type { SourceUses } from '../sources/source-uses.ts';
import type { ValidatedGraph, ValidatedGraphs } from './validated-graphs.ts';
import type { GraphContexts } from './graph-contexts.ts';
import type { TestContexts } from './test-contexts.ts';

/** The problems of open documents as published. */
export interface DocumentProblems {
  /** Problems of the latest version; empty when the document is not open. */
  of(uri: string): Promise<readonly Diagnostic[]>;
  /** The problems without waiting for a catalog that arrived meanwhile. */
  firstOf(uri: string): Promise<FirstProblems>;
  /** The certain problems of a graph if complete validation exceeds this time; undefined otherwise. */
  partOf(uri: string, patienceMs: number): Promise<readonly Diagnostic[] | undefined>;
}

export interface FirstProblems {
  readonly problems: readonly Diagnostic[];
  /** Whether the new catalog would change the result of `of`. */
  readonly isOutdated: boolean;
}

interface DocumentProblemsDependencies {
  readonly documents: OpenDocuments;
  readonly contexts: GraphContexts;
  readonly tests: TestContexts;
  readonly graphs: ValidatedGraphs;
  readonly catalogs: SourceCatalogs;
  readonly uses: SourceUses;
  readonly forms: () => ClientForms;
}

export function createDocumentProblems(dependencies: DocumentProblemsDependencies): DocumentProblems {
  const { documents, contexts, tests, graphs, catalogs, uses, forms } = dependencies;

  async function sourcesProblems(document: OpenSources): Promise<readonly Diagnostic[]> {
    const { validateDataSources } = await import('../../language/validation/validate-graph.ts');
    const { text, parsed } = document;
    const known = catalogsOf(document, catalogs);
    const failures = failuresOf(document, catalogs);
    const problems = validateDataSources({ text, parsed, catalogs: known, failures, usedSources: uses.of(document) });
    return problems.map((problem) => toDiagnostic(problem, document, forms()));
  }

  async function testsProblems(opened: OpenTests): Promise<readonly Diagnostic[]> {
    const { graphTestProblems } = await import('../../graph-tests/test-problems.ts');
    await tests.searched(opened);
    const document = documents.get(opened.uri);
    if (document?.kind !== 'tests') return [];
    const { tested, problems } = await tests.of(document);
    const all = [...problems, ...graphTestProblems(document.parsed, tested)];
    return all.map((problem) => toDiagnostic(problem, document, forms()));
  }

  function diagnosticsOf({ problems, document }: ValidatedGraph): readonly Diagnostic[] {
    return problems.map((problem) => toDiagnostic(problem, document, forms()));
  }

  async function found(uri: string, which: 'of' | 'first'): Promise<FirstProblems> {
    const opened = await documents.whenRead(uri);
    if (opened?.kind !== 'graph') {
      const problems = opened?.kind === 'tests' ? testsProblems(opened) : opened && sourcesProblems(opened);
      return { problems: (await problems) ?? [], isOutdated: false };
    }
    // A sources file that has not been searched yet is not missing.
    await contexts.searched(opened);
    const diagnosed = await graphs[which](uri);
    return diagnosed
      ? { problems: diagnosticsOf(diagnosed), isOutdated: diagnosed.isOutdated }
      : { problems: [], isOutdated: false };
  }

  return {
    of: async (uri) => (await found(uri, 'of')).problems,
    firstOf: (uri) => found(uri, 'first'),
    async partOf(uri, patienceMs) {
      const diagnosed = await graphs.soon(uri, patienceMs, { which: 'first' });
      return diagnosed?.isPart ? diagnosticsOf(diagnosed) : undefined;
    },
  };
}
