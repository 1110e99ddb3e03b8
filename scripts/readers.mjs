// Third-party tools with which the test part `readers` reads exports.
import { ensureNeo4j, hasNeo4j } from './neo4j-install.mjs';
import { ensurePythonReaders, hasPythonReaders } from './python-readers.mjs';

/** Whether all are installed. */
export function hasReaders() {
  return hasPythonReaders() && hasNeo4j();
}

/** Installs them into `.cache/`. */
export async function ensureReaders() {
  await ensurePythonReaders();
  await ensureNeo4j();
}
