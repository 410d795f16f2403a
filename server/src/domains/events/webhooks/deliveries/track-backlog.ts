import type { Saturation } from '../../../../kernel/engine/claims.ts'
import { deliveryServiceName } from './rules.ts'

/** Counts the deliveries that this process has taken and not yet sent, so that it takes no more than it can send. */
export interface LocalBacklog {
  during<T>(orgId: string, work: () => Promise<T>): Promise<T>
  /** What the relay leaves in the outbox, where organisations take turns. */
  saturated(): Saturation
}

const perOrg = 64
const perProcess = 512

export function createLocalBacklog(): LocalBacklog {
  const waiting = new Map<string, number>()
  let total = 0
  const add = (orgId: string, change: 1 | -1): void => {
    total += change
    const count = (waiting.get(orgId) ?? 0) + change
    if (count === 0) waiting.delete(orgId)
    else waiting.set(orgId, count)
  }
  return {
    async during(orgId, work) {
      add(orgId, 1)
      try {
        return await work()
      } finally {
        add(orgId, -1)
      }
    },
    saturated: () => ({
      services: total >= perProcess ? [deliveryServiceName] : [],
      organizations: [...waiting]
        .filter(([, count]) => count >= perOrg)
        .map(([orgId]) => ({ orgId, service: deliveryServiceName })),
    }),
  }
}
