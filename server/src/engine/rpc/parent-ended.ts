/** The reason of requests that are aborted because the parent process has ended: nobody cancelled them. */
export class ParentEnded extends Error {
  constructor() {
    super('The language server has ended.');
    this.name = 'ParentEnded';
  }
}
