/** The views with the names that event knowledge graphs usually have (docs/semantics.md#132-views). */
export function createViewsSql(graph: string): readonly { readonly name: string; readonly sql: string }[] {
  return [
    {
      name: 'node_event',
      sql: `CREATE VIEW ${graph}.node_event AS SELECT id AS event_id, activity, time AS timestamp, lifecycle, element FROM ${graph}.event`,
    },
    {
      name: 'node_entity',
      sql: `CREATE VIEW ${graph}.node_entity AS SELECT id AS entity_id, entity_type, key, entity_type || key AS uid FROM ${graph}.entity`,
    },
    {
      name: 'edge_corr',
      sql: `CREATE VIEW ${graph}.edge_corr AS SELECT event_id, entity_id, qualifier FROM ${graph}.event_entity`,
    },
    {
      name: 'edge_df',
      sql: `CREATE VIEW ${graph}.edge_df AS SELECT edge.source_event_id, edge.target_event_id, edge.entity_id, entity.entity_type
    FROM ${graph}.directly_follows AS edge JOIN ${graph}.entity AS entity ON entity.id = edge.entity_id`,
    },
    {
      name: 'edge_rel',
      sql: `CREATE VIEW ${graph}.edge_rel AS SELECT relationship, source_entity_id, target_entity_id FROM ${graph}.relation`,
    },
  ];
}
