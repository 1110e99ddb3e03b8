interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  /** @param value of the argument */
  text(value: string): string;
}

/** What people ask of an agent again and again. */
export const prompts: readonly Prompt[] = [
  {
    name: 'explain_process',
    title: 'Explain this process',
    description: 'What the imported graph of a file shows: the usual way, where time is lost, and what goes with it.',
    argument: { name: 'file', description: 'The entity graph, as list_graphs has it' },
    text: (file) =>
      `Explain the process of the entity graph ${file}. Use variants and steps for the usual ways, analyze for throughput, rework and idle time, steps again for where most time is lost in total, and why for what goes with slow entities. Say numbers with their units and how many entities they concern. What goes with an outcome is not its cause. If the graph is not imported, say so.`,
  },
  {
    name: 'review_graph',
    title: 'Review this entity graph',
    description: 'Problems, tests, rules and lineage of an entity graph, as a reviewer would read them.',
    argument: { name: 'file', description: 'The entity graph, as list_graphs has it' },
    text: (file) =>
      `Review the entity graph ${file}. Read its text and the JSON Schema of entity graphs (resources), then validate, run_tests for its file of tests if it has one, rules, lineage and changes. Say what is wrong with line and remedy, what is doubtful, and what is right.`,
  },
  {
    name: 'model_tables',
    title: 'Model these tables',
    description: 'A proposal for an entity graph of a data source: activities, keys, times, relations.',
    argument: { name: 'source', description: 'The name of a data source' },
    text: (source) =>
      `Propose an entity graph for the data source ${source}. Read the JSON Schema of entity graphs (resource), then describe_source: which records are activities, when do they start and change, which columns are keys, which properties matter, how do the objects relate? Answer with the YAML, with the reason of each choice as a comment, and with what only a person can decide.`,
  },
];
