import { openServiceNow, serviceNowConnection } from '../connection.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import type { SourceWriter, WriterDescription } from '../../source-writer.ts';
import { actionRequest } from './action-request.ts';
import { checkedAction } from './checked-action.ts';
import { recordWriter } from './record-writer.ts';

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
