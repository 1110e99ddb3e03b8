import { join } from 'node:path';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { runGraphTests } from '../../server/src/operations/graph-tests/run-graph-tests.ts';
import type { GraphTestReport } from '../../server/src/operations/graph-tests/test-report.ts';

/** Runs a file of tests with given rows in a folder that has neither secrets nor environment variables. */
export function runTestsIn(folder: string, file: string): Promise<GraphTestReport> {
  const projectContext = {
    permitUses: permitAllUses,
    readSecret: async () => undefined,
    environment: {},
    workspaceFolderOf: () => folder,
  };
  return runGraphTests(join(folder, file), projectContext, { signal: new AbortController().signal });
}
