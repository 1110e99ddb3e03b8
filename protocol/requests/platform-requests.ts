import type { ApiExchange, ApiText, ApiView } from '../api-explorer.ts';
import type { IntentEdits } from '../canvas-intents.ts';
import type { ActionPreview, ActionResult } from '../platform-actions.ts';
import { apiList, apiRequest, platformAction } from '../shapes/platform-shapes.ts';
import { reported, request } from '../shapes/request-shape.ts';
import { type ObjectOf, text } from '../shapes/shape.ts';

/** `uri` is that of the sources file. */
const ofSource = { uri: text, dataSource: text };
const ofAction = { ...ofSource, action: platformAction };
const ofApi = { ...ofSource, request: apiRequest };

/** Write actions on an instance of the platform, and the API explorer. */
export const platformRequests = {
  /** The request of an action on an instance of the platform; nothing is sent. */
  'entityGraph/previewAction': reported(ofAction).outcome<ActionPreview>(),
  /** Runs the action. Cancelled with `$/cancelRequest`. */
  'entityGraph/runAction': reported(ofAction).outcome<ActionResult>(),
  /** What the explorer offers for a source. */
  'entityGraph/apiView': request(ofSource).outcome<ApiView>(),
  'entityGraph/apiText': request(ofApi).outcome<ApiText>(),
  /** Sends the request once. Cancelled with `$/cancelRequest`. */
  'entityGraph/apiSend': request(ofApi).outcome<ApiExchange>(),
  /** Edits of the sources file that add a record list as a data object, and its limitations as sentences. */
  'entityGraph/apiEntry': request({ ...ofApi, list: apiList }).outcome<IntentEdits & { notes: readonly string[] }>(),
};

export type ApiParams = ObjectOf<typeof ofApi>;
