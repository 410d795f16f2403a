import type { ApiPromise } from './api-promise.ts'
import { Resources } from './generated/resources.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { Payments } from './payments.ts'
import { Transport } from './transport.ts'
import { Webhooks } from './webhooks.ts'

export interface RawRequest extends CallOptions {
  query?: object
  body?: unknown
}

/** A client of one installation. Each API resource is a property, and each operation is a method of its resource. */
export class Switchyard extends Resources {
  override readonly payments: Payments
  override readonly webhooks: Webhooks
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    const transport = new Transport(options)
    super(transport)
    this.#transport = transport
    this.payments = new Payments(transport)
    this.webhooks = new Webhooks(transport)
  }

  get baseUrl(): string {
    return this.#transport.baseUrl
  }

  /** Sends any request, for operations that this version has no method for. Fractional numbers are returned as text. */
  request(method: string, path: string, { query, body, ...options }: RawRequest = {}): ApiPromise<unknown> {
    if (!path.startsWith('/')) throw new TypeError('path must start with a slash')
    const operation = {
      id: `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      sends: [],
      queryDecimals: [],
      receives: undefined,
      envelope: undefined,
      cursor: undefined,
    }
    return this.#transport.call(operation, { query, body, options })
  }

  /** What `console.log` shows: the address, but never the credentials. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Switchyard { baseUrl: ${JSON.stringify(this.baseUrl)} }`
  }
}
