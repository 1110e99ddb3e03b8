import type { GraphContextInput } from '../../language/graph-context.ts';
import type { OpenGraph } from '../documents/open-documents.ts';
import type { SourcesFile } from '../../project/open-project.ts';

/** Results of an import: of the rules and measures of its text, of its expectations of rows, and of guards. */
type ImportedResults = Pick<
  GraphContextInput,
  'importedRules' | 'importedMeasures' | 'importedExpectations' | 'importedGuards'
>;

/** Results of the last imports of open graphs, kept in memory, so that a keystroke needs no I/O. */
interface LastImportResults {
  /** No I/O; undefined if unknown. */
  known(uri: string): ImportedResults | undefined;
  /** Reads the results of the last import if they are unknown. Never rejects. */
  read(graph: OpenGraph, sourcesFile: SourcesFile | undefined): Promise<void>;
  /** There may have been another import. */
  outdate(): void;
  forget(uri: string): void;
}

export function createLastImportResults(): LastImportResults {
  const reads = new Map<string, Promise<void>>();
  const known = new Map<string, ImportedResults>();

  async function readNow({ uri, path }: OpenGraph, sourcesFile: SourcesFile): Promise<void> {
    const found = path === undefined ? undefined : await lastImport(path, sourcesFile);
    if (found) known.set(uri, found);
    else known.delete(uri);
  }

  return {
    known: (uri) => known.get(uri),
    read(graph, sourcesFile) {
      // Graphs without expectations, or with an unknown source, are looked up again when that changes.
      if (!hasExpectations(graph) || !sourcesFile) return Promise.resolve();
      const reading = reads.get(graph.uri) ?? readNow(graph, sourcesFile);
      reads.set(graph.uri, reading);
      return reading;
    },
    outdate: () => reads.clear(),
    forget(uri) {
      reads.delete(uri);
      known.delete(uri);
    },
  };
}

/** Whether a graph has rules, measures or guards, or expects something of rows. */
export function hasExpectations({ parsed: { graph } }: OpenGraph): boolean {
  const before = checkedGraphs.get(graph);
  if (before !== undefined) return before;
  const expects = ({ expect }: { readonly expect?: unknown }): boolean => expect !== undefined;
  const found =
    graph.rules.length + graph.measures.length + graph.guards.length > 0 ||
    graph.elements.some(expects) ||
    graph.entities.some(expects);
  checkedGraphs.set(graph, found);
  return found;
}

/** Each time slice of the validation of a large graph asks again. */
const checkedGraphs = new WeakMap<OpenGraph['parsed']['graph'], boolean>();

async function lastImport(path: string, sourcesFile: SourcesFile): Promise<ImportedResults | undefined> {
  const { importedText } = await import('../../operations/imports/imported-counts.ts');
  const last = await importedText(path, sourcesFile).catch(() => undefined);
  if (last?.text === undefined) return undefined;
  const { rules, measures, expectations, guards = [] } = last.counts ?? {};
  const { importedRules } = await import('../../language/imported-rules.ts');
  const { importedMeasures } = await import('../../language/imported-measures.ts');
  const { importedExpectations } = await import('../../language/imported-expectations.ts');
  return {
    importedRules: rules && importedRules(last.text, rules),
    importedMeasures: measures && importedMeasures(last.text, measures),
    importedGuards: { stoppedBy: last.stoppedBy, broken: guards },
    importedExpectations: expectations && importedExpectations(last.text, expectations),
  };
}
