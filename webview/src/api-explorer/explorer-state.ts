import type { ApiExchange, ApiRequest, ApiText, ApiView, ExplorerNews } from '../../../protocol/api-explorer.ts';
import type { Failure } from '../../../protocol/query-results.ts';

/** What the page shows. */
export interface ExplorerState {
  readonly view?: ApiView;
  readonly request: ApiRequest;
  /** The request as it would be sent, or why it cannot be. */
  readonly text?: ApiText;
  readonly wrong?: Failure;
  readonly answer: Answer;
  readonly tab: Tab;
}

export type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'exchange'; readonly exchange: ApiExchange }
  | { readonly kind: 'failure'; readonly error: Failure };

export const tabs = ['body', 'headers', 'columns'] as const;
export type Tab = (typeof tabs)[number];

/** What survives hiding the page. */
export type KeptState = Pick<ExplorerState, 'request' | 'answer' | 'tab'>;

export interface ExplorerActions {
  /** Takes an endpoint that is proposed, by its label. */
  choose(label: string): void;
  change(request: Partial<ApiRequest>): void;
  /** Makes parameters of what was typed, or pasted, behind the path. */
  takePathApart(): void;
  setParameter(index: number, change: { readonly name?: string; readonly value?: string }): void;
  addParameter(): void;
  removeParameter(index: number): void;
  send(): void;
  cancel(): void;
  copy(kind: 'copyHttp' | 'copyCurl'): void;
  addToSource(): void;
  show(tab: Tab): void;
}

export const firstState: ExplorerState = {
  request: { method: 'GET', path: '', parameters: [], body: '' },
  answer: { kind: 'none' },
  tab: 'body',
};

/** The state after a message of the extension. */
export function heard(state: ExplorerState, news: ExplorerNews): ExplorerState {
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
      return { ...state, answer: { kind: 'sending' } };
    case 'exchange':
      return { ...state, answer: { kind: 'exchange', exchange: news.exchange } };
    case 'failure':
      return { ...state, answer: { kind: 'failure', error: news.error } };
    case 'idle':
      return state;
  }
}

/** The request of an endpoint that is proposed; values of parameters that it shares with the one before stay. */
export function chosenRequest({ view, request }: ExplorerState, label: string): ApiRequest {
  const endpoint = view?.endpoints.find((each) => each.label === label);
  if (!endpoint) return request;
  const names = new Set(endpoint.parameters.map(({ name }) => name));
  const kept = request.parameters.filter(({ name }) => names.has(name));
  const limit = endpoint.parameters.find(({ name }) => name === 'sysparm_limit');
  // A first look at a table is not meant to fetch ten thousand records.
  const given =
    kept.some(({ name }) => name === 'sysparm_limit') || !limit ? kept : [...kept, { name: limit.name, value: '10' }];
  return { method: endpoint.method, path: endpoint.path, parameters: given, body: endpoint.body ?? '' };
}

/** The request with the host left out of its path, and the query of the path among the parameters; a name that is there has the new value. */
export function pathTakenApart({ view, request }: ExplorerState): ApiRequest {
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

/** The endpoint that a request is one of, the placeholders in its path filled in or not. */
export function endpointOf({ view, request }: ExplorerState) {
  const isOf = (path: string): boolean => {
    const pattern = path
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/SYS_ID|STAGING_TABLE|\bTABLE\b/g, '[^/]+');
    return new RegExp(`^${pattern}/?$`).test(request.path);
  };
  return view?.endpoints.find(({ method, path }) => method === request.method && isOf(path));
}

/** Whether what was answered can become a data object: a list that was read. */
export function canBeAdded({ answer, request }: ExplorerState): boolean {
  return answer.kind === 'exchange' && answer.exchange.list !== undefined && request.method === 'GET';
}
