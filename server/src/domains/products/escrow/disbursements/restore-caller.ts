import { z } from 'zod'
import type { Caller } from '../../../../lib/requests/access.ts'

/**
 * The caller who ordered the disbursement, stored with the milestone. It grants no permissions: the order was
 * authorised.
 */
const orderedBy = z.object({
  userId: z.string(),
  credential: z.union([
    z.object({ kind: z.literal('api_key'), apiKeyId: z.string() }),
    z.object({ kind: z.literal(['jwt', 'payment_link']) }),
    z.object({
      kind: z.literal('session'),
      sessionId: z.string(),
      // Stored as JSON, so the time comes back as text.
      authTime: z.union([z.date(), z.iso.datetime().transform((text) => new Date(text))]).nullable(),
    }),
  ]),
  ip: z.string(),
  requestId: z.string(),
})

export const toOrderedBy = ({ userId, credential, origin }: Caller): z.infer<typeof orderedBy> => ({
  userId,
  credential,
  ip: origin.ip,
  requestId: origin.requestId,
})

export function callerOf(orgId: string, kept: unknown): Caller {
  const { userId, credential, ip, requestId } = orderedBy.parse(kept)
  return {
    orgId,
    userId,
    role: 'viewer',
    permissions: new Set(),
    features: new Set(),
    credential,
    origin: { ip, userAgent: undefined, requestId },
  }
}
