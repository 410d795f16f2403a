export const linkStatuses = ['active', 'paid', 'expired', 'canceled'] as const
export type LinkStatus = (typeof linkStatuses)[number]

export const amountTypes = ['fixed', 'open'] as const
export type AmountType = (typeof amountTypes)[number]

/** A payment in progress when its link ended can still pay it, because received money is always recorded. */
export const transitions: Readonly<Record<LinkStatus, readonly LinkStatus[]>> = {
  active: ['paid', 'expired', 'canceled'],
  expired: ['paid'],
  canceled: ['paid'],
  paid: [],
}

/** The engine writes the expiry slightly late; the link cannot be paid in between. */
export const statusAt = (link: { status: LinkStatus; expiresAt: Date }, now: Date): LinkStatus =>
  link.status === 'active' && link.expiresAt <= now ? 'expired' : link.status

const ended = new Set(['failed', 'rejected', 'canceled'])
const paid = new Set(['completed', 'refunded'])

/** While a payment is in progress, nobody else can start one and the terms cannot change. */
export const isInProgress = (paymentStatus: string | null): boolean =>
  paymentStatus !== null && !ended.has(paymentStatus) && !paid.has(paymentStatus)
