import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { aggregateApi } from './aggregate-api.ts';
import { attachmentApi } from './attachment-api.ts';
import { breakSocket, faultyAnswer, unauthenticated, type Fault } from './faults.ts';
import { failure, type SimulatedAnswer, type SimulatedRequest } from './http-answer.ts';
import { bulkOutcome, importSetApi, type ImportSets } from './import-set-api.ts';
import { createInstance, type Instance } from './instance.ts';
import { authorizationPage, createLogins, isLoggedIn, tokenEndpoint, type Logins } from './oauth.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { tableApi } from './table-api.ts';

export interface SimulatorOptions {
  readonly seed?: number;
  readonly incidents?: number;
  /** PEM texts: serves HTTPS and requests a client certificate, which is the login. */
  readonly tls?: {
    readonly cert: string;
    readonly key: string;
    readonly ca: string;
    /** `user_name` by the common name of a certificate issued by `ca`; other names are not logged in. */
    readonly users: Readonly<Record<string, string>>;
  };
  /** Delay of each response in milliseconds. */
  readonly latency?: number;
  /** Makes tokens and codes; those of the instance's own kind if absent. */
  readonly newToken?: () => string;
  /** Maximum number of waiting requests per session; further ones are accepted without being run. */
  readonly sessionQueue?: number;
}

export interface PlannedFault {
  readonly fault: Fault;
  /** The affected requests; all if absent. */
  readonly on?: ((request: SimulatedRequest) => boolean) | undefined;
  /** Number of times; once if absent. */
  times?: number;
}

/** A platform instance on a free loopback port. */
export interface Simulator {
  readonly url: string;
  readonly instance: Instance;
  readonly logins: Logins;
  /** Every request so far, refused ones included. */
  readonly requests: SimulatedRequest[];
  /** Number of requests in progress, and its maximum. */
  readonly load: { open: number; most: number };
  /** Number of sessions started. */
  readonly sessions: Pick<Sessions, 'begun'>;
  /** Called before each response: tests change records between pages here. */
  onRequest: ((request: SimulatedRequest) => void) | undefined;
  failNext(fault: Fault, options?: { readonly times?: number; readonly on?: PlannedFault['on'] }): void;
  close(): Promise<void>;
}

/** Starts an instance; close it when done. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const instance = createInstance(options.seed ?? 1, options.incidents ?? 300);
  const world: World = {
    instance,
    logins: createLogins(options.newToken ?? (() => instance.newId())),
    files: new Map(),
    sets: { outcomes: new Map(), bulk: new Map() },
  };
  const faults: PlannedFault[] = [];
  const sessions = createSessions(options.sessionQueue ?? 10);
  const listener: RequestListener = (incoming, response) => void serve(incoming, response);
  const { tls } = options;
  const server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, listener)
    : createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  const simulator: Simulator = {
    url,
    instance,
    logins: world.logins,
    requests: [],
    load: { open: 0, most: 0 },
    sessions,
    onRequest: undefined,
    failNext: (fault, { times = 1, on } = {}) => void faults.push({ fault, times, on }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return simulator;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, url);
    if (!request) return;
    simulator.requests.push(request);
    simulator.onRequest?.(request);
    const turn = await sessions.enter(request);
    if (!turn) return send(response, { status: 202 }, request.method);
    // A client that disconnected while waiting gets no response that could end the turn.
    if (response.closed) return turn.end();
    response.once('close', () => turn.end());
    response.setHeader('Set-Cookie', `JSESSIONID=${turn.session}; Path=/; HttpOnly`);
    simulator.load.open += 1;
    simulator.load.most = Math.max(simulator.load.most, simulator.load.open);
    response.once('close', () => (simulator.load.open -= 1));
    if (options.latency) await new Promise((resolve) => setTimeout(resolve, options.latency));
    const planned = takeFault(faults, request);
    const user = tls ? certificateUser(incoming.socket as TLSSocket, tls.users) : undefined;
    const answer = respond(world, user === undefined ? request : { ...request, user });
    if (!planned) return send(response, answer, request.method);
    if (planned.kind === 'endless') return sendEndlessly(response);
    if (planned.kind === 'slow') return sendSlowly(response, answer, planned.milliseconds);
    const broken = faultyAnswer(planned, answer);
    if (broken) return send(response, broken, request.method);
    breakSocket(planned, response);
  }
}

interface World {
  readonly instance: Instance;
  readonly logins: Logins;
  readonly files: Map<string, Buffer>;
  readonly sets: ImportSets;
}

/** The user of a certificate. The handshake never fails: unknown ones get status 401. */
function certificateUser(socket: TLSSocket, users: Readonly<Record<string, string>>): string | undefined {
  return socket.authorized ? users[String(socket.getPeerCertificate().subject.CN)] : undefined;
}

/** Characters accepted by servers in front of instances, with the other headers. */
const longestAddress = 7500;

