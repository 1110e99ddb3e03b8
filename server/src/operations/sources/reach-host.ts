import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { HostAddress } from '../../connectors/connector.ts';

const patienceMs = 5_000;

/** Checks name resolution and connection to a host separately, because their remedies differ. Rejects when aborted. */
export async function reachHost({ host, port, proxy }: HostAddress, signal: AbortSignal): Promise<DiagnosisStep> {
  const name = 'Network';
  if (proxy !== undefined) return { name, state: 'ok', message: `Requests go through the proxy ${proxy}.` };
  const addresses = await lookup(host, { all: true }).catch(() => []);
  signal.throwIfAborted();
  const [first] = addresses;
  if (!first) {
    return {
      name,
      state: 'failed',
      message: `No address is known for ${host}.`,
      remedy: 'Check the spelling of the host, and whether a VPN has to be on.',
    };
  }
  const outcome = await tryToConnect(host, port, signal);
  if (outcome === 'connected') return { name, state: 'ok', message: `${host}:${port} takes connections.` };
  const where = first.address === host ? host : `${host} (${first.address})`;
  return {
    name,
    state: 'failed',
    message:
      outcome === 'refused'
        ? `${where} refuses connections on port ${port}.`
        : `${where} does not answer on port ${port} within ${patienceMs / 1000} s.`,
    remedy:
      outcome === 'refused'
        ? 'Check the port, and whether the server is running and listens on this address.'
        : 'Check whether a firewall or a VPN is in between.',
  };
}

function tryToConnect(host: string, port: number, signal: AbortSignal): Promise<'connected' | 'refused' | 'silent'> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: patienceMs });
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => end(() => resolve('connected')));
    socket.once('timeout', () => end(() => resolve('silent')));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(() =>
        resolve(code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH' ? 'silent' : 'refused'),
      ),
    );
  });
}
