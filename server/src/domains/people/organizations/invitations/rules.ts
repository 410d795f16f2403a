import type { InvitationStatus, Invitation } from './record.ts'

export const invitationLifetimeDays = 7
const dayMs = 24 * 60 * 60_000

export const expiryFrom = (now: Date): Date => new Date(now.getTime() + invitationLifetimeDays * dayMs)

/** A pending invitation past its expiry counts as expired, even if its row still has the old status. */
export function statusAt(invitation: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): InvitationStatus {
  return invitation.status === 'pending' && invitation.expiresAt <= now ? 'expired' : invitation.status
}