function respond(world: World, request: SimulatedRequest): SimulatedAnswer {
  const { instance, logins } = world;
  if (request.parameters.toString().length + request.path.length > longestAddress) return failure(414, 'URI Too Long');
  if (request.path === '/oauth_token.do') return tokenEndpoint(logins, request);
  if (request.path === '/oauth_auth.do') return authorizationPage(logins, request);
  if (request.user === undefined && !isLoggedIn(logins, request)) return unauthenticated();
  const segments = request.path.split('/').slice(1);
  if (segments[0] !== 'api') return failure(400, 'Requested URI does not represent any resource');
  if (segments[1] !== 'now') return scripted(world, request, segments.slice(1));
  const version = /^v\d+$/.test(segments[2] ?? '') ? segments[2] : undefined;
  const [api, name, ...rest] = segments.slice(version === undefined ? 2 : 3);
  if (request.method !== 'GET' && request.method !== 'DELETE' && !request.headers['content-type']) {
    return failure(400, 'Content-Type header is required');
  }
  if (api === 'table' && name !== undefined) {
    const query = request.parameters.get('sysparm_query') ?? '';
    const bulk = name.startsWith('sys_import_set') ? bulkOutcome(instance, world.sets, name, query) : undefined;
    return bulk ?? tableApi(instance, request, version, name, rest[0]);
  }
  if (api === 'stats' && name !== undefined) return aggregateApi(instance, request, name);
  if (api === 'attachment') {
    return attachmentApi(instance, world.files, request, name === undefined ? [] : [name, ...rest]);
  }
  if (api === 'import' && name !== undefined) return importSetApi(instance, world.sets, request, name, rest[0]);
  return failure(400, 'Requested URI does not represent any resource');
}

/** `/api/x_acme/ops/…`: outages wrapped in `result`, a raw text, and a script error. */
function scripted(world: World, request: SimulatedRequest, [namespace, ...rest]: readonly string[]): SimulatedAnswer {
  const isVersioned = /^v\d+$/.test(rest[0] ?? '');
  const [api, path, id] = isVersioned ? rest.slice(1) : rest;
  // An interface without a default version only answers requests that name one.
  if (api === 'strict' && isVersioned && path === 'paged') return pagedItems(world, request);
  if (namespace !== 'x_acme' || api !== 'ops') return failure(400, 'Requested URI does not represent any resource');
  if (path === 'outages' && id === undefined) {
    const items = world.instance.data.get('cmdb_ci') ?? [];
    const result = items.map((item, index) => ({
      id: index + 1,
      ci: item['sys_id'],
      began: `2024-02-0${(index % 9) + 1}T10:00:00Z`,
      minutes: index * 5,
      planned: index % 2 === 0,
    }));
    return { status: 200, body: { result } };
  }
  if (path === 'paged') return pagedItems(world, request);
  if (path === 'outages' && request.method === 'POST') return { status: 201, body: { result: { closed: id } } };
  if (path === 'raw') return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'plain' };
  return failure(404, 'Not found', 'sn_ws_err.NotFoundError');
}

/** Items by page number, from 0 on, three per page by default, of one kind if `kind` is given. */
function pagedItems({ instance }: World, { parameters }: SimulatedRequest): SimulatedAnswer {
  const size = Number(parameters.get('size') ?? '3');
  const all = (instance.data.get('cmdb_ci') ?? []).filter(
    (_, index) => parameters.get('kind') === null || index % 2 === 0,
  );
  const from = Number(parameters.get('page') ?? '0') * size;
  const items = all.slice(from, from + size).map((item) => ({ id: item['sys_id'], name: item['name'] }));
  return { status: 200, body: { result: { items, total: all.length } } };
}

function takeFault(faults: PlannedFault[], request: SimulatedRequest): Fault | undefined {
  const planned = faults.find(({ on, times = 1 }) => times > 0 && (on?.(request) ?? true));
  if (!planned) return undefined;
  planned.times = (planned.times ?? 1) - 1;
  return planned.fault;
}

async function readRequest(incoming: IncomingMessage, baseUrl: string): Promise<SimulatedRequest | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  const url = new URL(incoming.url ?? '/', baseUrl);
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: headers['x-http-method-override'] ?? incoming.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    parameters: url.searchParams,
    headers,
    body: Buffer.concat(chunks),
    baseUrl,
  };
}

const usualHeaders = {
  'Content-Type': 'application/json;charset=UTF-8',
  Server: 'ServiceNow',
  'X-Is-Logged-In': 'true',
};

function send(response: ServerResponse, answer: SimulatedAnswer, method: string): void {
  response.writeHead(answer.status, { ...usualHeaders, ...answer.headers });
  response.end(method === 'HEAD' ? undefined : bodyBytes(answer));
}

/** The response in ten pieces over the given time. */
function sendSlowly(response: ServerResponse, answer: SimulatedAnswer, milliseconds: number): void {
  const body = bodyBytes(answer) ?? Buffer.alloc(0);
  response.writeHead(answer.status, { ...usualHeaders, ...answer.headers });
  let sent = 0;
  const timer = setInterval(() => {
    const next = Math.min(body.length, sent + Math.ceil(body.length / 10));
    response.write(body.subarray(sent, next));
    sent = next;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, milliseconds / 10);
  response.once('close', () => clearInterval(timer));
}

/** Endless rows of one value, until the connection is closed. */
function sendEndlessly(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200, usualHeaders);
  response.on('drain', more);
  response.write('{"result":[{"description":"');
  more();
}

function bodyBytes({ body }: SimulatedAnswer): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}
