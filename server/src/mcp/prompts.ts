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
      `Explain the process of the entity graph ${file}. Use variants and map for the usual ways, measures for throughput, rework and idle time, map again for where most time is lost in total, and why for what goes with slow entities. Say numbers with their units and how many entities they concern. What goes with an outcome is not its cause. If the graph is not imported, say so.`,
  },
  {
    name: 'review_change',
    title: 'Review this change',
    description:
      'What the text of an entity graph changes against a commit, or the last import, as a reviewer would read it.',
    argument: { name: 'file', description: 'The entity graph, as list_graphs has it' },
    text: (file) =>
      `Review the change of the entity graph ${file}. effect says what its text does to the graph in comparison with the last import, or with a commit or branch as base. Then validate, run_tests for its file of tests if it has one, rules and lineage. Say which edit does what, what is wrong with line and remedy, what is doubtful, and what is right.`,
  },
  {
    name: 'model_tables',
    title: 'Model these tables',
    description: 'A proposal for an entity graph of a data source: activities, keys, times, relations.',
    argument: { name: 'source', description: 'The name of a data source' },
    text: (source) =>
      `Propose an entity graph for the data source ${source}. Begin with describe_source and draft_graph, which gives a first text with the reason of each choice; what a field means, explain_format says. Then judge: which records are activities, when do they start and change, which columns are keys, which properties matter, how do the objects relate? Check each change with propose_edit. Answer with the YAML, with the reason of each choice, and with what only a person can decide.`,
  },
];
