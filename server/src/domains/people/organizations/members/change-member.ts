import type { Database, Tx } from '../../../../kernel/db/database.ts'
import { effectivePermissions, type Caller, type Membership } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { ChangeControl, ChangeKind, MaybeHeld } from '../../change-requests/record.ts'
import { recordEmpowerment } from '../../empowerments/record-empowerment.ts'
import { lastAdministrator } from '../errors.ts'
import { changesControl, isAdministrator } from '../rules.ts'
import { toMemberView } from '../schema.ts'
import { lockOrganization } from '../store.ts'
import type { Member } from './record.ts'
import { findMember, selectAdministrators, updateMemberRow } from './store.ts'

export interface MemberChangeDeps {
  db: Database
  changeControl: ChangeControl
}

export interface MemberChange {
  orgId: string
  userId: string
  action: string
  /** Returns what to write for the locked member, or throws to refuse. */
  decide(member: Member): Parameters<typeof updateMemberRow>[2]
}

/** What a second person is asked when the change decides who controls payouts. */
interface ChangeProposal {
  kind: ChangeKind
  payload: unknown
  summary: string
}

/** All changes hold the organisation's lock, so that two administrators cannot demote each other concurrently. */
export function changeMember(
  deps: MemberChangeDeps,
  caller: Caller,
  change: MemberChange,
  proposalFor: (member: Member) => ChangeProposal,
): Promise<MaybeHeld<Member>> {
  const { orgId } = change
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await lockMember(tx, orgId, change.userId)
    const after = { ...before, ...change.decide(before) }
    if (changesControl(before, after)) {
      const held = await deps.changeControl.hold(tx, caller, { orgId, ...proposalFor(before) })
      if (held) return { held }
    }
    if (!effectivePermissions(after).isSubsetOf(effectivePermissions(before)))
      await recordEmpowerment(tx, caller, { orgId, userId: change.userId })
    return { done: await writeMemberChange(tx, caller, change) }
  })
}

/** For the transaction of a change that needs no further approval. */
export async function writeMemberChange(tx: Tx, caller: Caller, change: MemberChange): Promise<Member> {
  const before = await lockMember(tx, change.orgId, change.userId)
  const written = change.decide(before)
  await assertAdministratorRemains(tx, before, { ...before, ...written })
  const after = await updateMemberRow(tx, change.orgId, written)
  await recordAudit(tx, caller, change.orgId, {
    action: change.action,
    resourceType: 'member',
    resourceId: change.userId,
    before: toMemberView(before),
    after: toMemberView(after),
  })
  return after
}

export async function lockMember(tx: Tx, orgId: string, userId: string): Promise<Member> {
  const organization = await lockOrganization(tx, orgId)
  const member = organization && (await findMember(tx, orgId, userId))
  if (!member) throw notFound('The member')
  return member
}

export async function assertAdministratorRemains(
  tx: Tx,
  before: Member,
  after: Membership | undefined,
): Promise<void> {
  if (!isAdministrator(before) || (after && isAdministrator(after))) return
  const administrators = await selectAdministrators(tx, before.orgId)
  if (!administrators.some((admin) => admin.userId !== before.userId && isAdministrator(admin)))
    throw lastAdministrator()
}
