/** The codicon of each status of an entity graph: in the table, the tree and the status bar. */
export const statusIcons = { 'not-imported': 'circle-slash', imported: 'pass-filled', modified: 'edit' } as const;
