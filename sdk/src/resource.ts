import type { Transport } from './transport.ts'

/** The methods of one resource of the API. */
export class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}
