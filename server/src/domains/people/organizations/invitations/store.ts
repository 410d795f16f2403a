import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import { roles } from '../../../../lib/requests/access.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type { InvitationStatus, Invitation } from './record.ts'

const columns = [
  'org_id as orgId',
  'invitation_id as invitationId',
  'email',
  'role',
  'status',
  'invited_by as invitedBy',
  'accepted_by as acceptedBy',
  'approved_by as approvedBy',
  'expires_at as expiresAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const toInvitation = (row: Omit<Invitation, 'role' | 'status'> & { role: string; status: string }) => ({
  ...row,
  role: roles.find((role) => role === row.role) ?? 'viewer',
  status: row.status as InvitationStatus, // check constraint
})

/** Frees the address for a new invitation. */
export async function expireInvitations(tx: Tx, orgId: string, email: string, now: Date): Promise<void> {
  await tx.db
    .updateTable('invitations')
    .set({ status: 'expired', updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .execute()
}

/** Undefined when the address has a pending invitation. */
export async function insertInvitation(
  tx: Tx,
  orgId: string,
  invitation: Pick<Invitation, 'invitationId' | 'email' | 'role' | 'invitedBy' | 'approvedBy' | 'expiresAt'>,
): Promise<Invitation | undefined> {
  const row = await tx.db
    .insertInto('invitations')
    .values({
      org_id: orgId,
      invitation_id: invitation.invitationId,
      email: invitation.email,
      role: invitation.role,
      invited_by: invitation.invitedBy,
      approved_by: invitation.approvedBy,
      expires_at: invitation.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row && toInvitation(row)
}

export async function findInvitation(
  tx: Tx,
  orgId: string,
  invitationId: string,
): Promise<Invitation | undefined> {
  const row = await tx.db
    .selectFrom('invitations')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('invitation_id', '=', invitationId)
    .executeTakeFirst()
  return row && toInvitation(row)
}

/** Ends a pending invitation; of two concurrent calls one gets undefined. */
export async function endInvitation(
  tx: Tx,
  orgId: string,
  end: { invitationId: string; status: 'accepted' | 'revoked'; acceptedBy: string | null },
): Promise<Invitation | undefined> {
  const row = await tx.db
    .updateTable('invitations')
    .set({ status: end.status, accepted_by: end.acceptedBy, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('invitation_id', '=', end.invitationId)
    .where('status', '=', 'pending')
    .returning(columns)
    .executeTakeFirst()
  return row && toInvitation(row)
}

export async function selectInvitations(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<Invitation[]> {
  let query = tx.db.selectFrom('invitations').select(columns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('created_at', 'invitation_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('invitation_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toInvitation)
}
