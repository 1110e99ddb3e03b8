import {
  type CancellationToken,
  CancellationTokenSource,
  type TextDocument,
  Uri,
  commands,
  l10n,
  window,
  workspace,
} from 'vscode';
import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { CanvasMethod, CanvasParams, CanvasResult, FromWebview } from '../../protocol/webview-messages.ts';
import type { EditWriter } from './apply-edits.ts';
import { commandIds } from './command-ids.ts';
import type { GraphLanguage } from './language-client.ts';
import type { QueryDocuments } from './query-documents.ts';

/** What the canvas's requests are answered with. */
export interface CanvasServices {
  readonly language: GraphLanguage;
  readonly queries: QueryDocuments;
  readonly writer: EditWriter;
}

type Handlers = {
  readonly [M in CanvasMethod]: (
    params: CanvasParams<M>,
    document: TextDocument,
    token: CancellationToken,
  ) => Promise<CanvasResult<M>>;
};

/** Answers the requests of one canvas. */
export interface CanvasResponder {
  /** Never rejects: a failure of any kind is an outcome. */
  answer(request: Extract<FromWebview, { type: 'request' }>): Promise<unknown>;
  cancel(id: number): void;
  dispose(): void;
}

export function createCanvasResponder(services: CanvasServices, document: TextDocument): CanvasResponder {
  const handlers = createHandlers(services);
  const running = new Map<number, CancellationTokenSource>();
  return {
    async answer({ id, method, params }) {
      const cancellation = new CancellationTokenSource();
      running.set(id, cancellation);
      try {
        if (!Object.hasOwn(handlers, method)) throw new Error(`The extension does not know ${method}.`);
        // The page's own code pairs each method with its parameters.
        const handler = handlers[method] as (
          given: unknown,
          document: TextDocument,
          token: CancellationToken,
        ) => Promise<unknown>;
        return await handler(params, document, cancellation.token);
      } catch (error) {
        return { ok: false, error: failureOf(error, cancellation.token) };
      } finally {
        running.delete(id);
        cancellation.dispose();
      }
    },
    cancel: (id) => running.get(id)?.cancel(),
    dispose() {
      for (const cancellation of running.values()) cancellation.cancel();
    },
  };
}

function createHandlers({ language, queries, writer }: CanvasServices): Handlers {
  return {
    edit: ({ intent }, document) =>
      writer.write(document, () => language.request('entityGraph/edit', { uri: document.uri.toString(), intent })),
    checkIntent: ({ intent }, { uri }, token) =>
      language.request('entityGraph/checkIntent', { uri: uri.toString(), intent }, token),
    dataObjects: ({ refresh }, { uri }, token) =>
      language.request(
        'entityGraph/dataObjects',
        { uri: uri.toString(), ...(refresh === undefined ? {} : { refresh }) },
        token,
      ),
    columns: async ({ values }, { uri }, token) =>
      success(await language.request('entityGraph/columns', { uri: uri.toString(), values }, token)),
    suggestJoins: async ({ source, target }, { uri }, token) =>
      success(await language.request('entityGraph/suggestJoins', { uri: uri.toString(), source, target }, token)),
    layout: async (_params, { uri }, token) =>
      success(await language.request('entityGraph/layout', { uri: uri.toString() }, token)),
    saveLayout: ({ layout }, { uri }) => language.request('entityGraph/saveLayout', { uri: uri.toString(), layout }),
    testQuery: (params, { uri }, token) =>
      language.request('entityGraph/testQuery', { ...params, uri: uri.toString() }, token),
    async showQuery(params, { uri }, token) {
      const outcome = await language.request('entityGraph/showQuery', { ...params, uri: uri.toString() }, token);
      if (!outcome.ok) return outcome;
      await queries.show(params.target.name, outcome.value);
      return success(null);
    },
    async openResults({ target }, { uri }) {
      await commands.executeCommand(commandIds.testQuery, uri.toString(), target);
      return success(null);
    },
    async saveImage({ name, kind, base64 }, { uri }) {
      const file = `${name.replaceAll(/[<>:"/\\|?*]/g, '-')}.${kind}`;
      const defaultUri = uri.scheme === 'file' ? Uri.joinPath(uri, '..', file) : undefined;
      const filters = kind === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] };
      const chosen = await window.showSaveDialog({ filters, ...(defaultUri ? { defaultUri } : {}) });
      if (chosen) await workspace.fs.writeFile(chosen, Buffer.from(base64, 'base64'));
      return success(null);
    },
  };
}

function success<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

function failureOf(error: unknown, token: CancellationToken): Failure {
  if (token.isCancellationRequested) return { code: 'cancelled', message: l10n.t('Cancelled.') };
  return { code: 'internal-error', message: error instanceof Error ? error.message : String(error) };
}
