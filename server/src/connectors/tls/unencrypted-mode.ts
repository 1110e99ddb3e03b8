import { isThisMachine } from '../../model/this-machine.ts';
import type { UnencryptedSetting } from '../source-kind.ts';
import type { Settings } from '../source-settings.ts';

/** Modes that fall back to an unencrypted connection, which an attacker can enforce. */
const fallingBack = ['allow', 'prefer'];

/** The TLS mode of a source on another machine, if it permits an unencrypted connection. */
export function unencryptedMode({ host = 'localhost', ssl }: Settings): UnencryptedSetting | undefined {
  const mode = typeof ssl === 'object' && ssl !== null ? (ssl as { readonly mode?: unknown }).mode : undefined;
  if (typeof mode !== 'string' || !fallingBack.includes(mode)) return undefined;
  // References are not resolved here.
  if (typeof host !== 'string' || host.includes('${') || isThisMachine(host)) return undefined;
  return { host, path: ['ssl', 'mode'], value: mode, best: 'verify-full', least: 'require' };
}
