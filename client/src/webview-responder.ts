import { type CancellationToken, CancellationTokenSource, Uri, l10n } from 'vscode';
import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { Shape } from '../../protocol/shapes/shape.ts';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import { type FileRequests, chooseAndSave } from './save-file.ts';

/** The handler of each method of a page. */
export type RequestHandlers<Table extends Record<keyof Table, { params: unknown; result: unknown }>, Subject> = {
  readonly [M in keyof Table]: (
    params: Table[M]['params'],
    subject: Subject,
    token: CancellationToken,
    /** Reports a step of the request to the page. */
    report: (step: string) => void,
  ) => Promise<Table[M]['result']>;
};

/** Schema of the parameters of each method. */
export type RequestShapes<Table extends Record<keyof Table, { params: unknown; result: unknown }>> = {
  readonly [M in keyof Table]: Shape<Table[M]['params']>;
};

/** Answers the requests of one page. */
export interface WebviewResponder {
  /** Never rejects: failures are results. Steps of the request are reported until it is answered. */
  answer(request: Extract<FromWebview, { type: 'request' }>, report: (step: string) => void): Promise<unknown>;
  cancel(id: number): void;
  dispose(): void;
}

export function createWebviewResponder<
  Table extends Record<keyof Table, { params: unknown; result: unknown }>,
  Subject,
>(handlers: RequestHandlers<Table, Subject>, shapes: RequestShapes<Table>, subject: Subject): WebviewResponder {
  const running = new Map<number, CancellationTokenSource>();
  return {
    async answer({ id, method, params }, report) {
      const cancellation = new CancellationTokenSource();
      running.set(id, cancellation);
      try {
        if (!Object.hasOwn(handlers, method)) throw new Error(`The extension does not know ${method}.`);
        const mistake = shapes[method as unknown as keyof Table](params, '');
        if (mistake !== undefined) throw new Error(`${method}: ${mistake}`);
        // The page's types pair each method with its parameters.
        const handler = handlers[method as unknown as keyof Table] as (
          given: unknown,
          about: Subject,
          token: CancellationToken,
          tell: (step: string) => void,
        ) => Promise<unknown>;
        return await handler(params, subject, cancellation.token, report);
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

/** Asks for a path and writes an image rendered by a page; suggests a path beside a file. */
export async function saveImage(
  language: FileRequests,
  { name, kind, base64 }: { readonly name: string; readonly kind: 'svg' | 'png'; readonly base64: string },
  beside: Uri,
): Promise<Outcome<null>> {
  const file = `${name.replaceAll(/[<>:"/\\|?*]/g, '-')}.${kind}`;
  const defaultUri = beside.scheme === 'file' ? Uri.joinPath(beside, '..', file) : undefined;
  const filters = kind === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] };
  const options = { title: l10n.t('Save Image'), filters, ...(defaultUri ? { defaultUri } : {}) };
  await chooseAndSave(language, options, Buffer.from(base64, 'base64'), (path) =>
    l10n.t('The image could not be written to {0}.', path),
  );
  return success(null);
}

function failureOf(error: unknown, token: CancellationToken): Failure {
  if (token.isCancellationRequested) return { code: 'cancelled', message: l10n.t('Cancelled.') };
  return { code: 'internal-error', message: error instanceof Error ? error.message : String(error) };
}
