// The program that runs one import: forked by the language server, so that a crash of the engine, or a graph that is
// too large for the machine, cannot take editing down.
import { importHere } from '../operations/import-here.ts';
import type { ProjectSurroundings } from '../project/open-project.ts';
import { tokensInTurn } from '../project/tokens-in-turn.ts';
import type { EngineAnswer, EngineJob, EngineQuestion, FromEngine, ToEngine } from './engine-messages.ts';
import { toEngine } from './message-shapes.ts';
import { takeMessages } from './told-messages.ts';

const abort = new AbortController();
const waiting = new Map<number, (answer: EngineAnswer) => void>();

takeMessages(toEngine, take, (mistake) => {
  // Whoever waits for the graph is told that this process has ended.
  throw new Error(mistake);
});
// Without its server nobody waits for the graph: leave nothing half done and go.
process.on('disconnect', () => abort.abort(new Error('The language server has ended.')));

function take(message: ToEngine): void {
  if (message.kind === 'cancel') abort.abort(new Error('Cancelled.'));
  else if (message.kind === 'answer') waiting.get(message.request)?.(message);
  else void run(message.job);
}

async function run(job: EngineJob): Promise<void> {
  const { file, request } = job;
  const summary = await importHere(file, surroundingsOf(job), {
    onProgress: (message) => send({ kind: 'import', message }),
    signal: abort.signal,
    request,
  });
  if (process.connected)
    process.send?.({ kind: 'import', message: summary } satisfies FromEngine, () => process.disconnect());
}

function surroundingsOf({ openTexts, workspaceFolder, network }: EngineJob): ProjectSurroundings {
  return {
    openText: (path) => openTexts[path],
    // Secrets stay with the editor: each is asked for when a connection needs it.
    readSecret: async (name, uses) => (await ask({ kind: 'secret', name, uses })).value,
    permitUses: async (uses) => (await ask({ kind: 'permit', uses })).refused ?? uses,
    tokens: tokensInTurn({
      read: async (name) => (await ask({ kind: 'token', name })).value,
      async write(name, value) {
        await ask({ kind: 'keep token', name, ...(value !== undefined && { value }) });
      },
    }),
    environment: process.env,
    ...(network === undefined ? {} : { readNetwork: async () => network }),
    ...(workspaceFolder === undefined ? {} : { workspaceFolderOf: () => workspaceFolder }),
  };
}

function ask(question: EngineQuestion): Promise<EngineAnswer> {
  const request = waiting.size + 1;
  return new Promise((resolve) => {
    waiting.set(request, resolve);
    send({ kind: 'ask', request, question });
  });
}

function send(message: FromEngine): void {
  if (process.connected) process.send?.(message);
}
