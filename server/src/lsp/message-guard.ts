import {
  type Connection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  type Message,
  ProposedFeatures,
  ResponseError,
  createConnection,
} from 'vscode-languageserver/node';
import { incomingNotices, incomingRequests } from './protocol-shapes.ts';

/** Replacement for a malformed request or notification. */
const malformedRequest = 'entityGraph/malformedRequest';
const malformedNotice = 'entityGraph/malformedNotice';

/** Connects by command line arguments. Only valid messages reach the handlers, including those of the library. */
export function openConnection(argv: readonly string[]): Connection {
  const messageStrategy = {
    handleMessage: (message: Message, next: (message: Message) => void): void => next(wellFormed(message)),
  };
  const connection = argv.includes('--node-ipc')
    ? createConnection(ProposedFeatures.all, guardedReader(), new IPCMessageWriter(process), { messageStrategy })
    : createConnection(ProposedFeatures.all, { messageStrategy });
  connection.onRequest(
    malformedRequest,
    (params: unknown) => new ResponseError(ErrorCodes.InvalidParams, said(params)),
  );
  connection.onNotification(malformedNotice, (params: unknown) => connection.console.warn(said(params)));
  return connection;
}

/** The message, or a replacement that explains its problem. */
function wellFormed(message: Message): Message {
  const { id, method, params } = message as Message & Incoming;
  if (typeof method !== 'string') return message;
  const isRequest = id !== undefined;
  const mistake = (isRequest ? incomingRequests : incomingNotices)[method]?.(params, '');
  if (mistake === undefined) return message;
  const replaced = { ...message, method: isRequest ? malformedRequest : malformedNotice, params: { method, mistake } };
  return replaced as Message;
}

interface Incoming {
  readonly id?: number | string | null;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** The library evaluates cancellations first, and an error there would end the process. */
function guardedReader(): IPCMessageReader {
  const reader = new IPCMessageReader(process);
  const listen = reader.listen.bind(reader);
  reader.listen = (callback) => listen((message) => callback(wellFormed(message ?? {})));
  return reader;
}

function said(params: unknown): string {
  const { method, mistake } = (params ?? {}) as { readonly method?: unknown; readonly mistake?: unknown };
  return mistake === undefined ? 'No client sends this.' : `${String(method)}: ${String(mistake)}`;
}
