import { isThisMachine } from '../../model/this-machine.ts';
import type { UnencryptedSetting } from '../source-kind.ts';
import type { Settings } from '../source-settings.ts';

/** Modes with which the driver goes on without encryption when the server, or somebody on the way, says that there is none. */
const fallingBack = ['allow', 'prefer'];

/** The TLS mode of a source on another machine, when that mode permits a connection without encryption. */
export function unencryptedMode({ host = 'localhost', ssl }: Settings): UnencryptedSetting | undefined {
  const mode = typeof ssl === 'object' && ssl !== null ? (ssl as { readonly mode?: unknown }).mode : undefined;
  if (typeof mode !== 'string' || !fallingBack.includes(mode)) return undefined;
  // What a reference stands for is not known here.
  if (typeof host !== 'string' || host.includes('${') || isThisMachine(host)) return undefined;
  return { host, path: ['ssl', 'mode'], value: mode, best: 'verify-full', least: 'require' };
}
