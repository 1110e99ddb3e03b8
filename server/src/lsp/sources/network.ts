import type { Connection } from 'vscode-languageserver/node';
import type { NetworkSettings } from '../../connectors/connector-context.ts';
import { readSection } from '../client-settings.ts';

/** The editor's `http.*` settings, as named by VS Code; empty in other editors. */
export async function readNetworkSettings(connection: Connection): Promise<NetworkSettings> {
  return toNetworkSettings(await readSection(connection, 'http'));
}

/** Valid members of `http.*`. */
function toNetworkSettings(section: unknown): NetworkSettings {
  const settings = (typeof section === 'object' && section !== null ? section : {}) as Record<string, unknown>;
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [proxy, proxyAuthorization] = [text('proxy'), text('proxyAuthorization')];
  const { noProxy } = settings;
  const exceptions = Array.isArray(noProxy) ? noProxy.filter((each) => typeof each === 'string') : undefined;
  return {
    proxy,
    proxyAuthorization,
    proxyStrictSSL: settings['proxyStrictSSL'] === false ? false : undefined,
    noProxy: exceptions,
    proxyOff: settings['proxySupport'] === 'off' ? true : undefined,
    systemCertificates: settings['systemCertificates'] === true ? true : undefined,
  };
}
