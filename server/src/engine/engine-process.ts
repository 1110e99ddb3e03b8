// The import process, which runs or plans one import, compares two texts, or runs tests with given rows. It is separate, so that a crash or memory exhaustion does not end
// the language server.
import { importHere } from '../operations/imports/import-here.ts';
import { runGraphTests } from '../operations/graph-tests/run-graph-tests.ts';
import { showImportPlan } from '../operations/imports/show-plan.ts';
import type { EditInWork } from '../operations/effect/attribute-changes.ts';
import { type ComparedStores, effectOfTexts } from '../operations/effect/graph-effect.ts';
import { readBase } from '../operations/effect/read-base.ts';
import { toOutcome } from '../operations/operation-error.ts';
import type { ProjectContext } from '../project/open-project.ts';
import { lockedTokenStore } from '../project/locked-token-store.ts';
import { type EditorMethods, type EngineMethods, type EngineContext, engineShapes } from './engine-methods.ts';
import { serveParentOnce } from './rpc/parent-process.ts';
import type { SendRequest } from './rpc/rpc-peer.ts';

// When the parent exits, the import is aborted and cleans up.
const askEditor: SendRequest<EditorMethods> = serveParentOnce<EditorMethods, EngineMethods>({
  shapes: engineShapes,
  answers: {
    import: (job, { signal, onProgress }) =>
      importHere(job.file, projectContextOf(job), { onProgress, signal, request: job.request }),
    test: (job, { signal }) =>
      toOutcome(() => {
        const texts = new Map([...job.texts, job.file].map(({ path, text }) => [path, text]));
        const { foundSources: _, ...context } = projectContextOf(job);
        const only = job.only && new Set(job.only);
        const tested = { ...context, openText: (path: string) => texts.get(path) };
        return runGraphTests(job.file.path, tested, { signal, only, isOnline: job.isOnline });
      }, signal),
    effect: (job, { signal, onProgress }) =>
      toOutcome(async () => {
        const context = projectContextOf(job);
        const base = await readBase(job.file, job.base, context);
        let stores: ComparedStores | undefined;
        const effect = await effectOfTexts(job.file, base, context, {
          isOffline: job.isOffline,
          conditions: [],
          attributes: true,
          ...(job.keepsStores && { keep: (kept) => void (stores = kept) }),
          signal,
          onProgress: ({ step, message }, text) => onProgress(`${textName(text)}, ${step}: ${message}`),
        });
        return { effect, baseText: base.text, stores };
      }, signal),
    plan: (job, { signal, onProgress }) =>
      toOutcome(() => showImportPlan(job.file, projectContextOf(job), signal, onProgress), signal),
  },
});

/** Of the two texts, or of one in which a single edit is made. */
function textName(text: 'base' | 'file' | EditInWork): string {
  if (text === 'base') return 'Base';
  return text === 'file' ? 'File' : `Edit ${text.number} of ${text.count}`;
}

/**
 * The editor keeps the secrets: each is requested when a connection needs it. Without a response there is no secret and
 * no consent.
 */
function projectContextOf({ sourcesFile, workspaceFolder, network }: EngineContext): ProjectContext {
  const nothing = (): undefined => undefined;
  return {
    foundSources: () => sourcesFile,
    readSecret: (name, uses) => askEditor('secret', { name, uses }).catch(nothing),
    permitUses: (uses) => askEditor('permit', { uses }).catch(() => uses),
    tokens: lockedTokenStore({
      read: (name) => askEditor('readToken', { name }).catch(nothing),
      write: (name, value) => askEditor('writeToken', { name, value }).catch(nothing),
    }),
    environment: process.env,
    readNetwork: network === undefined ? undefined : async () => network,
    workspaceFolderOf: workspaceFolder === undefined ? undefined : () => workspaceFolder,
  };
}
