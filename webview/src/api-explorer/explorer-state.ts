import type {
  ApiEndpoint,
  ApiExchange,
  ApiRequest,
  ApiText,
  ApiView,
  ExplorerNews,
  KnownColumn,
  PathParameter,
} from '../../../protocol/api-explorer.ts';
import type { Failure } from '../../../protocol/query-results.ts';

/** State of the page. */
export interface ExplorerState {
  readonly view?: ApiView;
  readonly request: ApiRequest;
  /** The request as it will be sent, or why it cannot be sent. */
  readonly text?: ApiText;
  readonly wrong?: Failure;
  readonly answer: Answer;
  readonly tab: Tab;
}

type Answer =
  | { readonly kind: 'none' }
  /** Since this moment of `performance.now()`. */
  | { readonly kind: 'sending'; readonly since: number }
  | { readonly kind: 'exchange'; readonly request: ApiRequest; readonly exchange: ApiExchange }
  | { readonly kind: 'failure'; readonly error: Failure };

export const tabs = ['body', 'headers', 'columns'] as const;
export type Tab = (typeof tabs)[number];

/** State kept while the page is hidden. */
export type SavedState = Pick<ExplorerState, 'request' | 'answer' | 'tab'>;

export interface ExplorerActions {
  /** Selects an endpoint by its label. */
  choose(label: string): void;
  change(request: Partial<ApiRequest>): void;
  /** Converts a query typed or pasted into the path to parameters. */
  takePathApart(): void;
  /** Moves the focus to the next path parameter without a value. */
  selectPlaceholder(): void;
  setParameter(index: number, change: { readonly name?: string; readonly value?: string }): void;
  addParameter(): void;
  removeParameter(index: number): void;
  send(): void;
  cancel(): void;
  copy(kind: 'copyHttp' | 'copyCurl'): void;
  addToSource(): void;
  openAnswer(): void;
  show(tab: Tab): void;
}

export const firstState: ExplorerState = {
  request: { method: 'GET', path: '', parameters: [], body: '' },
  answer: { kind: 'none' },
  tab: 'body',
};

/** The state after a message of the extension. */
export function afterMessage(state: ExplorerState, news: ExplorerNews): ExplorerState {
  const { text: _, wrong: __, ...rest } = state;
  switch (news.kind) {
    case 'view': {
      const [first] = news.view.endpoints;
      const known = { ...state, view: news.view };
      return state.request.path === '' && first ? { ...known, request: chosenRequest(known, first.label) } : known;
    }
    case 'text':
      return { ...rest, text: news.text };
    case 'wrong':
      return { ...rest, wrong: news.error };
    case 'sending':
      return { ...state, answer: { kind: 'sending', since: performance.now() } };
    case 'exchange':
      return { ...state, answer: { kind: 'exchange', request: news.request, exchange: news.exchange } };
    case 'failure':
      return { ...state, answer: { kind: 'failure', error: news.error } };
    case 'idle':
      return state;
  }
}

/** The first path parameter to fill in: a placeholder of the endpoints, or a name in braces. */
export function placeholderIn({ view, request }: ExplorerState): Placeholder | undefined {
  const [path = ''] = request.path.split('?');
  const known = placeholdersOf(view?.endpoints ?? []);
  for (const { 0: text, index: at } of path.matchAll(/(?<=\/)[^/{}]+(?=\/|$)|\{[^{}/]+\}/g))
    if (text.startsWith('{') || known.has(text)) return { text, at, parameter: known.get(text) };
  return undefined;
}

export interface Placeholder {
  readonly text: string;
  readonly at: number;
  /** Undefined for a name in braces. */
  readonly parameter: PathParameter | undefined;
}

function placeholdersOf(endpoints: readonly ApiEndpoint[]): ReadonlyMap<string, PathParameter> {
  const parameters = endpoints.flatMap(({ pathParameters = [] }) => pathParameters);
  return new Map(parameters.flatMap((each) => (each.placeholder === undefined ? [] : [[each.placeholder, each]])));
}

/** The request of an endpoint; values of parameters shared with the previous one are kept. */
export function chosenRequest({ view, request }: ExplorerState, label: string): ApiRequest {
  const endpoint = view?.endpoints.find((each) => each.label === label);
  if (!endpoint) return request;
  const names = new Set(endpoint.parameters.map(({ name }) => name));
  const kept = request.parameters.filter(({ name }) => names.has(name));
  const given = endpoint.parameters.flatMap(({ name, required, value }) => {
    if (kept.some((each) => each.name === name)) return [];
    return required || value !== undefined ? [{ name, value: value ?? '' }] : [];
  });
  return { method: endpoint.method, path: endpoint.path, parameters: [...kept, ...given], body: endpoint.body ?? '' };
}

/** The request with the host removed from its path, and the query of the path merged into the parameters. */
export function requestWithParsedPath({ view, request }: ExplorerState): ApiRequest {
  const address = view?.address.replace(/\/$/, '') ?? '';
  const below =
    address !== '' && request.path.startsWith(`${address}/`) ? request.path.slice(address.length) : request.path;
  const at = below.indexOf('?');
  if (at < 0) return { ...request, path: below };
  const typed = [...new URLSearchParams(below.slice(at + 1).replace(/#.*$/, ''))].map(([name, value]) => ({
    name,
    value,
  }));
  const names = new Set(typed.map(({ name }) => name));
  const kept = request.parameters.filter(({ name }) => !names.has(name));
  return { ...request, path: below.slice(0, at), parameters: [...kept, ...typed] };
}

/** The endpoint of a request: the one with the same path, or one whose path parameters match. */
export function endpointOf({ view, request }: ExplorerState): ApiEndpoint | undefined {
  const endpoints = view?.endpoints.filter(({ method }) => method === request.method) ?? [];
  return endpoints.find(({ path }) => path === request.path) ?? endpoints.find((each) => isOf(request.path, each));
}

function isOf(path: string, { path: open, pathParameters = [] }: ApiEndpoint): boolean {
  const placeholders = new Set(pathParameters.map(({ placeholder }) => placeholder));
  const pattern = open
    .split('/')
    .map((segment) =>
      placeholders.has(segment)
        ? '[^/]+'
        : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\\\{[^{}/]+\\\}/g, '[^/]+'),
    )
    .join('/');
  return new RegExp(`^${pattern}/?$`).test(path);
}

/** The known columns of the table of a request. */
export function columnsOf({ view, request }: ExplorerState): readonly KnownColumn[] | undefined {
  const table = view?.tablePattern === undefined ? '' : (new RegExp(view.tablePattern).exec(request.path)?.[1] ?? '');
  const columns = view?.columns ?? {};
  return Object.hasOwn(columns, table) ? columns[table] : undefined;
}

/** Whether the response can become a data object: it was read by GET and contains a record list. */
export function canBeAdded({ answer }: ExplorerState): boolean {
  return answer.kind === 'exchange' && answer.exchange.list !== undefined && answer.request.method === 'GET';
}
