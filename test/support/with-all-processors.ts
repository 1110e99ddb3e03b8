/**
 * DuckDB gets one thread per processor in the tests of this suite, instead of the single one of scripts/test-worker.mjs:
 * for tests with much data, with limits of memory, or that compare whole graphs.
 */
export function withAllProcessors(): void {
  let before: string | undefined;
  globalThis.before(() => {
    before = process.env['SLURM_CPUS_ON_NODE'];
    delete process.env['SLURM_CPUS_ON_NODE'];
  });
  globalThis.after(() => {
    if (before !== undefined) process.env['SLURM_CPUS_ON_NODE'] = before;
  });
}
