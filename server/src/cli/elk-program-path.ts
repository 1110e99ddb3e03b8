import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** ELK's program beside the bundle; in a checkout that is run from its sources, that of the package. */
export function elkProgramPath(): string {
  const beside = join(__dirname, 'elk-worker.min.js');
  return existsSync(beside) ? beside : createRequire(__filename).resolve('elkjs/lib/elk-worker.min.js');
}
