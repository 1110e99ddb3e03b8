import { type CancellationToken, CancellationTokenSource, Uri, commands, l10n, workspace } from 'vscode';
import type { RequestParams } from '../../protocol/language-requests.ts';
import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { PageRequests, RequestTable } from '../../protocol/shapes/request-shape.ts';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import type { GraphLanguage } from './language-client.ts';
import { type ReportedMethod, reportedRequest } from './reported-request.ts';
import { showInformationMessage } from './messages.ts';
import { type FileRequests, chooseAndSave, clockText } from './save-file.ts';

/** The handler of each request of a page. */
export type RequestHandlers<Table, Subject> = {
  readonly [M in keyof Table]: RequestHandler<
    PageRequests<Table>[M]['params'],
    PageRequests<Table>[M]['result'],
    Subject
  >;
};

type RequestHandler<Params, Result, Subject> = (
  params: Params,
  subject: Subject,
  token: CancellationToken,
  /** Reports a step of the request to the page. */
  report: (step: string) => void,
) => Promise<Result>;

/** Answers the requests of one page. */
export interface WebviewResponder {
  /** Never rejects: failures are results. Steps of the request are reported until it is answered. */
  answer(request: Extract<FromWebview, { type: 'request' }>, report: (step: string) => void): Promise<unknown>;
  cancel(id: number): void;
  dispose(): void;
}

export function createWebviewResponder<Table extends RequestTable, Subject>(
  table: Table,
  handlers: RequestHandlers<Table, Subject>,
  subject: Subject,
): WebviewResponder {
  const running = new Map<number, CancellationTokenSource>();
  return {
    async answer({ id, method, params }, report) {
      const cancellation = new CancellationTokenSource();
      running.set(id, cancellation);
      try {
        const request = Object.hasOwn(table, method) ? table[method] : undefined;
        if (!request) throw new Error(`The extension does not know ${method}.`);
        const mistake = request.params(params, '');
        if (mistake !== undefined) throw new Error(`${method}: ${mistake}`);
        // The table pairs each method with its parameters.
        const handler = handlers[method] as RequestHandler<unknown, unknown, Subject>;
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

/** Handlers that pass requests on to the server, which gets the URI of the document in addition. */
export function forwardRequests<Table extends RequestTable>(
  language: GraphLanguage,
  table: Table,
): RequestHandlers<Table, { readonly uri: Uri }> {
  const entries = Object.entries(table).map(([name, { isReported, isOutcome }]) => {
    // `withUri` makes the requests of the server from the same table.
    const method = `entityGraph/${name}` as ReportedMethod;
    const forward: RequestHandler<object, unknown, { readonly uri: Uri }> = async (given, { uri }, token, report) => {
      const params = { ...given, uri: uri.toString() } as RequestParams<ReportedMethod>;
      const result = isReported
        ? await reportedRequest(language, method, params, { token, report })
        : await language.request(method, params, token);
      return isOutcome ? result : success(result);
    };
    return [name, forward] as const;
  });
  return Object.fromEntries(entries) as unknown as RequestHandlers<Table, { readonly uri: Uri }>;
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
  const target = await chooseAndSave(language, options, Buffer.from(base64, 'base64'), (path) =>
    l10n.t('The image could not be written to {0}.', path),
  );
  if (target) void tellWhere(target);
  return success(null);
}

function failureOf(error: unknown, token: CancellationToken): Failure {
  if (token.isCancellationRequested) return { code: 'cancelled', message: l10n.t('Cancelled.') };
  return { code: 'internal-error', message: error instanceof Error ? error.message : String(error) };
}

async function tellWhere(target: Uri): Promise<void> {
  const open = l10n.t('Open');
  const saved = l10n.t('The image was saved at {0} in {1}.', clockText(), workspace.asRelativePath(target));
  const chosen = await showInformationMessage(saved, open);
  if (chosen === open) await commands.executeCommand('vscode.open', target);
}
