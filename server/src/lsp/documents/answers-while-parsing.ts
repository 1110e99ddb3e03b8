import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { Failure } from '../../../../protocol/query-results.ts';
import { fileNameOfUri } from '../file-uri.ts';
import type { OpenDocuments } from './open-documents.ts';
import { type RequestWork, unlessAborted } from '../request-guard.ts';

/** Requests about a document. */
interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

type Documents = Pick<OpenDocuments, 'isBeingRead' | 'whenRead' | 'keystrokes'>;

/** Responses to requests about a large document that is still being parsed. */
export interface AnswersWhileParsing {
  /** Requests at the cursor, repeated when it moves: an empty response. */
  nothing<P extends AboutDocument, R>(work: RequestWork<P, R>, none: R): RequestWork<P, R>;
  /**
   * Requests once per version: answered after parsing and after the problems, because an empty response would remove what is displayed, and
   * clients do not retry after an error.
   */
  later<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R>;
  /** User actions: rejected with a message. */
  refused<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R | ResponseError<void>>;
}

export function createAnswersWhileParsing(documents: Documents): AnswersWhileParsing {
  const isBeingRead = ({ textDocument }: AboutDocument): boolean => documents.isBeingRead(textDocument.uri);
  return {
    nothing: (work, none) => (params, signal) => (isBeingRead(params) ? none : work(params, signal)),
    later: (work) => async (params, signal) => {
      // Further edits cancel the request, and the client repeats it.
      if (isBeingRead(params)) await unlessAborted(documents.whenRead(params.textDocument.uri), signal);
      const { passed } = documents.keystrokes;
      if (passed) await unlessAborted(passed, signal);
      return work(params, signal);
    },
    refused: (work) => (params, signal) =>
      isBeingRead(params)
        ? new ResponseError<void>(LSPErrorCodes.RequestFailed, stillBeingRead(params.textDocument.uri).message)
        : work(params, signal),
  };
}

/** Message that a document is not available yet. */
export function stillBeingRead(uri: string): Failure {
  return {
    code: 'still-being-read',
    message: `${fileNameOfUri(uri)} is large and still being read. Try again in a moment.`,
  };
}
