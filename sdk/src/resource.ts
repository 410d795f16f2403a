import type { Transport } from './transport.ts'

/** The methods of one API resource. */
export class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}
