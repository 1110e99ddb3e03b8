/** Default number of rows of a preview: of `--limit` and of the setting `entityGraph.previewRows`. */
export const defaultPreviewRows = 100;

/** Maximum size of the values of a preview in bytes; the first row is always kept. */
export const maxPreviewBytes = 64 * 1024 * 1024;

/** Default time limits in milliseconds: of engines on this machine, and of servers that others use too. */
export const previewTimeoutMs = { local: 60_000, server: 30_000 } as const;
