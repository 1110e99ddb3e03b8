// The program that runs or plans one import: forked by the language server, so that a crash of the engine, or a graph that is
// too large for the machine, cannot take editing down.
import { importHere } from '../operations/imports/import-here.ts';
import { showImportPlan } from '../operations/imports/show-plan.ts';
import { toOutcome } from '../operations/operation-error.ts';
import type { ProjectSurroundings } from '../project/open-project.ts';
import { tokensInTurn } from '../project/tokens-in-turn.ts';
import { type EditorMethods, type EngineMethods, type EngineSurroundings, engineShapes } from './engine-methods.ts';
import { serveParentOnce } from './rpc/parent-process.ts';
import type { SendRequest } from './rpc/rpc-peer.ts';

// Without its server nobody waits for the graph: the import is aborted then, and leaves nothing half done.
const askEditor: SendRequest<EditorMethods> = serveParentOnce<EditorMethods, EngineMethods>({
  shapes: engineShapes,
  answers: {
    import: (job, { signal, onProgress }) =>
      importHere(job.file, surroundingsOf(job), { onProgress, signal, request: job.request }),
    plan: (job, { signal }) => toOutcome(() => showImportPlan(job.file, surroundingsOf(job), signal), signal),
  },
});

/** Secrets stay with the editor: each is asked for when a connection needs it. Without an answer there is none, and nothing is permitted. */
function surroundingsOf({ sourcesFile, workspaceFolder, network }: EngineSurroundings): ProjectSurroundings {
  const nothing = (): undefined => undefined;
  return {
    foundSources: () => sourcesFile,
    readSecret: (name, uses) => askEditor('secret', { name, uses }).catch(nothing),
    permitUses: (uses) => askEditor('permit', { uses }).catch(() => uses),
    tokens: tokensInTurn({
      read: (name) => askEditor('readToken', { name }).catch(nothing),
      write: (name, value) => askEditor('writeToken', { name, ...(value !== undefined && { value }) }).catch(nothing),
    }),
    environment: process.env,
    ...(network === undefined ? {} : { readNetwork: async () => network }),
    ...(workspaceFolder === undefined ? {} : { workspaceFolderOf: () => workspaceFolder }),
  };
}
