import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newGraph, type NewGraph, type NewGraphOptions } from '../../server/src/operations/graph-files/new-graph.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { findSources, type ProjectContext } from '../../server/src/project/open-project.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import type { EntityGraph } from '../../server/src/model/entity-graph.ts';
import { type GraphInMemory, withGraph } from './import-text.ts';

/** The text of a first graph. */
export interface Drafted extends NewGraph {
  readonly text: string;
  readonly graph: EntityGraph;
}

export interface DraftProject {
  readonly project: GraphInMemory;
  /** Writes `graph.entity.yaml`. */
  draft(options?: Partial<NewGraphOptions>): Promise<Drafted>;
}

/** Passes `use` a project whose source `shop` is described by the files; nothing is drafted yet. */
export function withDraftProject<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (project: DraftProject) => Promise<T>,
): Promise<T> {
  return withGraph(files, (project) =>
    use({
      project,
      async draft(options = {}) {
        const output = join(project.folder, 'graph.entity.yaml');
        const projectContext: ProjectContext = {
          permitUses: permitAllUses,
          readSecret: async () => 'postgres',
          environment: process.env,
          workspaceFolderOf: () => project.folder,
        };
        const sources = await findSources(output, projectContext);
        if (!sources) throw new Error('The project has no data sources file.');
        const { signal } = new AbortController();
        const made = await newGraph(sources, 'shop', { output, signal, ...options }, projectContext);
        const text = await readFile(output, 'utf8');
        return { ...made, text, graph: parseEntityGraph(text).graph };
      },
    }),
  );
}
