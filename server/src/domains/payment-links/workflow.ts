import { z } from 'zod'
import { defineService, type EngineService } from '../../engine/service.ts'
import { expireLink } from './expire-link.ts'
import type { LinkDeps } from './record.ts'

const input = z.object({ orgId: z.uuid(), linkId: z.uuid() })
const longestSleepMs = 24 * 60 * 60_000

/** Started when a link is due to expire; sleeps on if the expiry was moved. */
export const linkService = (namespace: string, deps: Pick<LinkDeps, 'db' | 'clock'>): EngineService =>
  defineService<{ expire: z.infer<typeof input> }>(namespace, 'PaymentLinks', {
    expire: {
      input,
      run: (context, ids) =>
        context.repeat('expire', async () => {
          const leftMs = await expireLink(deps, ids)
          return leftMs === undefined ? undefined : Math.min(leftMs, longestSleepMs)
        }),
    },
  })
