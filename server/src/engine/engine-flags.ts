/**
 * V8 options of import processes. Fetched records are short-lived; by default V8 would reserve 32 MB for them, and let
 * survivors grow fourfold before a collection.
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=30'];
