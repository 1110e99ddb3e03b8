import type { Answering, MethodMap, RpcMessage } from './rpc-messages.ts';
import { ParentEnded } from './parent-ended.ts';
import { type SendRequest, createRpcPeer } from './rpc-peer.ts';

/** Handles requests of the parent process until it closes the channel; then this process exits. */
export function serveParent<Answered extends MethodMap<Answered>>(answering: Answering<Answered>): void {
  const peer = createRpcPeer<object, Answered>((message) => send(message, ignore), answering);
  process.on('message', (message) => void peer.receive(message));
  process.on('disconnect', () => process.exit());
}

/**
 * Handles one request of the parent process, then lets this process exit. When the parent exits, the request is aborted
 * and may finish. A malformed message ends the process, so that the parent does not wait.
 * @returns sends requests to the parent.
 */
export function serveParentOnce<Asked extends MethodMap<Asked>, Answered extends MethodMap<Answered>>(
  answering: Answering<Answered>,
): SendRequest<Asked> {
  const peer = createRpcPeer<Asked, Answered>((message) => {
    const isLast = message.kind === 'result' || message.kind === 'failure';
    send(message, isLast ? disconnect : ignore);
  }, answering);
  process.on('message', (message) => {
    const mistake = peer.receive(message);
    if (mistake !== undefined) throw new Error(mistake);
  });
  process.on('disconnect', () => peer.close(new ParentEnded()));
  return peer.request;
}

function send(message: RpcMessage, onSent: () => void): void {
  if (process.connected) process.send?.(message, onSent);
}

function disconnect(): void {
  if (process.connected) process.disconnect();
}

/** Without a callback, a message to a killed parent would be an unhandled error. */
function ignore(): void {}
