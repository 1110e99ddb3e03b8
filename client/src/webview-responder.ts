import { type CancellationToken, CancellationTokenSource, Uri, l10n, window, workspace } from 'vscode';
import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { FromWebview } from '../../protocol/webview-messages.ts';

/** How each method of a page is answered, about what it shows. */
export type RequestHandlers<Table extends Record<keyof Table, { params: unknown; result: unknown }>, Subject> = {
  readonly [M in keyof Table]: (
    params: Table[M]['params'],
    subject: Subject,
    token: CancellationToken,
  ) => Promise<Table[M]['result']>;
};

/** Answers the requests of one page. */
export interface WebviewResponder {
  /** Never rejects: a failure of any kind is an outcome. */
  answer(request: Extract<FromWebview, { type: 'request' }>): Promise<unknown>;
  cancel(id: number): void;
  dispose(): void;
}

export function createWebviewResponder<
  Table extends Record<keyof Table, { params: unknown; result: unknown }>,
  Subject,
>(handlers: RequestHandlers<Table, Subject>, subject: Subject): WebviewResponder {
  const running = new Map<number, CancellationTokenSource>();
  return {
    async answer({ id, method, params }) {
      const cancellation = new CancellationTokenSource();
      running.set(id, cancellation);
      try {
        if (!Object.hasOwn(handlers, method)) throw new Error(`The extension does not know ${method}.`);
        // The page's own code pairs each method with its parameters.
        const handler = handlers[method as unknown as keyof Table] as (
          given: unknown,
          about: Subject,
          token: CancellationToken,
        ) => Promise<unknown>;
        return await handler(params, subject, cancellation.token);
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

export function success<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** Asks where to and writes an image that a page has drawn; proposes a place beside a file. */
export async function saveImage(
  { name, kind, base64 }: { readonly name: string; readonly kind: 'svg' | 'png'; readonly base64: string },
  beside: Uri,
): Promise<Outcome<null>> {
  const file = `${name.replaceAll(/[<>:"/\\|?*]/g, '-')}.${kind}`;
  const defaultUri = beside.scheme === 'file' ? Uri.joinPath(beside, '..', file) : undefined;
  const filters = kind === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] };
  const chosen = await window.showSaveDialog({ filters, ...(defaultUri ? { defaultUri } : {}) });
  if (chosen) await workspace.fs.writeFile(chosen, Buffer.from(base64, 'base64'));
  return success(null);
}

function failureOf(error: unknown, token: CancellationToken): Failure {
  if (token.isCancellationRequested) return { code: 'cancelled', message: l10n.t('Cancelled.') };
  return { code: 'internal-error', message: error instanceof Error ? error.message : String(error) };
}
