/**
 * V8 options of processes that import. Records that are fetched live for a moment; V8 would keep 32 MB for such values, and let what
 * outlived them by chance grow fourfold before it looks.
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=30'];
