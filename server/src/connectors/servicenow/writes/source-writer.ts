import { openServiceNow, serviceNowConnection } from '../connection.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import type { SourceWriter, WriterDescription } from '../../source-writer.ts';
import { actionRequest } from './action-request.ts';
import { recordWriter } from './record-writer.ts';
import type { PlatformAction } from '../../../../../protocol/platform-actions.ts';
import { SourceError } from '../../source-error.ts';

/** Write actions on an instance. */
export const instanceWriter: SourceWriter = {
  describe: async (source, context) => descriptionOf((await serviceNowConnection(source, context)).config),
  async open(source, context) {
    const { client, config, secrets } = await openServiceNow(source, context);
    return { description: descriptionOf(config), writer: recordWriter(client), secrets, close: () => client.close() };
  },
};

function descriptionOf(config: ServiceNowConfig): WriterDescription {
  const { instanceUrl: address } = config;
  return {
    address,
    checked: (action) => checkedAction(action, address),
    request: (action, firstRow) => actionRequest(action, config, firstRow),
  };
}

/** The normalised action. Throws `source-config` for an invalid one. */
function checkedAction<T extends PlatformAction>(action: T, instanceUrl: URL): T {
  if ('table' in action && !/^\w+$/.test(action.table)) throw wrong(`"${action.table}" is not a table name.`);
  if ('id' in action && !/^[\w.-]+$/.test(action.id)) throw wrong(`"${action.id}" is not a sys_id.`);
  if ('attachment' in action && !/^\w+$/.test(action.attachment))
    throw wrong(`"${action.attachment}" is not a sys_id.`);
  if ('values' in action && Object.keys(action.values).length === 0) throw wrong('No field is set.');
  if (action.kind !== 'call endpoint') return action;
  checkBody(action);
  return { ...action, path: pathBelowApi(action.path, instanceUrl) };
}

function checkBody({ method, body }: Extract<PlatformAction, { kind: 'call endpoint' }>): void {
  if (body === undefined) return;
  if (method === 'GET') throw wrong('GET is sent without a body: leave it out, or choose another method.');
  try {
    JSON.parse(body);
  } catch (error) {
    throw wrong(`The body is not JSON: ${(error as Error).message}.`);
  }
}

/** Copied paths and addresses contain more than the part below `/api`. */
function pathBelowApi(given: string, { href }: URL): string {
  const address = href.replace(/\/+$/, '');
  const trimmed = given.trim();
  const below = trimmed === address || trimmed.startsWith(`${address}/`) ? trimmed.slice(address.length) : trimmed;
  if (/^[a-z][a-z0-9+.-]*:/i.test(below) || below.startsWith('//')) {
    throw wrong(`${given} is not below ${address}/api: leave the host out.`);
  }
  const path = below.replace(/^\/*(?:api\/+)?/, '');
  const segments = (/^[^?#]*/.exec(path)?.[0] ?? '').split('/');
  if (segments.every((segment) => segment === '')) throw wrong('The path is missing, such as x_acme/ops/outages.');
  if (segments.some((segment) => /^\.{1,2}$/.test(segment)))
    throw wrong(`${given} leads out of /api: write the whole path.`);
  return path;
}

function wrong(message: string): SourceError {
  return new SourceError('source-config', message);
}
