import { SourceError, type SourceErrorCode } from '../source-error.ts';

const usualRemedy =
  'Import when fewer records change, or set overlap in its pagination so that pages can be joined; a service that has cursors does not need it.';

/** Records moved between the pages of a list while these were read: some may be missing, and some there twice. */
export class ListShift extends SourceError {
  /** @param code what it means when it happens each time the list is read. */
  constructor(message: string, code: SourceErrorCode = 'source-incomplete', remedy: string = usualRemedy) {
    super(code, message, { remedy });
  }
}
