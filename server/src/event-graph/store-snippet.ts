import type { SnippetKind } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { shellText } from '../../../protocol/shell-text.ts';

/**
 * Code that opens an imported graph in another tool, with paths quoted for its language.
 * @param file path of the entity graph in the user's shell
 */
export function storeSnippet(kind: SnippetKind, store: string, file: string): string {
  return snippets[kind](store, shellText(file));
}

const snippets: Readonly<Record<SnippetKind, (store: string, shellFile: string) => string>> = {
  path: (store) => store,
  duckdb: (store) => `ATTACH ${duckdb.literals.quote(store)} AS graph (READ_ONLY);
SELECT activity, count(*) AS events FROM graph.event GROUP BY ALL ORDER BY events DESC;
`,
  python: (_store, shellFile) => `# pip install pm4py
# First, in a shell: entity-graph export ${shellFile} --as ocel-sqlite --output graph.sqlite
import pm4py

ocel = pm4py.read_ocel2_sqlite("graph.sqlite")
print(ocel)
pm4py.view_ocdfg(pm4py.discover_ocdfg(ocel))
`,
  cypher: (_store, shellFile) => `// First, in a shell: entity-graph export ${shellFile} --as neo4j --output graph-neo4j
// The folder has the neo4j-admin files and the script that loads them. Then:
MATCH (a:Event)-[df:DF]->(b:Event)
RETURN a.Activity AS source, b.Activity AS target, count(*) AS n ORDER BY n DESC LIMIT 20;
`,
};
