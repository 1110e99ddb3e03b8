import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { Failure } from '../../../../protocol/query-results.ts';
import { fileNameOfUri } from '../file-uri.ts';
import type { OpenDocuments } from './open-documents.ts';
import { type RequestWork, unlessAborted } from '../request-guard.ts';

/** Requests about a document. */
interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

type Documents = Pick<OpenDocuments, 'isBeingRead' | 'whenRead'>;

/** Answers what is asked about a large document that is still being read. */
export interface WhileRead {
  /** What an editor asks at the cursor, and again when it moves: there is nothing to show yet. */
  nothing<P extends AboutDocument, R>(work: RequestWork<P, R>, none: R): RequestWork<P, R>;
  /**
   * What an editor asks once for each version, and nobody waits for: answered when the document is read, as what was shown before
   * would go with an empty answer, and an editor does not ask again after a refusal.
   */
  later<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R>;
  /** What a person did: refused in words. */
  refused<P extends AboutDocument, R>(work: RequestWork<P, R>): RequestWork<P, R | ResponseError<void>>;
}

export function createWhileRead(documents: Documents): WhileRead {
  const isBeingRead = ({ textDocument }: AboutDocument): boolean => documents.isBeingRead(textDocument.uri);
  return {
    nothing: (work, none) => (params, signal) => (isBeingRead(params) ? none : work(params, signal)),
    later: (work) => async (params, signal) => {
      // Who types on has cancelled it, and asks again.
      if (isBeingRead(params)) await unlessAborted(documents.whenRead(params.textDocument.uri), signal);
      return work(params, signal);
    },
    refused: (work) => (params, signal) =>
      isBeingRead(params)
        ? new ResponseError<void>(LSPErrorCodes.RequestFailed, stillBeingRead(params.textDocument.uri).message)
        : work(params, signal),
  };
}

/** Why nothing can be done with a document yet. */
export function stillBeingRead(uri: string): Failure {
  return {
    code: 'still-being-read',
    message: `${fileNameOfUri(uri)} is large and still being read. Try again in a moment.`,
  };
}
