import { ApiError, ConnectionError } from './api-error.ts'
import { PaymentsResource } from './generated/resources.ts'
import type { PaymentRecord } from './generated/types.ts'
import type { CallOptions } from './options.ts'

const endStatuses = ['completed', 'failed', 'refunded', 'rejected', 'canceled'] as const
type EndStatus = (typeof endStatuses)[number]

/** `unknown` means that the payment is still open. It has not failed, so do not send it again. */
export type WaitedPayment = PaymentRecord & { outcome: EndStatus | 'unknown' }

export interface WaitOptions extends Pick<CallOptions, 'signal'> {
  /** The default is one minute. */
  timeoutMs?: number
}

const defaultTimeoutMs = 60_000
const firstPollMs = 500
const longestPollMs = 5_000
const pollGrowth = 1.5

export class Payments extends PaymentsResource {
  /** Polls a payment until it has ended or the timeout has passed. */
  async waitFor(paymentId: string, options: WaitOptions = {}): Promise<WaitedPayment> {
    const { now, sleep } = this.transport.runtime
    const endsAt = now() + (options.timeoutMs ?? defaultTimeoutMs)
    let pollMs = firstPollMs
    let last: PaymentRecord | undefined
    for (;;) {
      last = (await this.#readUnlessUnavailable(paymentId, options, last)) ?? last
      const outcome = endStatuses.find((status) => status === last?.status)
      const isOver = now() >= endsAt
      if (last && (outcome !== undefined || isOver)) return { ...last, outcome: outcome ?? 'unknown' }
      await sleep(Math.min(pollMs, Math.max(0, endsAt - now())), options.signal)
      pollMs = Math.min(pollMs * pollGrowth, longestPollMs)
    }
  }

  /** Keeps polling during an outage. Before the first response there is nothing to return, so the error is thrown. */
  async #readUnlessUnavailable(
    paymentId: string,
    { signal }: WaitOptions,
    last: PaymentRecord | undefined,
  ): Promise<PaymentRecord | undefined> {
    try {
      return await this.get(paymentId, { signal })
    } catch (error) {
      const isOutage =
        error instanceof ConnectionError || (error instanceof ApiError && [429, 503].includes(error.status))
      if (isOutage && last) return undefined
      throw error
    }
  }
}
