import type { ApiExchange, ApiList, ApiRequest, ApiText, ApiView } from '../api-explorer.ts';
import type { IntentEdits } from '../canvas-intents.ts';
import type { ActionPreview, ActionResult, PlatformAction } from '../platform-actions.ts';
import type { Outcome } from '../query-results.ts';
import type { Reported } from './reported.ts';

/** Write actions on an instance of the platform, and the API explorer. */
export interface PlatformRequests {
  /** The request of an action on an instance of the platform; nothing is sent. */
  'entityGraph/previewAction': { params: ActionParams & Reported; result: Outcome<ActionPreview> };
  /**
   * Runs the action. Cancelled with `$/cancelRequest`.
   */
  'entityGraph/runAction': { params: ActionParams & Reported; result: Outcome<ActionResult> };
  /** What the explorer offers for a source; `uri` is that of the sources file. */
  'entityGraph/apiView': { params: { uri: string; dataSource: string }; result: Outcome<ApiView> };
  'entityGraph/apiText': { params: ApiParams; result: Outcome<ApiText> };
  /** Sends the request once. Cancelled with `$/cancelRequest`. */
  'entityGraph/apiSend': { params: ApiParams; result: Outcome<ApiExchange> };
  /** Edits of the sources file that add a record list as a data object, and its limitations as sentences. */
  'entityGraph/apiEntry': {
    params: ApiParams & { list: ApiList };
    result: Outcome<IntentEdits & { notes: readonly string[] }>;
  };
}

export interface ApiParams {
  readonly uri: string;
  readonly dataSource: string;
  readonly request: ApiRequest;
}

/** An action on a data source; `uri` is that of the sources file. */
export interface ActionParams {
  readonly uri: string;
  readonly dataSource: string;
  readonly action: PlatformAction;
}
