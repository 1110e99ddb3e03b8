import type { Catalog } from '../catalog/catalog.ts';
import { ImportError } from '../import/import-error.ts';
import { type ImportPlan, planImport } from '../import/plan-import.ts';
import { diagnoseEntityGraph } from '../language/diagnose.ts';
import type { Problem } from '../model/problem.ts';
import type { GraphFile, Project, SourcesFile } from '../project/open-project.ts';
import { type OperationError, problemFailure } from './operation-error.ts';

/** The plan of an import. Throws the first error that keeps the graph from being imported, with its place. */
export function validPlan({ file, parsed, sourcesFile }: Project, catalog: Catalog): ImportPlan {
  if (parsed.graph.import.engine === 'source') {
    throw new ImportError('engine-unsupported', 'This version builds graphs with the embedded engine only.', {
      remedy: 'Remove engine: source, or set it to embedded.',
    });
  }
  const errors = errorsOf(diagnoseEntityGraph({ text: file.text, parsed, sources: sourcesFile.sources, catalog }));
  if (errors.length > 0) throw problemFailure(errors, file);
  const planned = planImport(parsed.graph, catalog);
  if ('problems' in planned) throw problemFailure(planned.problems, file);
  return planned.plan;
}

/** The first error in the file itself, which needs no connection to be found; undefined when there is none. */
export function firstMistake(file: GraphFile, sourcesFile: SourcesFile | undefined): OperationError | undefined {
  const errors = errorsOf(
    diagnoseEntityGraph({ text: file.text, ...(sourcesFile ? { sources: sourcesFile.sources } : {}) }),
  );
  return errors.length > 0 ? problemFailure(errors, file) : undefined;
}

function errorsOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter((problem) => problem.severity === 'error');
}
