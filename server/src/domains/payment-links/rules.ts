export const linkStatuses = ['active', 'paid', 'expired', 'canceled'] as const
export type LinkStatus = (typeof linkStatuses)[number]

export const amountTypes = ['fixed', 'open'] as const
export type AmountType = (typeof amountTypes)[number]

/** A payment that was under way when its link ended may still pay it: money that came is never denied. */
export const transitions: Readonly<Record<LinkStatus, readonly LinkStatus[]>> = {
  active: ['paid', 'expired', 'canceled'],
  expired: ['paid'],
  canceled: ['paid'],
  paid: [],
}

/** The engine writes the expiry a moment after it happens; nobody may pay in between. */
export const statusAt = (link: { status: LinkStatus; expiresAt: Date }, now: Date): LinkStatus =>
  link.status === 'active' && link.expiresAt <= now ? 'expired' : link.status

const ended = new Set(['failed', 'rejected', 'canceled'])
const paid = new Set(['completed', 'refunded'])

/** Somebody is paying: until that is over nobody else may start, and the terms stay as they are. */
export const isUnderWay = (paymentStatus: string | null): boolean =>
  paymentStatus !== null && !ended.has(paymentStatus) && !paid.has(paymentStatus)
