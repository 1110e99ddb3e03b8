/** Whether a table or view of this name is one that a build makes: nothing else in the place of a graph is ours. */
export function isGraphRelation(name: string): boolean {
  return /^(entity|event|event_entity|relation|directly_follows|run|properties_\d+|node_event|node_entity|edge_corr|edge_df|edge_rel)$/.test(
    name,
  );
}
