import type { SnippetKind } from '../../protocol/event-graph.ts';

/** Code snippets that open an imported graph in other tools, with paths quoted for each language. */
export function storeSnippet(tool: SnippetKind, store: string, file: string): string {
  switch (tool) {
    case 'path':
      return store;
    case 'duckdb':
      return `ATTACH '${store.replaceAll("'", "''")}' AS graph (READ_ONLY);
SELECT activity, count(*) AS events FROM graph.event GROUP BY ALL ORDER BY events DESC;
`;
    case 'python':
      return `# pip install pm4py
# First, in a shell: entity-graph export ${shellText(file)} --as ocel-sqlite --output graph.sqlite
import pm4py

ocel = pm4py.read_ocel2_sqlite("graph.sqlite")
print(ocel)
pm4py.view_ocdfg(pm4py.discover_ocdfg(ocel))
`;
    case 'cypher':
      return `// First, in a shell: entity-graph export ${shellText(file)} --as neo4j --output graph-neo4j
// The folder has the neo4j-admin files and the script that loads them. Then:
MATCH (a:Event)-[df:DF]->(b:Event)
RETURN a.Activity AS source, b.Activity AS target, count(*) AS n ORDER BY n DESC LIMIT 20;
`;
  }
}

function shellText(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
