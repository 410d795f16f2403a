import { LIMITS } from '../limits.ts'
import { runInBackground } from './background.ts'
import type { Clock } from './clock.ts'
import { WEBHOOK_FAULTS, type WebhookFault } from './fault-names.ts'
import type { FaultBook, TakenFault } from './faults.ts'
import type { Deliverer, OutgoingWebhook } from './webhook-delivery.ts'

export interface WebhookSender {
  /** Applies the webhook faults. Resolves after the first attempt, without waiting for a delayed webhook. */
  readonly send: (outgoing: OutgoingWebhook) => Promise<void>
}

interface WebhookSenderOptions {
  readonly clock: Clock
  readonly faults: FaultBook
  readonly deliverer: Deliverer
}

export function createWebhookSender({ clock, faults, deliverer }: WebhookSenderOptions): WebhookSender {
  const held: (() => void)[] = []

  async function deliverCopies(outgoing: OutgoingWebhook, copies: number): Promise<void> {
    for (let copy = 0; copy < copies; copy += 1) await deliverer.deliver(outgoing)
  }

  /** Waits until another webhook has been sent, but only for a limited time. */
  function hold(outgoing: OutgoingWebhook): void {
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      runInBackground(() => deliverCopies(outgoing, outgoing.copies))
    }
    held.push(release)
    clock.after(LIMITS.reorderHoldMs, release)
  }

  async function sendWith(
    fault: TakenFault<WebhookFault> | undefined,
    outgoing: OutgoingWebhook,
  ): Promise<void> {
    const { copies } = outgoing
    switch (fault?.fault) {
      case 'webhook_drop':
        return deliverer.drop(outgoing)
      case 'webhook_delay':
        clock.after(fault.ms, () => runInBackground(() => deliverCopies(outgoing, copies)))
        return
      case 'webhook_reorder':
        return hold(outgoing)
      case 'webhook_duplicate':
        return deliverCopies(outgoing, copies + 1)
      case undefined:
        await deliverCopies(outgoing, copies)
        for (const release of held.splice(0)) release()
    }
  }

  return {
    send: async (outgoing) => {
      const { operation, reference } = outgoing.transaction
      const fault =
        faults.take(WEBHOOK_FAULTS, { on: operation, reference }) ??
        faults.take(WEBHOOK_FAULTS, { on: 'webhook', reference })
      await sendWith(fault, outgoing)
    },
  }
}
